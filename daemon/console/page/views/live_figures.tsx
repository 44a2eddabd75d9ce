// The stream now: its speed, its lag, the least possible age of the newest result, and the size of
// the window.
import { useMemo } from "preact/hooks";
import type { Window } from "../answers.ts";
import type { Daemon } from "../daemon.ts";
import { bytes, clock, count, day, duration, NOTHING, plural, rate, short } from "../format.ts";
import type { Sample } from "../gauge.ts";
import type { Theme } from "../theme.ts";
import { LiveChart } from "./live_chart.tsx";

const LIVE_AGE_SECONDS = 86_400; // a watermark older than this is history: its age says nothing

export function LiveFigures({ daemon, window, theme }: {
  daemon: Daemon; window: Window | undefined; theme: Theme;
}) {
  const { samples } = daemon.gauge;
  const times = useMemo(() => samples.map((sample) => sample.at), [samples]);
  const line = (of: (sample: Sample) => number | null) => useMemo(() => samples.map(of), [samples]);
  const rates = line((sample) => sample.rate);
  const lags = line((sample) => sample.lag);
  const ages = line((sample) => sample.age);
  const now = samples.at(-1);
  const { source, stream } = daemon.gauge;
  const lagging = source?.partitions.filter((partition) => (partition.lag ?? 0) > 0) ?? [];
  const paused = source?.partitions.filter((partition) => partition.paused).length ?? 0;
  const filter = window ? filterOf(window) : "";
  const isHistory = (now?.age ?? 0) > LIVE_AGE_SECONDS;
  return (
    <section class="figures" aria-label="The stream now">
      <div class="panel figure" data-figure="rate">
        <h2>Rate</h2>
        <p class="value">{rate(now?.rate)} <small>records/s</small></p>
        <p class="note">{count(source?.records)} read{source ? `, ${bytes(source.bytes)}` : ""}</p>
        <LiveChart times={times} values={rates} theme={theme} text={rate}
          label={`Records a second over the last five minutes, now ${rate(now?.rate)}`} />
      </div>
      <div class="panel figure" data-figure="lag">
        <h2>Lag</h2>
        <p class="value">{short(now?.lag)} <small>records</small></p>
        <p class="note">{source
          ? lagging.length > 0
            ? `in ${lagging.length} of ${plural(source.partitions.length, "partition")}`
            : `${plural(source.partitions.length, "partition")}, none behind`
          : NOTHING}{paused > 0 ? `, ${paused} paused` : ""}</p>
        <LiveChart times={times} values={lags} theme={theme} text={short}
          label={`Records not read yet over the last five minutes, now ${short(now?.lag)}`} />
      </div>
      <div class="panel figure" data-figure="watermark">
        <h2>Watermark</h2>
        <p class="value">{isHistory ? day(stream?.watermark) : duration(now?.age)}{" "}
          <small>{isHistory ? "in history" : "behind the clock"}</small></p>
        <p class="note">{stream?.watermark ? `${clock(stream.watermark)} UTC` : "no event yet"}
          {stream && stream.idle_partitions > 0
            ? `, ${plural(stream.idle_partitions, "idle partition")}` : ""}</p>
        <LiveChart times={times} values={ages} theme={theme} text={duration}
          label={`Age of the watermark over the last five minutes, now ${duration(now?.age)}`} />
      </div>
      <div class="panel figure sizes" data-figure="window">
        <h2>{window?.name ?? "Window"}</h2>
        {filter && <p class="note" title={filter}>only {filter}</p>}
        <dl>
          <div><dt>Edges</dt><dd>{count(window?.edges)}</dd></div>
          <div><dt>Vertices</dt><dd>{count(window?.vertices)}</dd></div>
          <div><dt>Slices</dt><dd>{count(window?.slices)}</dd></div>
          <div><dt>Memory</dt><dd>{bytes(window?.bytes)}</dd></div>
          <div><dt>Advance</dt><dd>{duration(window?.advance_seconds)}</dd></div>
          <div><dt>Late, refused</dt>
            <dd class={window && window.late + window.refused > 0 ? "warn" : ""}>
              {window ? `${short(window.late)}, ${short(window.refused)}` : NOTHING}</dd></div>
        </dl>
      </div>
    </section>
  );
}

/** Which edges of the stream the window shows, in words; empty: all. */
function filterOf(window: Window): string {
  const parts = [];
  if (window.types) parts.push(`types ${window.types.join(", ")}`);
  if (window.where) parts.push(`where ${window.where}`);
  return parts.join("; ");
}
