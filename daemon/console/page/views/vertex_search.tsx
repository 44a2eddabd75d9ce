// One vertex: its row in the newest result, and its past in the kept results.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Daemon } from "../daemon.ts";
import { useFound } from "../found.ts";
import { count, NOTHING, score } from "../format.ts";
import { useKeys } from "../keys.ts";
import { usePast } from "../past.ts";
import { keyOf, measureIn, valueOf } from "../ranking.ts";
import { Past } from "./past.tsx";

export function VertexSearch({ daemon, input, vertex, onVertex }: {
  daemon: Daemon; input: RefObject<HTMLInputElement>; vertex: string;
  onVertex: (key: string) => void;
}) {
  const [text, setText] = useState(vertex);
  const newest = daemon.resultsOf(daemon.job)[0];
  const found = useFound(daemon.window, newest?.top ? daemon.job : "", vertex,
    `${newest?.snapshot} ${newest?.window_end}`);
  const past = usePast(newest?.top ? daemon.job : "", vertex, newest?.snapshot);
  const keys = useKeys(daemon.window, text);
  useEffect(() => setText(vertex), [vertex]);

  const now = found?.now ? [found.now] : [];
  const listed = (newest?.top ?? []).map((row) => String(keyOf(row)));
  const offered = keys.length > 0 ? keys : listed;
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
          {offered.map((key) => <option key={key} value={key} />)}
        </datalist>
        <button type="submit">Look up</button>
      </form>
      {vertex
        ? <>
          <dl class="standing" aria-live="polite">
            <div><dt>Rank now</dt>
              <dd>{found?.now?.rank != null ? count(found.now.rank) : NOTHING}</dd></div>
            <div><dt>{measureIn(now)}</dt><dd>{score(now[0] && valueOf(now[0]))}</dd></div>
            <div><dt>Edges out</dt><dd>{count(found?.degrees?.out_degree)}</dd></div>
            <div><dt>Edges in</dt><dd>{count(found?.degrees?.in_degree)}</dd></div>
          </dl>
          {found && !found.degrees
            && <p class="absent">{vertex} is not in the window {daemon.window} now.</p>}
          {past && found && (
            <Past past={past} vertex={vertex} isHere={found.degrees != null} />)}
        </>
        : <p class="hint">Press <kbd>/</kbd>, or choose a vertex in the list or in the picture:
          its ranks and scores in the last windows are shown here.</p>}
    </section>
  );
}
