// The rank or the value of a vertex over the kept results of a job.
import { useState } from "preact/hooks";
import { clock, count, score } from "../format.ts";
import type { Standing } from "../past.ts";
import { measureIn, valueOf } from "../ranking.ts";
import { Switch } from "./switch.tsx";

const WIDTH = 600;
const HEIGHT = 132;
const SIDE = 56; // for the numbers at the left
const BELOW = 22; // the band of windows in which it has no place

const MEASURES = ["rank", "value"] as const;
type Measure = (typeof MEASURES)[number];

// Without a vector, a result that does not list the vertex cannot say whether the window had it.
function absence(standing: Standing): string {
  return standing.known ? "not in the window" : "not listed";
}

export function Past({ past, vertex, isHere }: {
  past: Standing[]; vertex: string; isHere: boolean;
}) {
  const [chosen, setChosen] = useState<Measure>("rank");
  const ranks = past.map((standing) => standing.rank ?? null);
  const values = past.map(valueOf);
  const hasRanks = ranks.some((rank) => rank != null);
  if (past.length === 0) return null;
  if (!hasRanks && values.every((value) => value == null)) {
    return <p class="hint">{isHere && past.some((standing) => !standing.known)
      ? <>None of the last {past.length} results lists {vertex}. With{" "}
        <code>keep_vectors</code> the job keeps the values of all vertices.</>
      : `None of the last ${past.length} windows has it.`}</p>;
  }
  const measure = hasRanks ? chosen : "value";
  const titles = { rank: "Rank", value: measureIn(past) };
  return (
    <figure class="past">
      {hasRanks && (
        <Switch label="What is drawn" each={MEASURES} titles={titles} chosen={chosen}
          onChoose={setChosen} />)}
      <Plot past={past} drawn={measure === "rank" ? ranks : values} isRank={measure === "rank"}
        label={describe(vertex, past, measure === "rank" ? ranks : values, titles[measure])} />
    </figure>
  );
}

function describe(
  vertex: string, past: Standing[], drawn: (number | null)[], title: string,
): string {
  const there = drawn.filter((value) => value != null);
  const best = title === "Rank" ? Math.min(...there) : Math.max(...there);
  const last = drawn.at(-1);
  return `${vertex} has a ${title.toLowerCase()} in ${count(there.length)} of the last ${
    count(past.length)} windows; ${title === "Rank" ? "best" : "greatest"} ${score(best)}, last ${
    last == null ? absence(past.at(-1)!) : score(last)}`;
}

// The best rank, or the greatest value, is on top.
function Plot({ past, drawn, isRank, label }: {
  past: Standing[]; drawn: (number | null)[]; isRank: boolean; label: string;
}) {
  const there = drawn.filter((value) => value != null);
  const [least, greatest] = [Math.min(...there), Math.max(...there)];
  const [top, bottom] = isRank ? [1, Math.max(2, greatest)] : [greatest, least];
  const step = (WIDTH - SIDE) / Math.max(past.length, 12);
  const x = (i: number) => WIDTH - (past.length - i - 0.5) * step;
  const y = (value: number) =>
    10 + (top === bottom ? 0 : (value - top) / (bottom - top)) * (HEIGHT - BELOW - 24);
  let path = "";
  drawn.forEach((value, i) => {
    if (value == null) return;
    path += `${i > 0 && drawn[i - 1] != null ? "L" : "M"}${x(i).toFixed(1)} ${
      y(value).toFixed(1)}`;
  });
  const absences = [...new Set(past.filter((_, i) => drawn[i] == null).map(absence))];
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        <rect class="below" x="0" y={HEIGHT - BELOW} width={WIDTH} height={BELOW} />
        <text x="4" y={y(top) + 3}>{score(top)}</text>
        {greatest > least && <text x="4" y={y(bottom) + 3}>{score(bottom)}</text>}
        <path d={path} />
        {past.map((standing, i) => {
          const value = drawn[i];
          return (
            <circle key={standing.snapshot} class={value == null ? "is-below" : ""} cx={x(i)}
              cy={value == null ? HEIGHT - BELOW / 2 : y(value)} r={value == null ? 2 : 3}>
              <title>{`until ${clock(standing.window_end)} UTC: ${value == null
                ? absence(standing)
                : [standing.rank != null && `rank ${standing.rank}`, score(valueOf(standing))]
                  .filter(Boolean).join(", ")}`}</title>
            </circle>);
        })}
        <text class="band" x="4" y={HEIGHT - 7}>{absences.join(" or ")}</text>
      </svg>
      <figcaption>{label}. Windows until {clock(past[0]!.window_end)} to{" "}
        {clock(past.at(-1)!.window_end)} UTC.</figcaption>
    </>
  );
}
