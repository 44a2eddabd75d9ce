// What a result lists, and how that changed since the previous result.
import type { Key, Result, Row } from "./answers.ts";

export interface Move {
  row: Row;
  key: Key;
  value: number | null;
  /** Places gained; null: it is new in the list; undefined: there is no previous result. */
  gained: number | null | undefined;
}

export function keyOf(row: Row): Key {
  return row.vertex ?? row.component ?? row.community ?? row.set ?? "";
}

/** What a job measured of a vertex or a set. */
export interface Measured {
  score?: number | null;
  distance?: number | null;
  depth?: number | null;
  size?: number | null;
}

const MEASURES = ["score", "distance", "depth", "size"] as const; // the first that is there counts

export function valueOf(one: Measured): number | null {
  return one.score ?? one.distance ?? one.depth ?? one.size ?? null;
}

/** The name of what was measured, for a title. */
export function measureIn(all: Measured[]): string {
  const name = MEASURES.find((each) => all.some((one) => one[each] != null)) ?? "score";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function measureOf(result: Result | undefined): string {
  return measureIn(result?.top?.slice(0, 1) ?? []);
}

/** How many times the score of the baseline; null: there is none, or it is 0. */
export function ratioOf(row: Row): number | null {
  if (row.score == null || !row.baseline_score) return null;
  return row.score / row.baseline_score;
}

function places(result: Result): Map<string, number> {
  return new Map((result.top ?? []).map((row) => [String(keyOf(row)), row.rank]));
}

export function moves(now: Result | undefined, before: Result | undefined): Move[] {
  const earlier = before ? places(before) : null;
  return (now?.top ?? []).map((row) => {
    const key = keyOf(row);
    const place = earlier?.get(String(key));
    const gained = earlier ? (place == null ? null : place - row.rank) : undefined;
    return { row, key, value: valueOf(row), gained };
  });
}

/** Keys of the previous list that are not in this one, in its order. */
export function leavers(now: Result | undefined, before: Result | undefined): Key[] {
  if (!now || !before) return [];
  const here = places(now);
  return (before.top ?? []).map(keyOf).filter((key) => !here.has(String(key)));
}
