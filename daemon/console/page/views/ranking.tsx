// What the newest result lists, and how that changed since the previous window.
import type { Key, Result } from "../answers.ts";
import { ROWS } from "../api.ts";
import { hueOf } from "../communities.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, duration, score } from "../format.ts";
import { capital, listOf, setWord, type SetWord } from "../lists.ts";
import { leavers, measureOf, moves, type Move } from "../ranking.ts";
import { BaselineCells, BaselineHeads, BaselineNote } from "./baseline.tsx";
import { RelationRows, type Mark } from "./relation_rows.tsx";

export function Movement({ gained }: { gained: Move["gained"] }) {
  if (gained === undefined) return <span class="move" />;
  if (gained === null) return <span class="move new">new</span>;
  if (gained === 0) return <span class="move same"><span class="sr">same place</span></span>;
  const up = gained > 0;
  return (
    <span class={`move ${up ? "up" : "down"}`}>
      <span aria-hidden="true">{up ? "▲" : "▼"}</span>
      <span class="sr">{up ? "up" : "down"} </span>{Math.abs(gained)}
    </span>
  );
}

export function Ranking({ daemon, chosen, marked, onMark, onVertex, onSet, onJob }: Mark & {
  daemon: Daemon; chosen: string; // the vertex, or the set
  onVertex: (key: string) => void; onSet: (key: string) => void; onJob: (job: string) => void;
}) {
  const jobs = daemon.jobs.filter((job) => job.window === daemon.window);
  const [now, before] = daemon.resultsOf(daemon.job);
  const rows = moves(now, before).slice(0, ROWS);
  const best = Math.max(0, ...rows.map((row) => row.value ?? 0));
  const gone = leavers(now, before);
  const compared = now?.baseline != null;
  const sets = setWord(now);
  const entry = { sets, onVertex, onSet };
  return (
    <section class="panel ranking" aria-labelledby="ranking-title">
      <div class="title">
        <h2 id="ranking-title">Top</h2>
        <label class="pick"><span class="sr">Job</span>
          <select value={daemon.job} onChange={(event) => onJob(event.currentTarget.value)}>
            {jobs.map((job) => <option key={job.name}>{job.name}</option>)}
          </select>
        </label>
        <p class="aside">{now
          ? `${now.kernel}, ${now.final ? "" : "live "}window until ${clock(now.window_end)} UTC`
          : "no result yet"}</p>
      </div>
      {now && !now.top
        ? <div class={listOf(now) ? "unranked with-list" : "unranked"}>
          <Figures result={now} />
          <RelationRows result={now} most={ROWS} label="List of the first" marked={marked}
            onMark={onMark} onVertex={onVertex} />
        </div>
        : (
          <div class="scroll" tabIndex={0} role="region" aria-label="List of the first">
            <table class={compared ? "compared" : ""}>
              <thead><tr>
                <th scope="col" class="number">#</th><th scope="col">Moved</th>
                <th scope="col">{capital(sets ?? "vertex")}</th>
                <th scope="col" class="number">{measureOf(now)}</th>
                {compared && <BaselineHeads />}
              </tr></thead>
              <tbody>
                {/* A row is a place, not a vertex: a moved element would lose the focus. */}
                {rows.map(({ row, key, value, gained }, i) => (
                  <tr key={i} class={String(key) === chosen ? "is-chosen" : ""}>
                    <td class="number">{row.rank}</td>
                    <td><Movement gained={gained} /></td>
                    <th scope="row"><EntryButton id={key} {...entry} /></th>
                    <td class="number with-bar">
                      <span class="share" style={{
                        "--share": best > 0 ? ((value ?? 0) / best).toFixed(4) : "0" }} />
                      <span>{score(value)}</span></td>
                    {compared && <BaselineCells row={row} />}
                  </tr>))}
                {rows.length === 0 && <tr><td colSpan={4} class="empty">{now?.error ?? (now
                  ? "Nothing is listed: the window is empty."
                  : "Waiting for the first result.")}</td></tr>}
              </tbody>
            </table>
          </div>)}
      {now?.top && <BaselineNote result={now} />}
      <p class="leavers">{gone.length > 0
        ? <><span>Left the list:</span>
          {gone.slice(0, 5).map((key, i) => (
            <EntryButton key={i} id={key} {...entry} />))}
          {gone.length > 5 ? <span>and {count(gone.length - 5)} more</span> : ""}</>
        : before?.top ? "No entry left the list." : " "}</p>
    </section>
  );
}

export function VertexButton({ id, onVertex }: { id: Key; onVertex: (key: string) => void }) {
  return (
    <button type="button" class="vertex" title={`Look up ${id}`}
      onClick={() => onVertex(String(id))}>{id}</button>);
}

/** What a row is about: a vertex, or a set, with its colour. */
export function EntryButton({ id, sets, onVertex, onSet }: {
  id: Key; sets: SetWord | null; onVertex: (key: string) => void; onSet: (key: string) => void;
}) {
  if (!sets) return <VertexButton id={id} onVertex={onVertex} />;
  return (
    <button type="button" class="vertex" title={`Members of ${sets} ${id}`}
      onClick={() => onSet(String(id))}><SetSample id={id} />{id}</button>);
}

/** The colour of a set. */
export function SetSample({ id }: { id: Key }) {
  return <span class="hue" aria-hidden="true" style={{ "--hue": hueOf(String(id)) }} />;
}

// Figures of every result, whatever its kernel; the kernel's own figures are shown between the
// first and the last of these.
const COMMON = new Set(["schema", "snapshot", "accepted", "edges", "vertices", "late", "refused",
  "iterations", "residual", "drift", "seconds", "absent_sources", "rows"]);

function figures(result: Result): [string, number][] {
  const own = Object.keys(result).filter((name) => !COMMON.has(name));
  return ["edges", "vertices", ...own, "late"]
    .map((name): [string, unknown] => [name, result[name as keyof Result]])
    .filter((figure): figure is [string, number] => typeof figure[1] === "number");
}

function Figures({ result }: { result: Result }) {
  return (
    <dl class="result">
      {figures(result).map(([name, value]) => (
        <div key={name}>
          <dt>{capital(name.replaceAll("_", " "))}</dt><dd>{score(value)}</dd>
        </div>))}
      <div><dt>Took</dt><dd>{duration(result.seconds)}</dd></div>
      {result.error && <div class="wide"><dt>Error</dt><dd class="warn">{result.error}</dd></div>}
    </dl>
  );
}
