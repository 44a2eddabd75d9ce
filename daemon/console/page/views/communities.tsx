// A picture of the largest sets (components, communities): circles whose area is the size. A set
// has the same colour in each window, and wherever the page names it.
import { useMemo, useRef } from "preact/hooks";
import { bubblesOf, hueOf, type Bubble } from "../communities.ts";
import type { Daemon } from "../daemon.ts";
import { clock, plural, short } from "../format.ts";
import { HEIGHT, WIDTH } from "../layout.ts";
import { capital, setsIn, setWord, type SetWord } from "../lists.ts";
import { pressed, shortName } from "./graph.tsx";

const PLURALS = { component: "components", community: "communities", set: "sets" } as const;
const ROOM_FOR_TEXT = 24; // radius from which the circle holds its name

export function Communities({ daemon, chosen, onSet }: {
  daemon: Daemon; chosen: string; onSet: (key: string) => void;
}) {
  const newest = daemon.resultsOf(daemon.job)[0];
  const word = setWord(newest) ?? "set";
  const before = useRef({ job: "", bubbles: [] as Bubble[] });
  const bubbles = useMemo(() => {
    if (!newest) return [];
    const { job, bubbles: earlier } = before.current;
    const now = bubblesOf(newest, job === newest.job ? earlier : []);
    before.current = { job: newest.job, bubbles: now };
    return now;
  }, [newest]);
  if (!newest) return null;
  const all = setsIn(newest);
  const drawn = bubbles.reduce((sum, { size }) => sum + size, 0);
  const rest = all - bubbles.length;
  return (
    <section class="panel picture communities" aria-labelledby="picture-title">
      <div class="title">
        <h2 id="picture-title">{capital(PLURALS[word])}</h2>
        <p class="aside">{plural(all, word, PLURALS[word])}, window
          until {clock(newest.window_end)} UTC</p>
      </div>
      <div class="drawing">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group"
          aria-label={`The ${plural(bubbles.length, `largest ${word}`,
            `largest ${PLURALS[word]}`)}, by size`}>
          {bubbles.map((bubble) => (
            <Circle key={bubble.id} bubble={bubble} word={word} chosen={bubble.id === chosen}
              onSet={onSet} />))}
        </svg>
      </div>
      <p class="leavers">{rest > 0
        ? `${plural(rest, `further ${word}`, `further ${PLURALS[word]}`)} with ${
          plural(Math.max(0, newest.vertices - drawn), "vertex", "vertices")} are not drawn.`
        : "The area is the number of members."}</p>
    </section>
  );
}

function Circle({ bubble: { id, rank, size, radius, x, y }, word, chosen, onSet }: {
  bubble: Bubble; word: SetWord; chosen: boolean; onSet: (key: string) => void;
}) {
  const holds = radius >= ROOM_FOR_TEXT;
  return (
    <g class={`bubble ${chosen ? "is-chosen" : ""}`} aria-pressed={chosen}
      aria-label={`${word} ${id}, rank ${rank}, ${plural(size, "member")}`}
      style={{ "--hue": hueOf(id), "--fit": `${(radius / 5).toFixed(1)}px`,
        transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` }}
      {...pressed(() => onSet(id))}>
      <title>{`${word} ${id}: ${plural(size, "member")}`}</title>
      <circle r={radius.toFixed(1)} />
      {holds && <text class="size" dy="1.1em">{short(size)}</text>}
      <text class="name" y={holds ? 0 : radius} dy={holds ? 0 : "1em"}>{shortName(id)}</text>
    </g>
  );
}
