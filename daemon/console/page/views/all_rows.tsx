// All rows of the newest result of a job, page by page, and the list as a file.
import { useEffect, useState } from "preact/hooks";
import { getOrWhy, headers, paths, token, type Answer, type Result } from "../api.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, plural, score } from "../format.ts";
import { keyOf, measureOf, valueOf } from "../ranking.ts";
import { VertexButton } from "./ranking.tsx";

const PAGE = 100;
const LAST_OFFSET = 1_000_000; // the API's greatest

interface Page { first: number; asked: Answer<Result> }

// A page shows one result, and stays until the one asked for next is there: `first` is the place
// of its first row, which is not yet that of the page asked for.
function usePage(job: string, offset: number, again: number): Page | null {
  const [page, setPage] = useState<Page | null>(null);
  useEffect(() => {
    if (!job) return;
    let current = true;
    getOrWhy<Result>(paths.rows(job, PAGE, offset)).then((asked) => {
      if (current) setPage({ first: offset, asked });
    }).catch(() => undefined); // no response: the banner says so
    return () => {
      current = false;
    };
  }, [job, offset, again]);
  return page;
}

export function AllRows({ daemon, chosen, onVertex }: {
  daemon: Daemon; chosen: string; onVertex: (key: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const newest = daemon.resultsOf(daemon.job)[0];
  return (
    <section class="panel rows" aria-labelledby="rows-title">
      <div class="title">
        <h2 id="rows-title">All rows</h2>
        <button type="button" aria-expanded={open} disabled={!open && !newest?.top}
          onClick={() => setOpen(!open)}>
          {open ? "Close" : `Show all rows of ${daemon.job}`}</button>
        <Downloads job={daemon.job} />
      </div>
      {open && <Pages key={daemon.job} job={daemon.job} chosen={chosen} onVertex={onVertex} />}
    </section>
  );
}

function Pages({ job, chosen, onVertex }: {
  job: string; chosen: string; onVertex: (key: string) => void;
}) {
  const [{ offset, again }, setPlace] = useState({ offset: 0, again: 0 });
  const page = usePage(job, offset, again);
  const first = page?.first ?? 0;
  const result = page?.asked.answer;
  const rows = result?.top ?? [];
  const all = result?.rows ?? rows.length;
  const go = (to: number) => setPlace({ offset: to, again });
  const last = Math.min(LAST_OFFSET, Math.floor(Math.max(0, all - 1) / PAGE) * PAGE);
  useEffect(() => { // a newer result may have fewer rows
    if (result?.top && rows.length === 0 && first > last) go(last);
  }, [result]);
  return (
    <>
      {page?.asked.problem && <p class="absent" role="status">{page.asked.problem}</p>}
      {result && !result.top && <p class="absent">The results of {job} are not a list of vertices
        or sets.</p>}
      {result?.top && (
        <>
          <div class="title">
            <p class="aside" role="status">{rows.length > 0
              ? `${count(first + 1)} to ${count(first + rows.length)} of ${plural(all, "row")}`
              : "No rows"}, window until {clock(result.window_end)} UTC</p>
            <span class="actions">
              <button type="button" disabled={offset === 0} onClick={() => go(0)}>First</button>
              <button type="button" disabled={offset === 0}
                onClick={() => go(Math.max(0, offset - PAGE))}>Previous</button>
              <button type="button" disabled={offset + rows.length >= all || offset >= LAST_OFFSET}
                onClick={() => go(offset + PAGE)}>Next</button>
              <button type="button" disabled={offset >= last} onClick={() => go(last)}>Last</button>
              <button type="button" onClick={() => setPlace({ offset, again: again + 1 })}>
                Newest result</button>
            </span>
          </div>
          <div class="scroll" tabIndex={0} role="region" aria-label="Rows of this page">
            <table>
              <thead><tr>
                <th scope="col" class="number">#</th><th scope="col">Vertex</th>
                <th scope="col" class="number">{measureOf(result)}</th>
              </tr></thead>
              <tbody>
                {rows.map((row, i) => (
                  <tr key={i} class={String(keyOf(row)) === chosen ? "is-chosen" : ""}>
                    <td class="number">{count(row.rank)}</td>
                    <th scope="row"><VertexButton id={keyOf(row)} onVertex={onVertex} /></th>
                    <td class="number">{score(valueOf(row))}</td>
                  </tr>))}
              </tbody>
            </table>
          </div>
        </>)}
    </>
  );
}

// A link sends no token, so with one the page asks for the list and hands it over.
function Downloads({ job }: { job: string }) {
  const [problem, setProblem] = useState("");
  const save = async (format: "csv" | "jsonl") => {
    const answer = await fetch(paths.list(job, format), { headers: headers() });
    if (!answer.ok) return setProblem(`${job}: ${answer.status} ${answer.statusText}`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `${job}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 0);
    setProblem("");
  };
  const one = (format: "csv" | "jsonl", title: string) => (
    <a href={paths.list(job, format)} download={`${job}.${format}`} onClick={(event) => {
      if (!token.get()) return;
      event.preventDefault();
      save(format).catch(() => setProblem(`${job}: the daemon does not answer.`));
    }}>{title}</a>);
  if (!job) return null;
  return (
    <p class="aside">Download {one("csv", "CSV")} or {one("jsonl", "JSON Lines")}
      {problem && <span class="warn" role="status"> {problem}</span>}</p>
  );
}
