// What the newest result lists, and how that changed since the previous window.
import { ROWS, type Features, type Key, type Pair, type Result } from "../api.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, duration, score } from "../format.ts";
import { leavers, measureOf, moves, type Move } from "../ranking.ts";
import { BaselineCells, BaselineHeads, BaselineNote } from "./baseline.tsx";

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

export function Ranking({ daemon, chosen, onVertex, onJob }: {
  daemon: Daemon; chosen: string; onVertex: (key: string) => void; onJob: (job: string) => void;
}) {
  const jobs = daemon.jobs.filter((job) => job.window === daemon.window);
  const [now, before] = daemon.resultsOf(daemon.job);
  const rows = moves(now, before).slice(0, ROWS);
  const best = Math.max(0, ...rows.map((row) => row.value ?? 0));
  const gone = leavers(now, before);
  const compared = now?.baseline != null;
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
        ? <div class="unranked">
          <Figures result={now} />
          {now.top_edges && (
            <Pairs pairs={now.top_edges.slice(0, ROWS)} all={now.pairs ?? 0}
              onVertex={onVertex} />)}
          {now.top_features && (
            <FeaturesTable pairs={now.top_features.slice(0, ROWS)} all={now.entered ?? 0}
              onVertex={onVertex} />)}
          {now.top_cycles && (
            <Routes one="cycle" all={now.cycles ?? 0} onVertex={onVertex}
              routes={now.top_cycles.slice(0, ROWS).map(
                ({ vertices }) => [...vertices, ...vertices.slice(0, 1)])} />)}
          {now.top_paths && (
            <Routes one="path" all={now.reached ?? 0} onVertex={onVertex}
              routes={now.top_paths.slice(0, ROWS).map(({ vertices }) => vertices)} />)}
        </div>
        : (
          <div class="scroll" tabIndex={0} role="region" aria-label="List of the first">
            <table class={compared ? "compared" : ""}>
              <thead><tr>
                <th scope="col" class="number">#</th><th scope="col">Moved</th>
                <th scope="col">Vertex</th><th scope="col" class="number">{measureOf(now)}</th>
                {compared && <BaselineHeads />}
              </tr></thead>
              <tbody>
                {/* A row is a place, not a vertex: a moved element would lose the focus. */}
                {rows.map(({ row, key, value, gained }, i) => (
                  <tr key={i} class={String(key) === chosen ? "is-chosen" : ""}>
                    <td class="number">{row.rank}</td>
                    <td><Movement gained={gained} /></td>
                    <th scope="row"><VertexButton id={key} onVertex={onVertex} /></th>
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
            <VertexButton key={i} id={key} onVertex={onVertex} />))}
          {gone.length > 5 ? <span>and {count(gone.length - 5)} more</span> : ""}</>
        : before ? "No entry left the list." : " "}</p>
    </section>
  );
}

export function VertexButton({ id, onVertex }: { id: Key; onVertex: (key: string) => void }) {
  return (
    <button type="button" class="vertex" title={`Look up ${id}`}
      onClick={() => onVertex(String(id))}>{id}</button>);
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

function title(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

function Pairs({ pairs, all, onVertex }: {
  pairs: Pair[]; all: number; onVertex: (key: string) => void;
}) {
  if (pairs.length === 0) return <p class="empty">No pair is listed.</p>;
  const hasTypes = pairs.some((pair) => pair.types);
  const hasScores = pairs.some((pair) => pair.score != null);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Pairs">
      <table>
        <thead><tr>
          <th scope="col">From</th><th scope="col">To</th>
          {hasTypes && <th scope="col">Types</th>}
          {hasScores && <th scope="col" class="number">Score</th>}
        </tr></thead>
        <tbody>
          {pairs.map(({ source, target, types, score: value }, i) => (
            <tr key={i}>
              <td><VertexButton id={source} onVertex={onVertex} /></td>
              <td><VertexButton id={target} onVertex={onVertex} /></td>
              {hasTypes && <td>{types?.join(", ")}</td>}
              {hasScores && <td class="number">{score(value)}</td>}
            </tr>))}
          {all > pairs.length
            && <tr><td colSpan={3} class="empty">and {count(all - pairs.length)} more</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

function FeaturesTable({ pairs, all, onVertex }: {
  pairs: Features[]; all: number; onVertex: (key: string) => void;
}) {
  if (pairs.length === 0) return <p class="empty">No pair is listed.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Pairs that entered">
      <table>
        <thead><tr>
          <th scope="col">From</th><th scope="col">To</th>
          <th scope="col" class="number">Weight</th>
          <th scope="col" class="number">Fan out</th><th scope="col" class="number">Fan in</th>
          <th scope="col" class="number">Cycles</th>
          <th scope="col" class="number">Between</th>
        </tr></thead>
        <tbody>
          {pairs.map((pair, i) => (
            <tr key={i}>
              <td><VertexButton id={pair.source} onVertex={onVertex} /></td>
              <td><VertexButton id={pair.target} onVertex={onVertex} /></td>
              <td class="number">{score(pair.weight)}</td>
              <td class="number">{count(pair.source_out_fan)}</td>
              <td class="number">{count(pair.target_in_fan)}</td>
              <td class="number">{cyclesOf(pair)}</td>
              <td class="number">{pair.intermediates ?? "?"}</td>
            </tr>))}
          {all > pairs.length
            && <tr><td colSpan={7} class="empty">and {count(all - pairs.length)} more</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

// Of any length; not counted when the steps were used up.
function cyclesOf(pair: Features): string {
  const counts = Object.entries(pair).filter(([name]) => name.startsWith("cycles_"))
    .map(([, value]) => value as number | null);
  return counts.includes(null) ? "?" : count(counts.reduce<number>((a, b) => a + (b ?? 0), 0));
}

// Each route as its vertices: an edge leads from each to the next.
function Routes({ routes, one, all, onVertex }: {
  routes: Key[][]; one: string; all: number; onVertex: (key: string) => void;
}) {
  if (routes.length === 0) return <p class="empty">No {one} is listed.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={title(`${one}s`)}>
      <table>
        <thead><tr>
          <th scope="col" class="number">Edges</th><th scope="col">Vertices, in order</th>
        </tr></thead>
        <tbody>
          {routes.map((vertices, i) => (
            <tr key={i}>
              <td class="number">{vertices.length - 1}</td>
              <td>{vertices.map((vertex, place) => (
                <span key={place}>{place > 0 && <span aria-hidden="true"> → </span>}
                  <VertexButton id={vertex} onVertex={onVertex} /></span>))}</td>
            </tr>))}
          {all > routes.length
            && <tr><td colSpan={2} class="empty">and {count(all - routes.length)} more</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

function Figures({ result }: { result: Result }) {
  return (
    <dl class="result">
      {figures(result).map(([name, value]) => (
        <div key={name}><dt>{title(name)}</dt><dd>{score(value)}</dd></div>))}
      <div><dt>Took</dt><dd>{duration(result.seconds)}</dd></div>
      {result.error && <div class="wide"><dt>Error</dt><dd class="warn">{result.error}</dd></div>}
    </dl>
  );
}
