// The circle of a vertex: the members of its component or community, as a job of the window has it.
import { useState } from "preact/hooks";
import type { Daemon } from "../daemon.ts";
import { setWord } from "../lists.ts";
import { MembersTable } from "./members.tsx";

const GROUPING = ["wcc", "scc", "cdlp"];

export function Circle({ daemon, vertex, onVertex }: {
  daemon: Daemon; vertex: string; onVertex: (key: string) => void;
}) {
  const jobs = daemon.jobs
    .filter(({ name, kernel, window }) => window === daemon.window
      && (GROUPING.includes(kernel) || setWord(daemon.resultsOf(name)[0]) != null))
    .map((job) => job.name);
  const [chosen, setChosen] = useState("");
  const job = jobs.includes(chosen) ? chosen
    : jobs.includes(daemon.job) ? daemon.job : jobs[0] ?? "";
  if (!job) {
    return <p class="absent">No job of the window {daemon.window} finds components or communities.
      A job with the kernel <code>wcc</code>, <code>scc</code> or <code>cdlp</code> does.</p>;
  }
  return (
    <div class="circle">
      <label class="pick"><span>Sets of</span>
        <select value={job} onChange={(event) => setChosen(event.currentTarget.value)}>
          {jobs.map((name) => <option key={name}>{name}</option>)}
        </select></label>
      <MembersTable job={job} whose={{ key: vertex }} newest={daemon.resultsOf(job)[0]?.snapshot}
        chosen={vertex} onVertex={onVertex} />
    </div>
  );
}
