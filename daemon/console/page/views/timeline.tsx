// The window as a timeline: slices fill on the right, are held, age, and leave on the left.
import { useState } from "preact/hooks";
import type { Slice, Window } from "../answers.ts";
import type { Daemon } from "../daemon.ts";
import { clock, count, day, duration, NOTHING, plural } from "../format.ts";
import { order } from "../window_slices.ts";

const HEIGHT = 112;
const MOST_BARS = 180;

type State = Slice["state"] | "left";

export interface Bar {
  begin: number;
  end: number;
  events: number;
  late: number;
  refused: number;
  state: State;
}

/** Bars of equal width from slices, oldest first: several slices a bar when there are many. */
export function bars(slices: Slice[], left: Slice[], width: number): Bar[] {
  const all: Bar[] = [];
  const add = (slice: Slice, state: State) => all.push({
    begin: order(slice.begin), end: order(slice.end), events: slice.events, late: slice.late,
    refused: slice.refused, state });
  for (const slice of slices) add(slice, slice.state);
  const oldest = Math.min(...all.map((bar) => bar.begin));
  for (const slice of left) if (order(slice.begin) < oldest) add(slice, "left");
  all.sort((a, b) => a.begin - b.begin);
  const span = (all.at(-1)?.end ?? 0) - (all[0]?.begin ?? 0);
  const bundle = Math.max(1, Math.ceil(span / width / MOST_BARS));
  if (bundle === 1) return all;
  const merged = new Map<string, Bar>();
  for (const bar of all) {
    const begin = Math.floor(bar.begin / (bundle * width)) * bundle * width;
    const place = `${begin} ${bar.state}`;
    const held = merged.get(place);
    if (!held) {
      merged.set(place, { ...bar });
      continue;
    }
    held.end = bar.end;
    held.events += bar.events;
    held.late += bar.late;
    held.refused += bar.refused;
  }
  return [...merged.values()];
}

function span(bar: Bar, byEvents: boolean): string {
  if (byEvents) return `events ${count(bar.begin)} to ${count(bar.end)}`;
  return `${clock(bar.begin)} to ${clock(bar.end)} UTC`;
}

const STATES: Record<State, string> = {
  open: "filling", closed: "closed, enters with the next advance", held: "in the window",
  left: "has left",
};

