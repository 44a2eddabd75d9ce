// Layout: the positions of the vertices of a small graph: a neighbourhood, or the relations that a
// result lists. Vertices that stay from one window to the next keep their positions, so that the
// eye can follow what came and went.
import {
  forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY,
  type Simulation, type SimulationLinkDatum, type SimulationNodeDatum,
} from "d3-force";
import { lineId, type Drawable } from "./relations.ts";

export const WIDTH = 640;
export const HEIGHT = 420;
const MARGIN = { side: 40, top: 24, bottom: 36 }; // room for the largest vertex and for names
const MANY_LINES = 100; // with more, each is drawn thinner
const MOST_STRETCH = 3;
const STRETCH_A_TICK = 0.12; // the share of the remaining stretch, so that nothing jumps

export interface Node extends SimulationNodeDatum {
  id: string;
  place: number | null; // in the list; null: it is not of a list of vertices, or a neighbour
  isMain: boolean; // larger, with its name; otherwise a neighbour
  degree: number;
  radius: number;
  isNew: boolean;
}

export interface Line extends SimulationLinkDatum<Node> {
  id: string;
  source: Node;
  target: Node;
  edges: number;
  weight: number | null;
  width: number;
  types: string[];
}

export class Layout {
  nodes: Node[] = [];
  lines: Line[] = [];
  private readonly simulation: Simulation<Node, Line>;
  private frame = { x: 0, y: 0, width: WIDTH, height: HEIGHT }; // the drawn part of the plane

  /**
   * `moved` is called while vertices move; `calm`: they jump to their final positions at once.
   * `allMain`: no vertex is only a neighbour of another.
   */
  constructor(private readonly moved: () => void, private readonly calm: boolean,
    private readonly allMain: boolean) {
    this.simulation = forceSimulation<Node, Line>()
      .force("charge", forceManyBody<Node>()
        .strength((node) => (node.isMain ? -620 : -170)).distanceMax(420))
      .force("link", forceLink<Node, Line>().distance((line) =>
        line.source.isMain && line.target.isMain ? 120 : 60).strength(allMain ? 0.4 : 0.12))
      .force("x", forceX<Node>(WIDTH / 2).strength(0.05))
      .force("y", forceY<Node>(HEIGHT / 2).strength(0.085))
      .force("collide", forceCollide<Node>((node) =>
        node.radius + (allMain ? 16 : node.isMain ? 9 : 3)))
      .velocityDecay(0.5)
      .on("tick", () => {
        this.fit(STRETCH_A_TICK);
        this.moved();
      })
      .stop();
  }

  show(picture: Drawable): void {
    const before = new Map(this.nodes.map((node) => [node.id, node]));
    // If more than half of it is new, there is little to follow: it is drawn at once.
    const other = before.size === 0 || picture.vertices
      .filter(({ vertex }) => !before.has(String(vertex))).length > picture.vertices.length / 2;
    const most = Math.max(1, ...picture.vertices.map((each) => each.out_degree + each.in_degree));
    const nodes = picture.vertices.map((each, i) => {
      const id = String(each.vertex);
      const degree = each.out_degree + each.in_degree;
      const node: Node = before.get(id) ?? {
        id, place: null, isMain: false, degree, radius: 0, isNew: !other,
        ...this.entrance(id, picture, before, i),
      };
      if (before.has(id)) node.isNew = false;
      node.place = each.place;
      node.degree = degree;
      node.isMain = this.allMain || each.place != null;
      const [least, more] = this.allMain ? [5, 6] : [7, 11];
      node.radius = node.isMain ? least + more * Math.sqrt(degree / most) : 4;
      return node;
    });
    // Vertices that stay keep their order too: a moved element of the page would lose the focus.
    const stay = new Set(nodes);
    this.nodes = [...this.nodes.filter((node) => stay.has(node)),
      ...nodes.filter((node) => !before.has(node.id))];
    const here = new Map(this.nodes.map((node) => [node.id, node]));
    const thickest = Math.max(1, ...picture.edges.map((edge) => edge.edges));
    const thickness = picture.edges.length > MANY_LINES ? 1.6 : 3;
    this.lines = picture.edges.flatMap((edge) => {
      const [source, target] = [here.get(String(edge.source)), here.get(String(edge.target))];
      if (!source || !target) return [];
      return [{ id: lineId(source.id, target.id), source, target, edges: edge.edges,
        weight: edge.weight, types: edge.types ?? [],
        width: 0.5 + thickness * Math.sqrt(edge.edges / thickest) }];
    });
    this.simulation.nodes(this.nodes);
    (this.simulation.force("link") as ReturnType<typeof forceLink<Node, Line>>)
      .links(this.lines.filter(({ source, target }) => source !== target));
    this.simulation.alpha(other ? 1 : 0.35);
    if (this.calm || other) {
      this.simulation.stop().tick(other ? 260 : 120);
      this.fit(1);
      this.moved();
    } else {
      this.simulation.restart();
    }
  }

  stop(): void {
    this.simulation.stop();
  }

  // A new vertex starts beside a neighbour that is already drawn, or on a spiral around the middle.
  private entrance(id: string, picture: Drawable, before: Map<string, Node>, i: number) {
    for (const edge of picture.edges) {
      const [source, target] = [String(edge.source), String(edge.target)];
      const friend = source === id ? before.get(target)
        : target === id ? before.get(source) : undefined;
      if (friend) return { x: friend.x! + 12 * Math.cos(i), y: friend.y! + 12 * Math.sin(i) };
    }
    const radius = 14 * Math.sqrt(i + 1);
    return {
      x: WIDTH / 2 + radius * Math.cos(i * 2.4), y: HEIGHT / 2 + radius * Math.sin(i * 2.4),
    };
  }

  /** Where a vertex is drawn: the plane is stretched so that all vertices have room. */
  placeOf(node: Node): [number, number] {
    const { x, y, width, height } = this.frame;
    return [
      MARGIN.side + ((node.x! - x) / width) * (WIDTH - 2 * MARGIN.side),
      MARGIN.top + ((node.y! - y) / height) * (HEIGHT - MARGIN.top - MARGIN.bottom),
    ];
  }

  // Moves the frame by `share` of the way to the frame that holds every vertex; each axis
  // separately.
  private fit(share: number): void {
    if (this.nodes.length === 0) return;
    const axis = (of: (node: Node) => number, room: number): [number, number] => {
      const places = this.nodes.map(of);
      const [low, high] = [Math.min(...places), Math.max(...places)];
      const size = Math.max(high - low, room / MOST_STRETCH);
      return [(low + high - size) / 2, size];
    };
    const [x, width] = axis((node) => node.x ?? 0, WIDTH);
    const [y, height] = axis((node) => node.y ?? 0, HEIGHT);
    const { frame } = this;
    frame.x += (x - frame.x) * share;
    frame.y += (y - frame.y) * share;
    frame.width += (width - frame.width) * share;
    frame.height += (height - frame.height) * share;
  }
}
