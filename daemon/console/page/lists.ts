// What the rows of a result are about, and how many there are.
import type { Result } from "./answers.ts";

/** What one row is: a vertex, a set of vertices, or a relation of vertices. */
export type Kind = "vertex" | "set" | "pair" | "features" | "cycle" | "path";

export interface List {
  kind: Kind;
  listed: number; // rows of this answer
  found: number; // by the run: the job lists the first of them (`top`)
}

/** The list of a result; null: it has none, or several. */
export function listOf(result: Result | undefined): List | null {
  if (!result) return null;
  const { top, top_edges: pairs, top_features: features, top_cycles: cycles,
    top_paths: ways } = result;
  const list = (kind: Kind, rows: unknown[], found: number | undefined): List =>
    ({ kind, listed: rows.length, found: found ?? result.rows ?? rows.length });
  if (top) return list(setWord(result) ? "set" : "vertex", top, result.rows);
  if (pairs) return list("pair", pairs, result.pairs);
  if (features) return list("features", features, result.entered);
  if (cycles) return list("cycle", cycles, result.cycles);
  if (ways) return list("path", ways, result.reached);
  return null;
}

const SETS = ["component", "community", "set"] as const;
export type SetWord = (typeof SETS)[number];

/** What the sets of a result are called; null: its rows are not sets. */
export function setWord(result: Result | undefined): SetWord | null {
  const [first] = result?.top ?? [];
  return first ? SETS.find((word) => first[word] != null) ?? null : null;
}

/** How many sets the run found, as far as it tells. */
export function setsIn(result: Result): number {
  return result.components ?? result.communities ?? result.sets ?? result.top?.length ?? 0;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
