// One vertex: its row in the newest result, and its ranks in the last windows.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get, paths, Refusal, type JobVertex, type WindowVertex } from "../api.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, NOTHING, score } from "../format.ts";
import { keyOf, standings, type Standing } from "../ranking.ts";

interface Found {
  key: string;
  now: JobVertex | null; // null: the job does not list it
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

export function VertexSearch({ daemon, input, vertex, onVertex }: {
  daemon: Daemon; input: RefObject<HTMLInputElement>; vertex: string;
  onVertex: (key: string) => void;
}) {
  const [text, setText] = useState(vertex);
  const [found, setFound] = useState<Found | null>(null);
  const results = daemon.resultsOf(daemon.job);
  const newest = results[0];
  useEffect(() => setText(vertex), [vertex]);
  useEffect(() => {
    let current = true;
    if (!vertex || !daemon.job) {
      setFound(null);
      return;
    }
    const ask = async () => {
      const degrees = await orNull<WindowVertex>(paths.windowVertex(daemon.window, vertex));
      const now = degrees && newest?.top
        ? await orNull<JobVertex>(paths.jobVertex(daemon.job, vertex)) : null;
      if (current) setFound({ key: vertex, now, degrees });
    };
    ask().catch(() => undefined); // no response: the banner says so
    return () => {
      current = false;
    };
  }, [vertex, daemon.job, daemon.window, newest?.snapshot, newest?.window_end]);

  const listed = newest?.top?.length ?? 0;
  const past = vertex && newest?.top
    ? standings(results.filter((result) => result.top), vertex) : [];
  return (
    <section class="panel search" aria-labelledby="search-title">
      <div class="title"><h2 id="search-title">Vertex</h2>
        <p class="aside">{daemon.job && `as ${daemon.job} sees it`}</p></div>
      <form role="search" onSubmit={(event) => {
        event.preventDefault();
        onVertex(text.trim());
      }}>
        <label><span class="sr">Key of a vertex</span>
          <input ref={input} type="search" value={text} list="listed-keys" autocomplete="off"
            spellcheck={false} placeholder="Key of a vertex"
            onInput={(event) => setText(event.currentTarget.value)} /></label>
        <datalist id="listed-keys">
          {(newest?.top ?? []).map((row) => (
            <option key={String(keyOf(row))} value={String(keyOf(row))} />))}
        </datalist>
        <button type="submit">Look up</button>
      </form>
      {vertex
        ? <>
          <dl class="standing" aria-live="polite">
            <div><dt>Rank now</dt>
              <dd>{found?.now?.rank != null ? count(found.now.rank) : NOTHING}</dd></div>
            <div><dt>{found?.now?.depth != null ? "Depth" : "Score"}</dt>
              <dd>{score(found?.now?.score ?? found?.now?.depth ?? found?.now?.distance
                ?? found?.now?.size)}</dd></div>
            <div><dt>Edges out</dt><dd>{count(found?.degrees?.out_degree)}</dd></div>
            <div><dt>Edges in</dt><dd>{count(found?.degrees?.in_degree)}</dd></div>
          </dl>
          {found && !found.degrees
            && <p class="absent">{found.key} is not in the window {daemon.window} now.</p>}
          {found?.key === vertex && (
            <Past past={past} listed={listed} vertex={vertex} isHere={found.degrees != null} />)}
        </>
        : <p class="hint">Press <kbd>/</kbd>, or choose a vertex in the list or in the picture:
          its rank over the last windows is shown here.</p>}
    </section>
  );
}

const WIDTH = 600;
const HEIGHT = 132;
const SIDE = 26; // for the ranks at the left
const BELOW = 22; // the band of windows that do not list it

// For a window that does not list the vertex it is unknown whether the vertex was below the list or
// not in the window. It is known only for the newest window.
function Past({ past, listed, vertex, isHere }: {
  past: Standing[]; listed: number; vertex: string; isHere: boolean;
}) {
  if (past.length === 0) return null;
  const ranked = past.filter((standing) => standing.rank != null);
  const unlisted = `not among the first ${listed}`;
  const last = past.at(-1)!.rank ?? (isHere ? `below the first ${listed}` : "not in the window");
  if (ranked.length === 0 && !isHere) {
    return <p class="hint">None of the last {past.length} windows listed it.</p>;
  }
  const lowest = Math.max(2, ...ranked.map((standing) => standing.rank!));
  const step = (WIDTH - SIDE) / Math.max(past.length, 12);
  const x = (i: number) => WIDTH - (past.length - i - 0.5) * step;
  const y = (rank: number) => 10 + ((rank - 1) / (lowest - 1)) * (HEIGHT - BELOW - 24);
  const best = Math.min(...ranked.map((standing) => standing.rank!));
  const label = ranked.length > 0
    ? `${vertex} was listed in ${ranked.length} of the last ${past.length} windows; best rank ${
      best}, last ${last}`
    : `${vertex} is below the first ${listed}, and was ${unlisted} in the last ${
      past.length} windows`;
  let path = "";
  past.forEach((standing, i) => {
    if (standing.rank == null) return;
    const joined = i > 0 && past[i - 1]!.rank != null;
    path += `${joined ? "L" : "M"}${x(i).toFixed(1)} ${y(standing.rank).toFixed(1)}`;
  });
  return (
    <figure class="past">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <rect class="below" x="0" y={HEIGHT - BELOW} width={WIDTH} height={BELOW} />
        <text x="4" y={y(1) + 3}>1</text>
        {lowest > 2 && <text x="4" y={y(lowest) + 3}>{lowest}</text>}
        <path d={path} />
        {past.map((standing, i) => (
          <circle key={standing.result.window_end + standing.result.snapshot}
            class={standing.rank == null ? "is-below" : ""} cx={x(i)}
            cy={standing.rank == null ? HEIGHT - BELOW / 2 : y(standing.rank)}
            r={standing.rank == null ? 2 : 3}>
            <title>{`until ${clock(standing.result.window_end)} UTC: ${standing.rank == null
              ? unlisted : `rank ${standing.rank}, ${score(standing.value)}`}`}</title>
          </circle>))}
        <text class="band" x="4" y={HEIGHT - 7}>{unlisted}</text>
      </svg>
      <figcaption>{label}. Windows
        until {clock(past[0]!.result.window_end)} to {clock(past.at(-1)!.result.window_end)}{" "}
        UTC.</figcaption>
    </figure>
  );
}
