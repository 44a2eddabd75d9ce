// All rows of the newest result of a job, page by page, and the list as a file.
import { useEffect, useState } from "preact/hooks";
import type { Result } from "../answers.ts";
import { getOrWhy, headers, paths, token, type Answer } from "../api.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, plural, score } from "../format.ts";
import { capital, listOf, setWord } from "../lists.ts";
import { keyOf, measureOf, valueOf } from "../ranking.ts";
import { EntryButton } from "./ranking.tsx";
import { RelationGraph, wordFor } from "./relation_picture.tsx";
import { RelationRows } from "./relation_rows.tsx";

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

interface Choosing {
  vertex: string; // these two are chosen
  set: string;
  onVertex: (key: string) => void;
  onSet: (key: string) => void;
}

export function AllRows({ daemon, ...choosing }: Choosing & { daemon: Daemon }) {
  const [open, setOpen] = useState(false);
  const newest = daemon.resultsOf(daemon.job)[0];
  const list = listOf(newest);
  return (
    <section class="panel rows" aria-labelledby="rows-title">
      <div class="title">
        <h2 id="rows-title">All rows</h2>
        <button type="button" aria-expanded={open} disabled={!open && !list}
          onClick={() => setOpen(!open)}>
          {open ? "Close" : `Show all rows of ${daemon.job}`}</button>
        {newest?.kernel !== "window" && <Downloads job={daemon.job} />}
      </div>
      {open && <Pages key={daemon.job} job={daemon.job} {...choosing} />}
    </section>
  );
}

function Pages({ job, ...choosing }: Choosing & { job: string }) {
  const [{ offset, again }, setPlace] = useState({ offset: 0, again: 0 });
  const page = usePage(job, offset, again);
  const first = page?.first ?? 0;
  const result = page?.asked.answer ?? undefined;
  const list = listOf(result);
  const listed = list?.listed ?? 0;
  const all = result?.rows ?? listed; // that the answers list
  const go = (to: number) => setPlace({ offset: to, again });
  const last = Math.min(LAST_OFFSET, Math.floor(Math.max(0, all - 1) / PAGE) * PAGE);
  useEffect(() => { // a newer result may have fewer rows
    if (list && listed === 0 && first > last) go(last);
  }, [result]);
  return (
    <>
      {page?.asked.problem && <p class="absent" role="status">{page.asked.problem}</p>}
      {result && !list && <p class="absent">The results of {job} are not one list.</p>}
      {result && list && (
        <>
          <div class="title">
            <p class="aside" role="status">{listed > 0
              ? `${count(first + 1)} to ${count(first + listed)} of ${plural(all, "row")}`
              : "No rows"}, window until {clock(result.window_end)} UTC{list.found > all
              ? `; the job lists the first ${count(all)} of ${
                plural(list.found, wordFor(result))} (top)` : ""}</p>
            <span class="actions">
              <button type="button" disabled={offset === 0} onClick={() => go(0)}>First</button>
              <button type="button" disabled={offset === 0}
                onClick={() => go(Math.max(0, offset - PAGE))}>Previous</button>
              <button type="button" disabled={offset + listed >= all || offset >= LAST_OFFSET}
                onClick={() => go(offset + PAGE)}>Next</button>
              <button type="button" disabled={offset >= last} onClick={() => go(last)}>Last</button>
              <button type="button" onClick={() => setPlace({ offset, again: again + 1 })}>
                Newest result</button>
            </span>
          </div>
          {result.top ? <Entries result={result} {...choosing} />
            : <Relations result={result} first={first} {...choosing} />}
        </>)}
    </>
  );
}

function Entries({ result, vertex, set, ...choosing }: Choosing & { result: Result }) {
  const sets = setWord(result);
  const chosen = sets ? set : vertex;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Rows of this page">
      <table>
        <thead><tr>
          <th scope="col" class="number">#</th><th scope="col">{capital(sets ?? "vertex")}</th>
          <th scope="col" class="number">{measureOf(result)}</th>
        </tr></thead>
        <tbody>
          {result.top?.map((row, i) => (
            <tr key={i} class={String(keyOf(row)) === chosen ? "is-chosen" : ""}>
              <td class="number">{count(row.rank)}</td>
              <th scope="row"><EntryButton id={keyOf(row)} sets={sets} {...choosing} /></th>
              <td class="number">{score(valueOf(row))}</td>
            </tr>))}
        </tbody>
      </table>
    </div>
  );
}

// The page stays, so its picture does.
function Relations({ result, first, vertex, onVertex }: Choosing & {
  result: Result; first: number;
}) {
  const [marked, setMarked] = useState("");
  return (
    <div class="columns even">
      <div>
        <RelationRows result={result} first={first} label="Rows of this page" marked={marked}
          onMark={setMarked} onVertex={onVertex} />
      </div>
      <div class="picture">
        <RelationGraph name="arrow-of-page" result={result} near={null} chosen={vertex}
          marked={marked} onVertex={onVertex} />
      </div>
    </div>
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
