// The rows of results that relate vertices: tables of pairs, of their features, of cycles and of
// paths. The number of a row marks it: its picture begins with it.
import type { ComponentChildren } from "preact";
import type { Features, Key, Pair, Result } from "../answers.ts";
import { count, score } from "../format.ts";
import { relationsOf, type Relation } from "../relations.ts";
import { VertexButton } from "./ranking.tsx";

/** Which row is marked, by its relation; empty: none. */
export interface Mark {
  marked: string;
  onMark: (relation: string) => void;
}

interface Rows extends Mark {
  result: Result;
  most?: number; // rows; otherwise all of the answer
  first?: number; // the place of the first of them, from 0
  label: string; // of the table
  onVertex: (key: string) => void;
}

/** The table of a result with relations. */
export function RelationRows({ result, most, first = 0, label, marked, onMark, onVertex }: Rows) {
  const numbers = relationsOf(result).slice(0, most).map((relation, i) => (
    <RowNumber key={i} place={first + i + 1} relation={relation} marked={marked}
      onMark={onMark} />));
  const shared = { numbers, label, onVertex };
  return (
    <>
      {result.top_edges && <Pairs pairs={result.top_edges.slice(0, most)} {...shared} />}
      {result.top_features && (
        <FeaturesTable pairs={result.top_features.slice(0, most)} {...shared} />)}
      {result.top_cycles && (
        <Routes one="cycle" weight="Least weight" {...shared}
          routes={result.top_cycles.slice(0, most).map(({ vertices, weight }) => (
            { vertices: [...vertices, ...vertices.slice(0, 1)], weight }))} />)}
      {result.top_paths && (
        <Routes one="path" weight="Weight" routes={result.top_paths.slice(0, most)} {...shared} />)}
    </>
  );
}

function RowNumber({ place, relation: { id }, marked, onMark }: Mark & {
  place: number; relation: Relation;
}) {
  return (
    <th scope="row" class="number">
      <button type="button" class="place" aria-pressed={id === marked} title="Draw it first"
        onClick={() => onMark(id === marked ? "" : id)}>{count(place)}</button>
    </th>);
}

interface Shared {
  label: string;
  numbers: ComponentChildren[];
  onVertex: (key: string) => void;
}

function Table({ name, label, cards = false, columns, children }: {
  name: string; label: string; cards?: boolean; columns: ComponentChildren;
  children: ComponentChildren[];
}) {
  if (children.length === 0) return <p class="empty">No {name} is listed.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={cards ? "cards" : ""}>
        <thead><tr><th scope="col" class="number">#</th>{columns}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Pairs({ pairs, numbers, label, onVertex }: Shared & { pairs: Pair[] }) {
  const has = (name: keyof Pair) => pairs.some((pair) => pair[name] != null);
  const [hasTypes, hasEdges, hasWeights, hasScores] =
    [has("types"), has("edges"), has("weight"), has("score")];
  return (
    <Table name="pair" label={label} columns={<>
      <th scope="col">From</th><th scope="col">To</th>
      {hasTypes && <th scope="col">Types</th>}
      {hasEdges && <th scope="col" class="number">Edges</th>}
      {hasWeights && <th scope="col" class="number">Weight</th>}
      {hasScores && <th scope="col" class="number">Score</th>}
    </>}>
      {pairs.map(({ source, target, types, edges, weight, score: value }, i) => (
        <tr key={i}>
          {numbers[i]}
          <td><VertexButton id={source} onVertex={onVertex} /></td>
          <td><VertexButton id={target} onVertex={onVertex} /></td>
          {hasTypes && <td>{types?.join(", ")}</td>}
          {hasEdges && <td class="number">{count(edges)}</td>}
          {hasWeights && <td class="number">{score(weight)}</td>}
          {hasScores && <td class="number">{score(value)}</td>}
        </tr>))}
    </Table>
  );
}

function FeaturesTable({ pairs, numbers, label, onVertex }: Shared & { pairs: Features[] }) {
  return (
    <Table name="pair" label={label} cards columns={<>
      <th scope="col">From</th><th scope="col">To</th>
      <th scope="col" class="number">Weight</th>
      <th scope="col" class="number">Fan out</th><th scope="col" class="number">Fan in</th>
      <th scope="col" class="number">Cycles</th>
      <th scope="col" class="number">Between</th>
    </>}>
      {pairs.map((pair, i) => (
        <tr key={i}>
          {numbers[i]}
          <td data-label="From"><VertexButton id={pair.source} onVertex={onVertex} /></td>
          <td data-label="To"><VertexButton id={pair.target} onVertex={onVertex} /></td>
          <td class="number" data-label="Weight">{score(pair.weight)}</td>
          <td class="number" data-label="Fan out">{count(pair.source_out_fan)}</td>
          <td class="number" data-label="Fan in">{count(pair.target_in_fan)}</td>
          <td class="number" data-label="Cycles">{cyclesOf(pair)}</td>
          <td class="number" data-label="Between">{pair.intermediates ?? "?"}</td>
        </tr>))}
    </Table>
  );
}

// The number of cycles of all lengths; a question mark when the steps were used up.
function cyclesOf(pair: Features): string {
  const counts = Object.entries(pair).filter(([name]) => name.startsWith("cycles_"))
    .map(([, value]) => value as number | null);
  return counts.includes(null) ? "?" : count(counts.reduce<number>((a, b) => a + (b ?? 0), 0));
}

// Each route as its vertices: an edge leads from each to the next.
function Routes({ routes, one, weight: measure, numbers, label, onVertex }: Shared & {
  routes: { vertices: Key[]; weight: number | null }[]; one: string; weight: string;
}) {
  return (
    <Table name={one} label={label} columns={<>
      <th scope="col" class="number">Edges</th><th scope="col" class="number">{measure}</th>
      <th scope="col">Vertices, in order</th>
    </>}>
      {routes.map(({ vertices, weight }, i) => (
        <tr key={i}>
          {numbers[i]}
          <td class="number">{vertices.length - 1}</td>
          <td class="number">{score(weight)}</td>
          <td>{vertices.map((vertex, place) => (
            <span key={place}>{place > 0 && <span aria-hidden="true"> → </span>}
              <VertexButton id={vertex} onVertex={onVertex} /></span>))}</td>
        </tr>))}
    </Table>
  );
}
