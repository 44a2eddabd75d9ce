// The members of a set, page by page: the table that the circle of a vertex and the panel of a
// chosen set share, and that panel.
import type { Daemon } from "../daemon.ts";
import { clock, count, plural } from "../format.ts";
import { setWord } from "../lists.ts";
import { useMembers, type Whose } from "../members.ts";
import { SetSample, VertexButton } from "./ranking.tsx";

export function MembersTable({ job, whose, newest, chosen, onVertex }: {
  job: string; whose: Whose; newest: number | undefined; chosen: string;
  onVertex: (key: string) => void;
}) {
  const page = useMembers(job, whose, newest);
  const set = page.asked?.answer;
  if (page.asked?.problem) return <p class="absent" role="status">{page.asked.problem}</p>;
  if (!set) return null;
  const name = set.community ?? set.component ?? set.set ?? "";
  const word = set.community != null ? "community" : set.component != null ? "component" : "set";
  const isPart = set.size > set.members.length;
  return (
    <>
      <div class="title">
        <p class="hint" role="status">{plural(set.size, "member")} of the {word}{" "}
          <SetSample id={name} />{name}, window until {clock(set.window_end)} UTC{isPart
          ? `; ${count(page.first + 1)} to ${count(page.first + set.members.length)} by key` : ""}.
        </p>
        {(isPart || page.first > 0) && (
          <span class="actions">
            <button type="button" disabled={page.first === 0} onClick={page.previous}>
              Previous members</button>
            <button type="button" disabled={!page.hasNext} onClick={page.next}>
              Next members</button>
          </span>)}
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Members">
        <table>
          <thead><tr>
            <th scope="col">Vertex</th><th scope="col" class="number">Edges out</th>
            <th scope="col" class="number">Edges in</th>
          </tr></thead>
          <tbody>
            {set.members.map((member, i) => (
              <tr key={i} class={String(member.vertex) === chosen ? "is-chosen" : ""}>
                <th scope="row"><VertexButton id={member.vertex} onVertex={onVertex} /></th>
                <td class="number">{count(member.out_degree)}</td>
                <td class="number">{count(member.in_degree)}</td>
              </tr>))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The set that the reader has chosen in the list or the picture of a job with sets. */
export function ChosenSet({ daemon, set, vertex, onSet, onVertex }: {
  daemon: Daemon; set: string; vertex: string; onSet: (key: string) => void;
  onVertex: (key: string) => void;
}) {
  const newest = daemon.resultsOf(daemon.job)[0];
  const word = setWord(newest);
  if (!set || !newest || !word) return null;
  return (
    <section class="panel members" aria-labelledby="members-title">
      <div class="title">
        <h2 id="members-title">Members of {word} {set}</h2>
        <button type="button" onClick={() => onSet("")}>Close</button>
      </div>
      <MembersTable job={daemon.job} whose={{ set }} newest={newest.snapshot} chosen={vertex}
        onVertex={onVertex} />
    </section>
  );
}