export function Timeline({ daemon, window }: { daemon: Daemon; window: Window | undefined }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { now: slices, left } = daemon.slices;
  const byEvents = slices?.by === "events";
  const unit = byEvents ? 1 : 1000;
  const width = Math.max(1, (slices?.slice ?? 1) * unit);
  const shown = slices ? bars(slices.slices, left, width) : [];
  const held = shown.filter((bar) => bar.state === "held");
  const most = Math.max(1, ...shown.map((bar) => bar.events));
  const windowEnd = byEvents ? held.at(-1)?.end : order(window?.window_end ?? 0) || undefined;
  const windowBegin = slices?.length != null && windowEnd != null
    ? windowEnd - slices.length * unit : held[0]?.begin;
  // One slide before the window and one after it, so that the scale stays the same at every
  // advance.
  const slide = (slices?.slide ?? 0) * unit;
  const first = shown[0]?.begin ?? 0;
  const begin = windowBegin != null && slices?.length != null ? windowBegin - slide : first;
  const end = windowEnd != null
    ? Math.max(shown.at(-1)?.end ?? 0, windowEnd + slide)
    : first + (slices?.length ?? 0) * unit + slide || 1;
  const at = (place: number) => ((place - begin) / Math.max(1, end - begin)) * 100;
  const leavesUntil = windowBegin != null && slices ? windowBegin + slide : -Infinity;
  const watermark = byEvents ? null : order(daemon.gauge.stream?.watermark ?? 0);
  const picked = chosen != null ? shown[Math.min(chosen, shown.length - 1)] : undefined;

  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") setChosen(null);
    if (!step || shown.length === 0) return;
    event.preventDefault();
    const from = chosen ?? (step < 0 ? shown.length : -1);
    setChosen(Math.max(0, Math.min(shown.length - 1, from + step)));
  };

  const length = slices?.length == null ? "for ever"
    : byEvents ? plural(slices.length, "event") : duration(slices.length);
  const every = !slices ? NOTHING
    : byEvents ? plural(slices.slide, "event") : duration(slices.slide);
  const summary = slices && shown.length > 0
    ? `${plural(held.length, "slice")} in the window, ${
      count(held.reduce((sum, bar) => sum + bar.events, 0))} events`
    : "No slice yet";
  return (
    <section class="panel timeline" aria-labelledby="timeline-title">
      <div class="title">
        <h2 id="timeline-title">Window</h2>
        <p>{window?.window_start
          ? <>{day(window.window_start)} <strong>{clock(window.window_start)}</strong>{" to "}
            <strong>{clock(window.window_end)}</strong> UTC</>
          : "has not advanced yet"}</p>
        <p class="aside">{length}, every {every}{window?.gap ? ", with a gap" : ""}</p>
      </div>
      <div class="slices" tabIndex={0} role="group" onKeyDown={onKey} onBlur={() => setChosen(null)}
        aria-label={`${summary}. Arrow keys tell of single slices.`}>
        <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {windowBegin != null && windowEnd != null && (
            <rect class="frame" x={at(windowBegin)} y="0" height={HEIGHT}
              width={Math.max(0, at(windowEnd) - at(windowBegin))} />)}
          {shown.map((bar, i) => {
            if (bar.end <= begin) return null;
            const height = Math.max(bar.events > 0 ? 2 : 0.5, (bar.events / most) * (HEIGHT - 14));
            const age = bar.state === "held" && windowBegin != null && windowEnd != null
              ? (windowEnd - bar.end) / Math.max(1, windowEnd - windowBegin) : 0;
            // The window may be newer than the slices, which are requested after it has advanced.
            const hasLeft = bar.state === "held" && windowBegin != null && bar.begin < windowBegin;
            const leaves = bar.state === "held" && bar.begin < leavesUntil;
            const look = hasLeft ? "left" : leaves ? "leaving" : bar.state;
            const gap = Math.min(0.25, (at(bar.end) - at(bar.begin)) * 0.15);
            return (
              <rect key={`${bar.begin}`} data-state={bar.state}
                class={`bar bar-${look}${chosen === i ? " is-chosen" : ""}`}
                x={at(bar.begin) + gap / 2} width={Math.max(0.1, at(bar.end) - at(bar.begin) - gap)}
                y={HEIGHT - height} height={height} style={{ "--age": age.toFixed(3) }}
                onMouseEnter={() => setChosen(i)} onMouseLeave={() => setChosen(null)} />);
          })}
        </svg>
        {watermark != null && watermark > begin && watermark <= end && (
          <span class="watermark" style={{ left: `${at(watermark)}%` }} aria-hidden="true" />)}
      </div>
      <div class="scale" aria-hidden="true">
        {windowBegin != null && (
          <span style={{ left: `${Math.max(0, at(windowBegin))}%` }}>{
            byEvents ? count(windowBegin) : clock(windowBegin)}</span>)}
        {windowEnd != null && (
          <span class="ends" style={{ right: `${Math.max(0, 100 - at(windowEnd))}%` }}>{
            byEvents ? count(windowEnd) : clock(windowEnd)}</span>)}
      </div>
      <div class="reading">
        <p aria-live="polite">{picked
          ? <><strong>{span(picked, byEvents)}</strong>: {plural(picked.events, "event")},{" "}
            {STATES[picked.state]}
            {picked.late + picked.refused > 0
              ? `, ${count(picked.late)} late, ${count(picked.refused)} refused` : ""}</>
          : summary}</p>
        <ul class="legend" aria-label="Colours">
          <li class="key-left">left</li><li class="key-leaving">leaves next</li>
          <li class="key-held">held</li><li class="key-open">filling</li>
          {!byEvents && <li class="key-watermark">watermark</li>}
        </ul>
      </div>
    </section>
  );
}
