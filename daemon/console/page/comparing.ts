// Two results beside each other: of one job or of two, on one window or on two.
import type { Key, Result } from "./answers.ts";
import { API } from "./api.ts";
import { keyOf, valueOf } from "./ranking.ts";

/** How many rows of each result are compared. */
export const COMPARED = 100;

export interface Compared {
  key: Key;
  ranks: [number | null, number | null]; // null: that result does not list it so far up
  values: [number | null, number | null];
}

export function resultPath(job: string, snapshot: number): string {
  return `${API}/jobs/${encodeURIComponent(job)}/results/${snapshot}?top=${COMPARED}`;
}

/** The rows of both, each key once: in the order of the first, then those only in the second. */
export function compare(first: Result, second: Result): Compared[] {
  const rows = new Map<string, Compared>();
  [first, second].forEach((result, side) => {
    for (const row of result.top ?? []) {
      const key = keyOf(row);
      const entry = rows.get(String(key)) ?? { key, ranks: [null, null], values: [null, null] };
      entry.ranks[side] = row.rank;
      entry.values[side] = valueOf(row);
      rows.set(String(key), entry);
    }
  });
  return [...rows.values()];
}
