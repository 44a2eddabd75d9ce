// A picture of the window around the first vertices of the newest result. It follows the window:
// vertices stay in place as long as they are in it.
import type { Daemon } from "../daemon.ts";
import { clock, plural } from "../format.ts";
import { typesShown, type Seen } from "../neighbours.ts";
import { Graph, useLayout } from "./graph.tsx";

export function Picture({ daemon, chosen, seen, onVertex }: {
  daemon: Daemon; chosen: string; seen: Seen | null; onVertex: (key: string) => void;
}) {
  const picture = daemon.picture;
  const layout = useLayout(picture, `${picture?.job} ${picture?.window}`);
  const top = picture?.vertices.filter(({ place }) => place != null).length ?? 0;
  const newest = daemon.resultsOf(daemon.job)[0];
  return (
    <section class="panel picture" aria-labelledby="picture-title">
      <div class="title">
        <h2 id="picture-title">Neighbourhood</h2>
        <p class="aside">{picture
          ? `the first ${top}, their nearest, window until ${clock(picture.window_end)} UTC`
          : newest && !newest.top ? `${newest.kernel} lists no vertices` : "no result yet"}</p>
      </div>
      <Graph name="arrow" layout={layout} chosen={chosen} onVertex={onVertex}
        types={typesShown(picture, seen?.neighbours ?? null)}
        label={(nodes, lines) => `${plural(nodes.length, "vertex", "vertices")} and ${
          plural(lines.length, "pair")} with edges around the first ${top}`} />
      <p class="leavers">{picture && !picture.whole
        ? "The longest lists of edges were read only in part."
        : "Size is the number of edges; the number is the rank."}</p>
    </section>
  );
}
