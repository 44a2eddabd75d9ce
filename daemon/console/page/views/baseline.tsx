// What a result was compared with: further columns of its list, and a sentence.
import type { Result, Row } from "../answers.ts";
import { clock, plural, score } from "../format.ts";
import { ratioOf } from "../ranking.ts";
import { Movement } from "./ranking.tsx";

const HEADS: [string, string][] = [
  ["Usual", "The score in the baseline"],
  ["Ratio", "The score, divided by the usual score"],
  ["Rise", "By how many places the vertex has risen since the baseline, by score"],
  ["Surprise", "How many times its fair share the vertex has now, divided by the same of before"],
];

export function BaselineHeads() {
  return (
    <>
      {HEADS.map(([name, what]) => (
        <th key={name} scope="col" class="number" title={what}>{name}</th>))}
    </>
  );
}

export function BaselineCells({ row }: { row: Row }) {
  const ratio = ratioOf(row);
  return (
    <>
      <td class="number" data-label="Usual">{score(row.baseline_score)}</td>
      <td class="number" data-label="Ratio">{ratio == null ? "–" : `${ratio.toPrecision(3)}×`}</td>
      <td class="number" data-label="Rise"><Movement gained={row.rank_change ?? null} /></td>
      <td class="number" data-label="Surprise">{row.surprise == null
        ? "–" : row.surprise.toPrecision(3)}</td>
    </>
  );
}

export function BaselineNote({ result }: { result: Result }) {
  const { baseline } = result;
  if (!baseline) {
    return result.baseline_missing == null ? null
      : <p class="hint">Compared with nothing: {result.baseline_missing}.</p>;
  }
  return (
    <p class="hint">Compared with {plural(baseline.results, "result")} of {baseline.job} on{" "}
      {baseline.window}, until {clock(baseline.window_end)} UTC.</p>
  );
}
