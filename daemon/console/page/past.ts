// The past of a vertex: its rank and value in the kept results of a job.
import { useEffect, useState } from "preact/hooks";
import { get, paths } from "./api.ts";
import type { Measured } from "./ranking.ts";

export interface Standing extends Measured {
  snapshot: number;
  window_end: string;
  known: boolean; // false: the result does not list the vertex, and has no vector
  rank?: number | null;
}

const RESULTS = 100;
let requests = 0;

/** Oldest first; null before the first answer. Asked again with each newer result. */
export function usePast(job: string, vertex: string, newest: number | undefined):
  Standing[] | null {
  const about = `${job} ${vertex}`;
  const [asked, setAsked] = useState<{
    about: string; request: number; past: Standing[];
  } | null>(null);
  useEffect(() => {
    if (!job || !vertex) return;
    const request = ++requests;
    get<{ results: Standing[] }>(paths.past(job, vertex, RESULTS))
      .then(({ results }) => setAsked((before) => {
        // A slow answer is shown, but not after that to a later request. Snapshots do not tell:
        // another process counts from 1.
        const isLate = before?.about === about && before.request > request;
        return isLate ? before : { about, request, past: results.reverse() };
      }))
      .catch(() => undefined); // no response: the banner says so
  }, [about, newest]);
  return asked?.about === about ? asked.past : null;
}
