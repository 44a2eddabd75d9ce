// The neighbours of the chosen vertex: in the newest published window, or in the live one.
import { useEffect, useState } from "preact/hooks";
import type { Key } from "./answers.ts";
import { API, get, Refusal } from "./api.ts";

export type View = "published" | "live";

export interface Neighbour {
  vertex: Key;
  weight: number | null;
  type?: string;
}

export interface Neighbours {
  vertex: Key;
  out_degree: number;
  in_degree: number;
  out: Neighbour[];
  in: Neighbour[];
  window_end?: string | null; // these two only of a live window
  behind?: { topic: string; partition: number; newest: string }[];
}

/** What was seen at the newest look; without neighbours, why not. */
export interface Seen {
  vertex: string;
  window: string;
  view: View;
  neighbours: Neighbours | null;
  problem: string; // empty: there is none
  isLive: boolean; // false: the window has no live view
}

/** How many neighbours of each direction are shown. */
export const NEIGHBOURS = 100;
const LOOK_MS = 1000;
const NOT_LIVE = 422;

function path(window: string, vertex: string, view: View): string {
  const asked = new URLSearchParams({ key: vertex, limit: String(NEIGHBOURS) });
  if (view === "live") asked.set("view", "live");
  return `${API}/windows/${encodeURIComponent(window)}/vertices?${asked}`;
}

async function look(window: string, vertex: string, view: View): Promise<Seen> {
  const seen = { vertex, window, view, neighbours: null, problem: "", isLive: true };
  try {
    return { ...seen, neighbours: await get<Neighbours>(path(window, vertex, view)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isLive = !(view === "live" && error.status === NOT_LIVE);
    return { ...seen, problem: error.message, isLive };
  }
}

/**
 * The neighbours of a vertex; null until they are known. The published ones are asked for again
 * when `snapshot` changes; the live ones once a second while the page is visible.
 */
export function useNeighbours(
  window: string, vertex: string, view: View, snapshot: number | null | undefined,
): Seen | null {
  const [seen, setSeen] = useState<Seen | null>(null);
  const moved = view === "published" ? snapshot : null;
  useEffect(() => {
    if (!vertex || !window) return;
    let current = true;
    let timer = 0;
    const again = () => {
      if (current && view === "live") timer = setTimeout(ask, LOOK_MS) as unknown as number;
    };
    const ask = () => {
      if (document.hidden && view === "live") return again();
      look(window, vertex, view).then((now) => {
        setSeen(now); // also when the window has moved since: one is shown before the next comes
        if (now.isLive) again();
      }, again); // no response: the banner says so
    };
    ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [window, vertex, view, moved]);
  const isThis = seen?.vertex === vertex && seen.window === window && seen.view === view;
  return isThis ? seen : null;
}

// Types

/** One style of line for each: the last is for all further types. */
export const STYLES = 5;

/** The types of the edges in a picture, and to and from the chosen vertex, by name. */
export function typesShown(picture: { edges: { types?: string[] }[] } | null,
  near: Neighbours | null): string[] {
  const types = new Set(picture?.edges.flatMap((edge) => edge.types ?? []) ?? []);
  for (const { type } of [...near?.out ?? [], ...near?.in ?? []]) {
    if (type != null) types.add(type);
  }
  return [...types].sort();
}

/** The number of the style of a type, from 0. */
export function styleOf(type: string, types: string[]): number {
  return Math.min(types.indexOf(type), STYLES - 1);
}
