// A picture of pairs, cycles or paths as one graph: those that a list begins with, or the marked
// one and those behind it. It shows no more vertices than a reader can tell apart.
import { useMemo } from "preact/hooks";
import type { Result } from "../answers.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, plural } from "../format.ts";
import { capital, listOf } from "../lists.ts";
import { typesShown, type Neighbours, type Seen } from "../neighbours.ts";
import { drawn, edgesOf, linesOf, relationsOf } from "../relations.ts";
import { Graph, useLayout } from "./graph.tsx";

const ONE = { pair: "pair", features: "pair", cycle: "cycle", path: "path" } as const;

export function wordFor(result: Result): string {
  const kind = listOf(result)?.kind;
  return kind && kind in ONE ? ONE[kind as keyof typeof ONE] : "row";
}

/** The graph of the rows of `result`, and how many of them it shows. */
export function RelationGraph({ name, result, near, chosen, marked, onVertex }: {
  name: string; result: Result; near: Neighbours | null; chosen: string; marked: string;
  onVertex: (key: string) => void;
}) {
  const relations = useMemo(() => relationsOf(result), [result]);
  const shown = useMemo(() => drawn(relations, marked), [relations, marked]);
  const layout = useLayout(shown, `${result.job} ${result.window}`, true);
  const word = wordFor(result);
  const lit = useMemo(() => linesOf(relations.filter(({ id }) => id === marked)),
    [relations, marked]);
  const part = relations.filter(({ id }) => shown.relations.has(id)).length;
  return (
    <>
      <Graph name={name} layout={layout} chosen={chosen} marked={lit} weights onVertex={onVertex}
        types={typesShown(edgesOf(relations), near)}
        label={(nodes, lines) => `${plural(part, word)}: ${
          plural(nodes.length, "vertex", "vertices")} and ${plural(lines.length, "line")}`} />
      <p class="leavers">{relations.length === 0 ? `There is no ${word} to draw.`
        : part < relations.length
          ? `${count(part)} of the ${plural(relations.length, `listed ${word}`)} are drawn. The `
            + "number of a row draws that one first."
          : "The number of a row marks it."}</p>
    </>
  );
}

export function RelationPicture({ daemon, chosen, seen, marked, onVertex }: {
  daemon: Daemon; chosen: string; seen: Seen | null; marked: string;
  onVertex: (key: string) => void;
}) {
  const newest = daemon.resultsOf(daemon.job)[0];
  if (!newest) return null;
  return (
    <section class="panel picture" aria-labelledby="picture-title">
      <div class="title">
        <h2 id="picture-title">{capital(`${wordFor(newest)}s`)}</h2>
        <p class="aside">window until {clock(newest.window_end)} UTC</p>
      </div>
      <RelationGraph name="arrow" result={newest} near={seen?.neighbours ?? null} chosen={chosen}
        marked={marked} onVertex={onVertex} />
    </section>
  );
}
