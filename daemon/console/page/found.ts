// A vertex now: its degrees in the published window, and its values in the newest result of a job.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JobVertex, WindowVertex } from "./answers.ts";
import { get, paths, Refusal } from "./api.ts";

export interface Found {
  now: JobVertex | null; // null: the job does not list vertices, or has no value for it
  degrees: WindowVertex | null; // null: it is not in the window
}

async function orNull<T>(path: string): Promise<T | null> {
  try {
    return await get<T>(path);
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return null;
    throw error;
  }
}

async function look(window: string, job: string, vertex: string): Promise<Found> {
  const degrees = await orNull<WindowVertex>(paths.windowVertex(window, vertex));
  const now = degrees && job ? await orNull<JobVertex>(paths.jobVertex(job, vertex)) : null;
  return { now, degrees };
}

/**
 * Null before the first answer. Asked again whenever `newest` changes. On a slow machine the answer
 * may come after the next change: it is shown then too, but not after a later one.
 */
export function useFound(window: string, job: string, vertex: string, newest: string):
  Found | null {
  const about = `${window} ${job} ${vertex}`;
  const asked = useRef(0);
  const [shown, setShown] = useState<{ about: string; order: number; found: Found } | null>(null);
  useEffect(() => {
    if (!vertex || !window) return;
    const order = ++asked.current;
    look(window, job, vertex)
      .then((found) => setShown((before) => (before && before.order > order
        ? before : { about, order, found })))
      .catch(() => undefined); // no response: the banner says so
  }, [about, newest]);
  return shown?.about === about ? shown.found : null;
}
