// One line over the last minutes, drawn by uPlot.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Theme } from "../theme.ts";

const HEIGHT = 100;
const SPANS_SECONDS = [60, 120, 300]; // the shortest span that fits all samples, else the last

function span(seconds: number): number {
  return SPANS_SECONDS.find((each) => each >= seconds) ?? SPANS_SECONDS.at(-1)!;
}

export function LiveChart({ times, values, theme, label, text }: {
  times: number[]; values: (number | null)[]; theme: Theme; label: string;
  text: (value: number) => string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);

  useEffect(() => {
    const host = place.current!;
    const colour = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
    const side = { stroke: () => colour("--faint"), grid: { show: false }, ticks: { show: false },
      font: `10px ${getComputedStyle(host).fontFamily}` };
    const made = new uPlot({
      width: host.clientWidth,
      height: HEIGHT,
      padding: [6, 14, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      scales: {
        x: { time: false, range: (_plot, low, high) => [high - span(high - low), high] },
        y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.15 : 1] },
      },
      axes: [
        { ...side, size: 22, gap: 8, splits: (_plot, _axis, low, high) => [low, high],
          values: (_plot, [low, high]) => [`−${(high! - low!) / 60} min`, "now"] },
        { ...side, size: 48, gap: 4, grid: { show: true, stroke: () => colour("--line"), width: 1 },
          splits: (_plot, _axis, _low, high) => [0, high / 1.15],
          values: (_plot, splits) => splits.map(text) },
      ],
      series: [{}, {
        stroke: () => colour("--accent"), width: 1.5, points: { show: false },
        fill: () => colour("--accent-wash"),
      }],
    }, [[], []], host);
    plot.current = made;
    const resize = new ResizeObserver(
      () => made.setSize({ width: host.clientWidth, height: HEIGHT }));
    resize.observe(host);
    return () => {
      resize.disconnect();
      made.destroy();
    };
  }, []);
  useEffect(() => {
    plot.current?.setData([times, values]);
  }, [times, values]);
  useEffect(() => plot.current?.redraw(false), [theme]);

  return <div class="chart" ref={place} role="img" aria-label={label} />;
}
