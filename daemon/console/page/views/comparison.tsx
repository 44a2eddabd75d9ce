// Two results side by side: rank and score of each vertex in both, and the difference.
import { useEffect, useState } from "preact/hooks";
import type { Result } from "../answers.ts";
import { getOrWhy, type Answer } from "../api.ts";
import { compare, COMPARED, resultPath } from "../comparing.ts";
import type { Daemon } from "../daemon.ts";
import { clock, NOTHING, score } from "../format.ts";
import { measureOf } from "../ranking.ts";
import { Movement, VertexButton } from "./ranking.tsx";

interface Side {
  job: string;
  snapshot: number;
}

const NAMES = ["A", "B"] as const;

// A result does not change, so it is asked for once.
function useResult({ job, snapshot }: Side): Answer<Result> | null {
  const about = `${job} ${snapshot}`;
  const [loaded, setLoaded] = useState<Answer<Result> & { about: string } | null>(null);
  useEffect(() => {
    let current = true;
    getOrWhy<Result>(resultPath(job, snapshot)).then((now) => {
      if (current) setLoaded({ ...now, about });
    }).catch(() => undefined); // no response: the banner says so
    return () => {
      current = false;
    };
  }, [about]);
  return loaded?.about === about ? loaded : null;
}

export function Comparison({ daemon, onVertex }: {
  daemon: Daemon; onVertex: (key: string) => void;
}) {
  const [sides, setSides] = useState<[Side, Side] | null>(null);
  const kept = daemon.resultsOf(daemon.job).filter((result) => result.top);
  const open = () => {
    const [newest, before = newest] = kept;
    if (newest && before) {
      setSides([{ job: newest.job, snapshot: newest.snapshot },
        { job: before.job, snapshot: before.snapshot }]);
    }
  };
  return (
    <section class="panel comparison" aria-labelledby="comparison-title">
      <div class="title">
        <h2 id="comparison-title">Comparison</h2>
        <button type="button" aria-expanded={sides != null} disabled={!sides && kept.length === 0}
          onClick={() => (sides ? setSides(null) : open())}>
          {sides ? "Close" : "Compare two results"}</button>
      </div>
      {sides && <Sides daemon={daemon} sides={sides} onSides={setSides} onVertex={onVertex} />}
    </section>
  );
}

function Sides({ daemon, sides, onSides, onVertex }: {
  daemon: Daemon; sides: [Side, Side]; onSides: (sides: [Side, Side]) => void;
  onVertex: (key: string) => void;
}) {
  const [first, second] = [useResult(sides[0]), useResult(sides[1])];
  const problem = [first, second].find((loaded) => loaded?.problem)?.problem;
  return (
    <>
      <div class="columns even">
        <Choice name="A" daemon={daemon} side={sides[0]}
          onSide={(side) => onSides([side, sides[1]])} />
        <Choice name="B" daemon={daemon} side={sides[1]}
          onSide={(side) => onSides([sides[0], side])} />
      </div>
      {problem && <p class="absent" role="status">{problem}</p>}
      {first?.answer && second?.answer && (
        <Rows results={[first.answer, second.answer]} onVertex={onVertex} />)}
    </>
  );
}

// A job with lists, and one of its kept results: the slider goes from the oldest to the newest.
function Choice({ name, daemon, side, onSide }: {
  name: string; daemon: Daemon; side: Side; onSide: (side: Side) => void;
}) {
  const kept = (job: string) => daemon.resultsOf(job).filter((result) => result.top).reverse();
  const jobs = daemon.jobs.filter((job) => kept(job.name).length > 0);
  const results = kept(side.job);
  const at = results.findIndex((result) => result.snapshot === side.snapshot);
  const end = results[at]?.window_end;
  const text = end ? `window until ${clock(end)} UTC` : "older than those to choose from";
  return (
    <fieldset>
      <legend>{name}</legend>
      <label class="pick"><span>Job</span>
        <select value={side.job} onChange={(event) => {
          const job = event.currentTarget.value;
          const newest = kept(job).at(-1);
          if (newest) onSide({ job, snapshot: newest.snapshot });
        }}>
          {jobs.map((job) => <option key={job.name}>{job.name}</option>)}
        </select></label>
      <label class="slider"><span>Result</span>
        <input type="range" min="0" max={Math.max(0, results.length - 1)} value={Math.max(0, at)}
          aria-valuetext={text} onInput={(event) => {
            const one = results[Number(event.currentTarget.value)];
            if (one) onSide({ job: side.job, snapshot: one.snapshot });
          }} /></label>
      <p class="hint">{results[at]?.window}{results[at] && ", "}{text}</p>
    </fieldset>
  );
}

function Rows({ results, onVertex }: {
  results: [Result, Result]; onVertex: (key: string) => void;
}) {
  const rows = compare(...results);
  const measures = results.map(measureOf);
  const comparable = measures[0] === measures[1];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`The first ${COMPARED} of both`}>
      <table>
        <thead><tr>
          <th scope="col">Vertex</th>
          {NAMES.map((name) => <th key={name} scope="col" class="number"># {name}</th>)}
          <th scope="col" class="number" title="How many places further up in A">Rise</th>
          {NAMES.map((name, i) => (
            <th key={name} scope="col" class="number">{measures[i]} {name}</th>))}
          <th scope="col" class="number">A − B</th>
        </tr></thead>
        <tbody>
          {rows.map(({ key, ranks: [a, b], values: [x, y] }) => (
            <tr key={String(key)}>
              <th scope="row"><VertexButton id={key} onVertex={onVertex} /></th>
              <td class="number" data-label="# A">{a ?? NOTHING}</td>
              <td class="number" data-label="# B">{b ?? NOTHING}</td>
              <td class="number" data-label="Rise">{a != null && b != null
                ? <Movement gained={b - a} /> : NOTHING}</td>
              <td class="number" data-label={`${measures[0]} A`}>{score(x)}</td>
              <td class="number" data-label={`${measures[1]} B`}>{score(y)}</td>
              <td class="number" data-label="A − B">{x != null && y != null && comparable
                ? score(x - y) : NOTHING}</td>
            </tr>))}
          {rows.length === 0 && (
            <tr><td colSpan={7} class="empty">Neither result lists anything.</td></tr>)}
        </tbody>
      </table>
    </div>
  );
}
