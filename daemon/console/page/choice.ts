// The window and the job that the page shows.
import type { Job, Window } from "./answers.ts";

const UNRANKED = ["window", "new_edges", "vanished_edges", "cycles", "paths", "edge_features"];

/** The choice while it exists; otherwise a job that ranks vertices, and its window. */
export function kept(window: string, job: string, windows: Window[], jobs: Job[]):
[string, string] {
  const ranks = (each: Job) => !UNRANKED.includes(each.kernel);
  if (!windows.some((each) => each.name === window)) {
    const first = jobs.find(ranks) ?? jobs[0];
    window = first?.window ?? windows[0]?.name ?? "";
  }
  const here = jobs.filter((each) => each.window === window);
  if (!here.some((each) => each.name === job)) job = (here.find(ranks) ?? here[0])?.name ?? "";
  return [window, job];
}
