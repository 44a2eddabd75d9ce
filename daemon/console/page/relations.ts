// Relations: rows of a result that relate vertices (pairs, cycles, paths), and the part of them
// that a picture shows.
import type { Key, Neighbourhood, Result } from "./answers.ts";

type Edge = Neighbourhood["edges"][number];

export interface Relation {
  id: string;
  vertices: Key[]; // in the order of its edges
  edges: { source: Key; target: Key; edges?: number; weight?: number | null; types?: string[] }[];
}

/** Vertices and edges, as a layout takes them. */
export type Drawable = Pick<Neighbourhood, "vertices" | "edges">;

export interface Drawn extends Drawable {
  relations: Set<string>; // those that are drawn
}

// So many vertices, each with its name, and lines can be told apart.
const MOST_VERTICES = 30;
const MOST_LINES = 40;

/** The relations that a result lists, in its order; none if its rows are something else. */
export function relationsOf(result: Result | undefined): Relation[] {
  const pairs = result?.top_edges ?? result?.top_features;
  if (pairs) {
    return pairs.map((pair) => relation([pair.source, pair.target], [pair]));
  }
  if (result?.top_cycles) {
    return result.top_cycles.map(({ vertices }) =>
      relation(vertices, steps([...vertices, ...vertices.slice(0, 1)])));
  }
  return (result?.top_paths ?? []).map(({ vertices }) => relation(vertices, steps(vertices)));
}

/** The edges of all of them. */
export function edgesOf(relations: Relation[]): { edges: Relation["edges"] } {
  return { edges: relations.flatMap(({ edges }) => edges) };
}

function relation(vertices: Key[], edges: Relation["edges"]): Relation {
  return { id: vertices.join("\u0000"), vertices, edges };
}

function steps(vertices: Key[]): Relation["edges"] {
  return vertices.slice(1).map((target, i) => ({ source: vertices[i]!, target }));
}

/**
 * The relation with the id `from`, and then the others in their order (those behind it, and then
 * those before it), as long as everything can be told apart. Without `from`: from the first one.
 */
export function drawn(relations: Relation[], from: string): Drawn {
  const first = Math.max(0, relations.findIndex(({ id }) => id === from));
  const keys = new Map<string, Key>();
  const edges = new Map<string, Edge>();
  const shown = new Set<string>();
  for (const each of [...relations.slice(first), ...relations.slice(0, first)]) {
    const added = new Set(each.vertices.filter((key) => !keys.has(String(key))));
    const lines = new Set([...linesOf([each])].filter((line) => !edges.has(line)));
    if (shown.size > 0 && (keys.size + added.size > MOST_VERTICES
      || edges.size + lines.size > MOST_LINES)) continue;
    shown.add(each.id);
    for (const key of added) keys.set(String(key), key);
    for (const { source, target, edges: copies = 1, weight = null, types = [] } of each.edges) {
      edges.set(lineId(source, target), { source, target, edges: copies, weight, types });
    }
  }
  return { vertices: degrees([...keys.values()], [...edges.values()]),
    edges: [...edges.values()], relations: shown };
}

/** The lines of these relations. */
export function linesOf(relations: Relation[]): Set<string> {
  return new Set(relations.flatMap(({ edges }) =>
    edges.map(({ source, target }) => lineId(source, target))));
}

export function lineId(source: Key, target: Key): string {
  return `${source}\u0000${target}`;
}

function degrees(keys: Key[], edges: Edge[]): Drawable["vertices"] {
  const [outs, ins] = [new Map<Key, number>(), new Map<Key, number>()];
  for (const { source, target } of edges) {
    outs.set(source, (outs.get(source) ?? 0) + 1);
    ins.set(target, (ins.get(target) ?? 0) + 1);
  }
  return keys.map((vertex) => ({ vertex, place: null, out_degree: outs.get(vertex) ?? 0,
    in_degree: ins.get(vertex) ?? 0 }));
}
