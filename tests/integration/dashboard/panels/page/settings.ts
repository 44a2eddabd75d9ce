// The settings in the page's address: board, Prometheus, and time range.
//
//   ?board=overview&prometheus=http://127.0.0.1:9090&minutes=3&theme=dark&var-window=short
import { dateTime, type TimeRange } from "@grafana/data";

export interface Settings {
  board: string;
  prometheus: string;
  theme: "light" | "dark";
  range: TimeRange;
  chosen: Map<string, string>; // values of variables; missing variables are set to All
}

export function settings(): Settings {
  const asked = new URLSearchParams(location.search);
  const given = (name: string) => {
    const value = asked.get(name);
    if (value === null) throw new Error(`the address says no ${name}`);
    return value;
  };
  const minutes = Number(given("minutes"));
  const to = dateTime();
  const from = dateTime(to).subtract(minutes, "minutes");
  const chosen = [...asked].filter(([name]) => name.startsWith("var-"))
    .map(([name, value]): [string, string] => [name.slice("var-".length), value]);
  return {
    board: given("board"),
    prometheus: given("prometheus"),
    theme: asked.get("theme") === "light" ? "light" : "dark",
    range: { from, to, raw: { from: `now-${minutes}m`, to: "now" } },
    chosen: new Map(chosen),
  };
}
