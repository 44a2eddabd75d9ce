// A small graph as a picture: its vertices can be chosen, the lines show directions, the styles of
// lines the types of edges.
import { useEffect, useReducer, useRef } from "preact/hooks";
import { count, plural, score } from "../format.ts";
import { HEIGHT, Layout, WIDTH, type Line, type Node } from "../layout.ts";
import { STYLES, styleOf } from "../neighbours.ts";
import type { Drawable } from "../relations.ts";
import { TypeSample } from "./around.tsx";

const MOST_ARROWS = 60; // with more lines, only those of the chosen vertex have a head
const MOST_WEIGHTS = 24; // with more lines, the weights would lie on each other

/** A layout of `picture`, which may be another one of the same graph later. */
export function useLayout(picture: Drawable | null, graph: string, allMain = false): Layout | null {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const layout = useRef<Layout | null>(null);
  useEffect(() => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    layout.current = new Layout(() => redraw(0), calm, allMain);
    return () => layout.current?.stop();
  }, [graph]);
  useEffect(() => {
    if (picture) layout.current?.show(picture);
  }, [picture, graph]);
  return picture ? layout.current : null;
}

interface Curve {
  d: string;
  middle: [number, number];
}

function text(x: number, y: number): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

// From rim to rim, slightly curved, so that both directions of a pair are visible.
function curve(line: Line, layout: Layout): Curve {
  const { source, target } = line;
  const [from, to] = [layout.placeOf(source), layout.placeOf(target)];
  if (source === target) return loop(from, source.radius);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.max(1, Math.hypot(dx, dy));
  const [ux, uy] = [dx / length, dy / length];
  const [x1, y1] = [from[0] + ux * source.radius, from[1] + uy * source.radius];
  const [x2, y2] = [to[0] - ux * (target.radius + 3), to[1] - uy * (target.radius + 3)];
  const bend = length * 0.08;
  const [cx, cy] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
  return { d: `M${text(x1, y1)}Q${text(cx, cy)} ${text(x2, y2)}`,
    middle: [(x1 + x2) / 4 + cx / 2, (y1 + y2) / 4 + cy / 2] };
}

// An edge from a vertex to itself, above it.
function loop([x, y]: [number, number], radius: number): Curve {
  const [side, top] = [radius * 0.7, y - radius * 0.7];
  const out = radius + 16;
  return { d: `M${text(x - side, top)}C${text(x - out, top - out)} ${text(x + out, top - out)} ${
    text(x + side, top - 2)}`, middle: [x, top - out * 0.75] };
}

export function Graph({ name, layout, chosen, marked, types, weights = false, label, onVertex }: {
  name: string; // of its arrows, once on the page
  layout: Layout | null; chosen: string;
  marked?: Set<string>; // lines
  types: string[];
  weights?: boolean; // lines have their weights, and larger heads
  label: (nodes: Node[], lines: Line[]) => string;
  onVertex: (key: string) => void;
}) {
  const nodes = layout?.nodes ?? [];
  const lines = layout?.lines ?? [];
  const head = weights ? 9 : 5;
  const isNear = ({ id, source, target }: Line) => source.id === chosen || target.id === chosen
    || marked?.has(id) === true;
  const classOf = (line: Line) => [isNear(line) ? "is-near" : "",
    marked?.has(line.id) ? "is-marked" : "",
    line.types.length > 0 ? `type-${styleOf(line.types[0]!, types)}` : ""].join(" ").trim();
  const drawLine = (line: Line) => (
    <path key={line.id} d={curve(line, layout!).d} class={classOf(line)}
      stroke-width={line.width}
      marker-end={isNear(line) || lines.length <= MOST_ARROWS ? `url(#${name})` : undefined} />);
  const drawWeight = (line: Line) => {
    const [x, y] = curve(line, layout!).middle;
    return <text key={line.id} x={x.toFixed(1)} y={y.toFixed(1)}
      dy="0.35em">{score(line.weight)}</text>;
  };
  const draw = (node: Node) => (
    <Vertex key={node.id} node={node} place={layout!.placeOf(node)}
      chosen={node.id === chosen} onVertex={onVertex} />);
  return (
    <div class="drawing">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={label(nodes, lines)}>
        <defs>
          <marker id={name} class="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth={head}
            markerHeight={head} markerUnits="userSpaceOnUse" orient="auto">
            <path d="M0 0L6 3L0 6z" /></marker>
        </defs>
        <g class="lines" aria-hidden="true">
          {lines.filter((line) => !isNear(line)).map(drawLine)}
          {lines.filter(isNear).map(drawLine)}
        </g>
        {weights && (
          <g class="weights" aria-hidden="true">
            {lines.filter((line) => line.weight != null
              && (lines.length <= MOST_WEIGHTS || isNear(line))).map(drawWeight)}
          </g>)}
        <g>{nodes.filter((node) => !node.isMain).map(draw)}</g>
        <g>{nodes.filter((node) => node.isMain).map(draw)}</g>
      </svg>
      <TypeLegend types={types} />
    </div>
  );
}

// Line styles of the types of edges; a pair with several types has that of the first.
function TypeLegend({ types }: { types: string[] }) {
  if (types.length === 0) return null;
  const named = types.length > STYLES ? types.slice(0, STYLES - 1) : types;
  return (
    <ul class="types" aria-label="Types of edges">
      {named.map((type, i) => <li key={type}><TypeSample style={i} /> {type}</li>)}
      {types.length > named.length && <li><TypeSample style={STYLES - 1} /> other types</li>}
    </ul>
  );
}

/** What makes a part of a picture a button. SVG attributes keep their exact spelling: tabIndex
 * would be a different attribute. */
export function pressed(act: () => void) {
  return {
    tabindex: 0, role: "button" as const, onClick: act,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    },
  };
}

export function shortName(id: string): string {
  return id.length > 18 ? `${id.slice(0, 17)}…` : id;
}

function Vertex({ node, place: [x, y], chosen, onVertex }: {
  node: Node; place: [number, number]; chosen: boolean; onVertex: (key: string) => void;
}) {
  const { id, isMain } = node;
  const label = `${id}${node.place != null ? `, rank ${node.place}` : ""}, ${
    plural(node.degree, "edge")}`;
  const act = () => onVertex(id);
  const acts = isMain ? pressed(act) : { "aria-hidden": true as const, onClick: act };
  return (
    <g class={`node ${isMain ? "is-top" : ""} ${chosen ? "is-chosen" : ""} ${
      node.isNew ? "is-new" : ""}`}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`} aria-label={label} {...acts}>
      <title>{`${id}: ${count(node.degree)} edges`}</title>
      <circle r={node.radius} />
      {node.place != null && <text class="rank" dy="0.35em">{node.place}</text>}
      {(isMain || chosen) && (
        <text class="name" y={node.radius + 2} dy="0.85em">{shortName(id)}</text>)}
    </g>
  );
}
