// What is around the chosen vertex: its neighbours (published or live), the set it is in, and the
// latest alerts about it.
import type { FiredAlert } from "../alerts.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, plural, score } from "../format.ts";
import { NEIGHBOURS, styleOf, typesShown, type Neighbour, type Seen, type View,
} from "../neighbours.ts";
import { edgesOf, relationsOf } from "../relations.ts";
import { Messages } from "./alerts.tsx";
import { Circle } from "./circle.tsx";
import { VertexButton } from "./ranking.tsx";
import { Switch } from "./switch.tsx";

/** The parts of the panel; one is shown. */
export const PARTS = ["neighbours", "circle", "alerts"] as const;
export type Part = (typeof PARTS)[number];
const TITLES: Record<Part, string> = {
  neighbours: "Neighbours", circle: "Circle", alerts: "Alerts",
};

export function TypeSample({ style }: { style: number }) {
  return (
    <svg class="sample" viewBox="0 0 22 8" width="22" height="8" aria-hidden="true">
      <path class={`type-${style}`} d="M1 4H21" />
    </svg>
  );
}

export function Around({ daemon, vertex, seen, view, part, onView, onPart, onVertex, onAlert }: {
  daemon: Daemon; vertex: string; seen: Seen | null; view: View; part: Part;
  onView: (view: View) => void; onPart: (part: Part) => void; onVertex: (key: string) => void;
  onAlert: (fired: FiredAlert, key: string) => void;
}) {
  if (!vertex) return null;
  return (
    <section class="panel around" aria-labelledby="around-title">
      <div class="title">
        <h2 id="around-title">Around {vertex}</h2>
        <Switch label="What is shown" each={PARTS} titles={TITLES} chosen={part}
          onChoose={onPart} />
      </div>
      {part === "neighbours" && (
        <NeighbourLists daemon={daemon} seen={seen} view={view} onView={onView}
          onVertex={onVertex} />)}
      {part === "circle" && <Circle daemon={daemon} vertex={vertex} onVertex={onVertex} />}
      {part === "alerts" && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Alerts about this vertex">
          <Messages messages={daemon.book.about(vertex)}
            empty={`None of the latest alerts is about ${vertex}.`} onVertex={onAlert} />
        </div>)}
    </section>
  );
}

function NeighbourLists({ daemon, seen, view, onView, onVertex }: {
  daemon: Daemon; seen: Seen | null; view: View; onView: (view: View) => void;
  onVertex: (key: string) => void;
}) {
  const window = daemon.windows.find((each) => each.name === daemon.window);
  const now = seen?.neighbours;
  const end = view === "live" ? now?.window_end : window?.window_end;
  const behind = now?.behind?.length ?? 0;
  // As in the picture above.
  const drawn = daemon.picture ?? edgesOf(relationsOf(daemon.resultsOf(daemon.job)[0]));
  const types = typesShown(drawn, now ?? null);
  const hasTypes = [...now?.out ?? [], ...now?.in ?? []].some((edge) => edge.type != null);
  const shownTypes = hasTypes ? types : [];
  return (
    <>
      <div class="title">
        <Switch label="Which window" each={["published", "live"]} chosen={view} onChoose={onView}
          titles={{ published: "Published", live: "Live" }} />
        <p class="aside">{now && `${daemon.window} until ${clock(end)} UTC${view === "live"
          ? ", with every event so far, asked again each second" : ""}`}</p>
      </div>
      {seen && !seen.isLive && (
        <p class="absent" role="status">
          The window {daemon.window} has no live view. It shows what the newest advance published.
          To see each event at once, set <code>live: true</code> at this window in the
          configuration.</p>)}
      {seen?.isLive && seen.problem && <p class="absent" role="status">{seen.problem}</p>}
      {behind > 0 && <p class="absent">{plural(behind, "partition")} of the source{" "}
        {behind === 1 ? "is" : "are"} behind this window: none of its events is shown.</p>}
      {now && (
        <div class="columns even">
          <Direction title="Out" degree={now.out_degree} list={now.out} types={shownTypes}
            onVertex={onVertex} />
          <Direction title="In" degree={now.in_degree} list={now.in} types={shownTypes}
            onVertex={onVertex} />
        </div>)}
    </>
  );
}

function Direction({ title, degree, list, types, onVertex }: {
  title: string; degree: number; list: Neighbour[]; types: string[];
  onVertex: (key: string) => void;
}) {
  return (
    <div>
      <h3>{title} <span class="degree" data-degree={title.toLowerCase()}>{count(degree)}</span>
        {degree > list.length && <small> the first {NEIGHBOURS} are listed</small>}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={`Edges ${title.toLowerCase()}`}>
        <table>
          <thead><tr>
            <th scope="col">Vertex</th>{types.length > 0 && <th scope="col">Type</th>}
            <th scope="col" class="number">Weight</th>
          </tr></thead>
          <tbody>
            {list.map(({ vertex, weight, type }, i) => (
              <tr key={i}>
                <th scope="row"><VertexButton id={vertex} onVertex={onVertex} /></th>
                {types.length > 0 && (
                  <td>{type != null && <><TypeSample style={styleOf(type, types)} /> {type}</>}
                  </td>)}
                <td class="number">{score(weight)}</td>
              </tr>))}
            {list.length === 0 && <tr><td colSpan={3} class="empty">None.</td></tr>}
          </tbody>
        </table>
      </div>
    </div>
  );
}
