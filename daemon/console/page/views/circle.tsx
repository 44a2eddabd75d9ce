// The circle of a vertex: the members of its component or community, as a job of the window has it.
import { useEffect, useState } from "preact/hooks";
import { API, get, Refusal, type Key } from "../api.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, plural } from "../format.ts";
import { VertexButton } from "./ranking.tsx";

interface Members {
  job: string;
  window_end: string;
  component?: Key;
  community?: Key;
  set?: Key;
  size: number;
  members: { vertex: Key; out_degree: number; in_degree: number }[];
}

interface Asked {
  about: string; // the job and the vertex
  members: Members | null;
  problem: string;
}

const GROUPING = ["wcc", "scc", "cdlp"];
const MEMBERS = 100; // a page

function path(job: string, vertex: string): string {
  return `${API}/jobs/${encodeURIComponent(job)}/members?${
    new URLSearchParams({ key: vertex, limit: String(MEMBERS) })}`;
}

export function Circle({ daemon, vertex, onVertex }: {
  daemon: Daemon; vertex: string; onVertex: (key: string) => void;
}) {
  const jobs = daemon.jobs
    .filter((job) => job.window === daemon.window && GROUPING.includes(job.kernel))
    .map((job) => job.name);
  const [chosen, setChosen] = useState("");
  const [asked, setAsked] = useState<Asked | null>(null);
  const job = jobs.includes(chosen) ? chosen
    : jobs.includes(daemon.job) ? daemon.job : jobs[0] ?? "";
  const newest = daemon.resultsOf(job)[0]?.snapshot;
  const about = `${job} ${vertex}`;
  useEffect(() => {
    if (!job) return;
    get<Members>(path(job, vertex)).then((members) => ({ about, members, problem: "" }),
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return { about, members: null, problem: error.message };
      }).then(setAsked) // also when there is a newer result: one is shown before the next comes
      .catch(() => undefined); // no response: the banner says so
  }, [job, vertex, newest]);

  if (!job) {
    return <p class="absent">No job of the window {daemon.window} finds components or communities.
      A job with the kernel <code>wcc</code>, <code>scc</code> or <code>cdlp</code> does.</p>;
  }
  const now = asked?.about === about ? asked : null;
  return (
    <div class="circle">
      <label class="pick"><span>Sets of</span>
        <select value={job} onChange={(event) => setChosen(event.currentTarget.value)}>
          {jobs.map((name) => <option key={name}>{name}</option>)}
        </select></label>
      {now?.problem && <p class="absent" role="status">{now.problem}</p>}
      {now?.members && (
        <>
          <p class="hint">{plural(now.members.size, "member")} of the{" "}
            {now.members.community != null ? "community" : now.members.component != null
              ? "component" : "set"}{" "}
            {now.members.community ?? now.members.component ?? now.members.set}, window
            until {clock(now.members.window_end)} UTC{now.members.size > now.members.members.length
              ? `; the first ${now.members.members.length} by key` : ""}.</p>
          <div class="scroll" tabIndex={0} role="region" aria-label="Members">
            <table>
              <thead><tr>
                <th scope="col">Vertex</th><th scope="col" class="number">Edges out</th>
                <th scope="col" class="number">Edges in</th>
              </tr></thead>
              <tbody>
                {now.members.members.map((member, i) => (
                  <tr key={i} class={String(member.vertex) === vertex ? "is-chosen" : ""}>
                    <th scope="row"><VertexButton id={member.vertex} onVertex={onVertex} /></th>
                    <td class="number">{count(member.out_degree)}</td>
                    <td class="number">{count(member.in_degree)}</td>
                  </tr>))}
              </tbody>
            </table>
          </div>
        </>)}
    </div>
  );
}
