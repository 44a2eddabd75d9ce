// A picture of the window around the first vertices of the newest result. It follows the window:
// vertices stay in place as long as they are in it.
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { Daemon } from "../daemon.ts";
import { clock, count, plural } from "../format.ts";
import { HEIGHT, Layout, WIDTH, type Line, type Node } from "../layout.ts";
import { STYLES, styleOf, typesShown, type Seen } from "../neighbours.ts";
import { TypeSample } from "./around.tsx";

const MOST_ARROWS = 60; // with more lines, only those of the chosen vertex have a head

// From rim to rim, slightly curved, so that both directions of a pair are visible.
function path(line: Line, layout: Layout): string {
  const { source, target } = line;
  const [from, to] = [layout.placeOf(source), layout.placeOf(target)];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.max(1, Math.hypot(dx, dy));
  const [ux, uy] = [dx / length, dy / length];
  const [x1, y1] = [from[0] + ux * source.radius, from[1] + uy * source.radius];
  const [x2, y2] = [to[0] - ux * (target.radius + 3), to[1] - uy * (target.radius + 3)];
  const bend = length * 0.08;
  const [cx, cy] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
  const point = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return `M${point(x1, y1)}Q${point(cx, cy)} ${point(x2, y2)}`;
}

export function Picture({ daemon, chosen, seen, onVertex }: {
  daemon: Daemon; chosen: string; seen: Seen | null; onVertex: (key: string) => void;
}) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const layout = useRef<Layout | null>(null);
  const picture = daemon.picture;
  useEffect(() => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    layout.current = new Layout(() => redraw(0), calm);
    return () => layout.current?.stop();
  }, [picture?.job, picture?.window]);
  useEffect(() => {
    if (picture) layout.current?.show(picture);
  }, [picture]);

  const nodes = picture ? layout.current?.nodes ?? [] : [];
  const lines = picture ? layout.current?.lines ?? [] : [];
  const top = nodes.filter((node) => node.place != null);
  const others = nodes.filter((node) => node.place == null);
  const draw = (node: Node) => (
    <Vertex key={node.id} node={node} place={layout.current!.placeOf(node)}
      chosen={node.id === chosen} onVertex={onVertex} />);
  const isNear = (line: Line) => line.source.id === chosen || line.target.id === chosen;
  const types = typesShown(picture, seen?.neighbours ?? null);
  const classOf = (line: Line) => [isNear(line) ? "is-near" : "",
    line.types.length > 0 ? `type-${styleOf(line.types[0]!, types)}` : ""].join(" ").trim();
  const drawLine = (line: Line) => (
    <path key={line.id} d={path(line, layout.current!)} class={classOf(line)}
      stroke-width={line.width}
      marker-end={isNear(line) || lines.length <= MOST_ARROWS ? "url(#arrow)" : undefined} />);
  const newest = daemon.resultsOf(daemon.job)[0];
  return (
    <section class="panel picture" aria-labelledby="picture-title">
      <div class="title">
        <h2 id="picture-title">Neighbourhood</h2>
        <p class="aside">{picture
          ? `the first ${top.length}, their nearest, window until ${clock(picture.window_end)} UTC`
          : newest && !newest.top ? `${newest.kernel} lists no vertices` : "no result yet"}</p>
      </div>
      <div class="drawing">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group"
          aria-label={`${plural(nodes.length, "vertex", "vertices")} and ${
            plural(lines.length, "pair")} with edges around the first ${top.length}`}>
          <defs>
            <marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" markerHeight="5"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L6 3L0 6z" /></marker>
          </defs>
          <g class="lines" aria-hidden="true">
            {lines.filter((line) => !isNear(line)).map(drawLine)}
            {lines.filter(isNear).map(drawLine)}
          </g>
          <g>{others.map(draw)}</g>
          <g>{top.map(draw)}</g>
        </svg>
        <TypeLegend types={types} />
      </div>
      <p class="leavers">{picture && !picture.whole
        ? "Of the vertices with most edges, a part of these was looked at."
        : "Size is the number of edges; the number is the rank."}</p>
    </section>
  );
}

// Line styles of the types of edges; a pair with several types has that of the first.
function TypeLegend({ types }: { types: string[] }) {
  if (types.length === 0) return null;
  const named = types.length > STYLES ? types.slice(0, STYLES - 1) : types;
  return (
    <ul class="types" aria-label="Types of edges">
      {named.map((type, i) => <li key={type}><TypeSample style={i} /> {type}</li>)}
      {types.length > named.length && <li><TypeSample style={STYLES - 1} /> other types</li>}
    </ul>
  );
}

function Vertex({ node, place: [x, y], chosen, onVertex }: {
  node: Node; place: [number, number]; chosen: boolean; onVertex: (key: string) => void;
}) {
  const isTop = node.place != null;
  const label = `${node.id}${isTop ? `, rank ${node.place}` : ""}, ${plural(node.degree, "edge")}`;
  const act = () => onVertex(node.id);
  // SVG attributes keep their exact spelling: tabIndex would be a different attribute.
  const focus = isTop ? { tabindex: 0, role: "button" as const } : { "aria-hidden": true as const };
  return (
    <g class={`node ${isTop ? "is-top" : ""} ${chosen ? "is-chosen" : ""} ${
      node.isNew ? "is-new" : ""}`}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`} aria-label={label}
      {...focus} onClick={act} onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        act();
      }}>
      <title>{`${node.id}: ${count(node.degree)} edges`}</title>
      <circle r={node.radius} />
      {isTop && <text class="rank" dy="0.35em">{node.place}</text>}
      {(isTop || chosen) && (
        <text class="name" y={node.radius + 11}>{
          node.id.length > 18 ? `${node.id.slice(0, 17)}…` : node.id}</text>)}
    </g>
  );
}
