// Communities: the colour of each set of vertices, and the places of their circles in a picture.
import { forceCollide, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";
import type { Result } from "./answers.ts";
import { HEIGHT, WIDTH } from "./layout.ts";
import { keyOf } from "./ranking.ts";

const HUES = 24;
const COVERED = 0.42; // the share of the picture that the circles cover
const LEAST_RADIUS = 7;
const MOST_RADIUS = 150;
const GAP = 9; // holds a part of the name below a small circle
const SIDE = 16;
const BELOW = 16; // room for a name
const TICKS = 160;

/** The hue of a set, in degrees: the key alone decides it, so it is the same in each window. */
export function hueOf(key: string): number {
  let hash = 2166136261; // FNV-1a
  for (let i = 0; i < key.length; ++i) hash = Math.imul(hash ^ key.charCodeAt(i), 16777619);
  return ((hash >>> 0) % HUES) * (360 / HUES);
}

export interface Bubble extends SimulationNodeDatum {
  id: string;
  rank: number;
  size: number;
  radius: number;
  x: number;
  y: number;
}

/** A circle for each listed set; its area is its size. One that was there stays near its place. */
export function bubblesOf(result: Result, before: Bubble[]): Bubble[] {
  const places = new Map(before.map((bubble) => [bubble.id, bubble]));
  const rows = result.top ?? [];
  const all = Math.max(1, rows.reduce((sum, row) => sum + (row.size ?? 0), 0));
  const scale = Math.sqrt((COVERED * WIDTH * HEIGHT) / (Math.PI * all));
  const bubbles = rows.map((row, i): Bubble => {
    const id = String(keyOf(row));
    const size = row.size ?? 0;
    const radius = Math.min(MOST_RADIUS, Math.max(LEAST_RADIUS, scale * Math.sqrt(size)));
    const spiral = 26 * Math.sqrt(i);
    const { x, y } = places.get(id) ?? {
      x: WIDTH / 2 + 1.5 * spiral * Math.cos(i * 2.4), y: HEIGHT / 2 + spiral * Math.sin(i * 2.4),
    };
    return { id, rank: row.rank, size, radius, x, y };
  });
  const simulation = forceSimulation<Bubble>(bubbles)
    .force("x", forceX<Bubble>(WIDTH / 2).strength(0.03))
    .force("y", forceY<Bubble>(HEIGHT / 2).strength(0.06))
    .force("apart", forceCollide<Bubble>((bubble) => bubble.radius + GAP).iterations(4))
    .stop();
  for (let i = 0; i < TICKS; ++i) {
    simulation.tick();
    for (const bubble of bubbles) {
      bubble.x = within(bubble.x, bubble.radius + SIDE, WIDTH - bubble.radius - SIDE);
      bubble.y = within(bubble.y, bubble.radius + 2, HEIGHT - bubble.radius - BELOW);
    }
  }
  // Circles that stay keep their order: a moved element of the page would lose the focus.
  const order = new Map(before.map((bubble, i) => [bubble.id, i]));
  return bubbles.sort((a, b) =>
    (order.get(a.id) ?? before.length + a.rank) - (order.get(b.id) ?? before.length + b.rank));
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
