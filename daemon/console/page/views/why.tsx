// Why the chosen window has no result yet or has stopped moving, as the daemon reports it.
import type { Why as Answer } from "../answers.ts";
import type { Daemon } from "../daemon.ts";

// A stream that goes on: nothing to report for a window that has results.
const USUAL = ["events", "disorder", "clock", "advancing"];
const FINE = ["up_to_date", "not_due", "waits_for_window", "live"];

function isWorthTelling(why: Answer): boolean {
  return why.snapshot == null || !USUAL.includes(why.reason);
}

export function Why({ daemon }: { daemon: Daemon }) {
  const { why } = daemon;
  if (!why || !isWorthTelling(why)) return null;
  const behind = why.jobs.filter((job) => !FINE.includes(job.state));
  return (
    <section class="panel why" aria-labelledby="why-title" data-reason={why.reason}>
      <h2 id="why-title">
        {why.snapshot == null ? "Why there is no result yet" : "Why there is no newer result"}
      </h2>
      <p>{why.summary}</p>
      {behind.length > 0 && <ul>{behind.map((job) => <li key={job.name}>{job.summary}</li>)}</ul>}
    </section>
  );
}
