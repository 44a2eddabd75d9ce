// The circle of a vertex: the members of its component or community, as a job of the window has it.
import { useEffect, useState } from "preact/hooks";
import { API, getOrWhy, type Answer, type Key } from "../api.ts";
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

interface Asked extends Answer<Members> {
  about: string; // the job and the vertex
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
    getOrWhy<Members>(path(job, vertex))
      .then((now) => setAsked({ about, ...now })) // also of a result that is not the newest now
      .catch(() => undefined); // no response: the banner says so
  }, [job, vertex, newest]);

  if (!job) {
    return <p class="absent">No job of the window {daemon.window} finds components or communities.
      A job with the kernel <code>wcc</code>, <code>scc</code> or <code>cdlp</code> does.</p>;
  }
  const now = asked?.about === about ? asked : null;
  const circle = now?.answer;
  return (
    <div class="circle">
      <label class="pick"><span>Sets of</span>
        <select value={job} onChange={(event) => setChosen(event.currentTarget.value)}>
          {jobs.map((name) => <option key={name}>{name}</option>)}
        </select></label>
      {now?.problem && <p class="absent" role="status">{now.problem}</p>}
      {circle && (
        <>
          <p class="hint">{plural(circle.size, "member")} of the{" "}
            {circle.community != null ? "community" : circle.component != null
              ? "component" : "set"}{" "}
            {circle.community ?? circle.component ?? circle.set}, window
            until {clock(circle.window_end)} UTC{circle.size > circle.members.length
              ? `; the first ${circle.members.length} by key` : ""}.</p>
          <div class="scroll" tabIndex={0} role="region" aria-label="Members">
            <table>
              <thead><tr>
                <th scope="col">Vertex</th><th scope="col" class="number">Edges out</th>
                <th scope="col" class="number">Edges in</th>
              </tr></thead>
              <tbody>
                {circle.members.map((member, i) => (
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
