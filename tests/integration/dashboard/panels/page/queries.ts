// Sends the queries of panels to Prometheus, and converts the results to the frames of Grafana's
// backend.
import {
  type DataFrame, FieldType, type Labels, type TimeRange, createDataFrame, renderLegendFormat,
} from "@grafana/data";
import type { Dashboard, Panel, VariableModel } from "@grafana/schema";

export interface Target {
  refId: string;
  expr: string;
  legendFormat: string;
  instant: boolean;
  range: boolean;
}

interface Series {
  metric: Labels;
  values?: [number, string][]; // for a range
  value?: [number, string]; // for an instant
}

const SCRAPE_SECONDS = 1; // as configured in the data source
const POINTS = 400;

export function stepSeconds(range: TimeRange): number {
  return Math.max(SCRAPE_SECONDS,
                  Math.ceil((range.to.valueOf() - range.from.valueOf()) / 1000 / POINTS));
}

// Replaces variables like Grafana's dashboards and its Prometheus data source.
export function interpolation(board: Dashboard, chosen: Map<string, string>, range: TimeRange):
    (text: string) => string {
  const values = new Map<string, string>();
  for (const variable of board.templating?.list ?? []) values.set(variable.name, valueOf(variable));
  for (const [name, value] of chosen) values.set(name, value);
  const step = stepSeconds(range);
  values.set("__rate_interval", `${Math.max(step + SCRAPE_SECONDS, 4 * SCRAPE_SECONDS)}s`);
  return (text) => text.replace(/\$(\w+)|\$\{(\w+)\}/g, (whole, plain, braced) => {
    const value = values.get(plain ?? braced);
    if (value === undefined) throw new Error(`no variable ${whole} in ${text}`);
    return value;
  });
}

function valueOf(variable: VariableModel): string {
  if (variable.includeAll) return variable.allValue ?? "";
  if (variable.type === "constant") return String(variable.query);
  return "";
}

async function ask(prometheus: string, target: Target, expression: string, range: TimeRange):
    Promise<Series[]> {
  const seconds = (time: number) => String(Math.floor(time / 1000));
  const parameters = new URLSearchParams({ query: expression });
  if (target.instant) {
    parameters.set("time", seconds(range.to.valueOf()));
  } else {
    parameters.set("start", seconds(range.from.valueOf()));
    parameters.set("end", seconds(range.to.valueOf()));
    parameters.set("step", String(stepSeconds(range)));
  }
  const way = target.instant ? "query" : "query_range";
  const answer = await fetch(`${prometheus}/api/v1/${way}?${parameters}`);
  const told = await answer.json();
  if (told.status !== "success") throw new Error(`${expression}: ${told.error}`);
  return told.data.result;
}

function frameOf(target: Target, series: Series): DataFrame {
  const points = series.values ?? [series.value!];
  const finite = (text: string) => Number.isFinite(Number(text)) ? Number(text) : null;
  return createDataFrame({
    refId: target.refId,
    fields: [
      { name: "Time", type: FieldType.time, values: points.map(([time]) => time * 1000) },
      {
        name: "Value", type: FieldType.number, labels: series.metric,
        values: points.map(([, value]) => finite(value)),
        config: { displayNameFromDS: renderLegendFormat(target.legendFormat, series.metric) },
      },
    ],
  });
}

export async function framesOf(prometheus: string, panel: Panel, range: TimeRange,
                               interpolate: (text: string) => string): Promise<DataFrame[]> {
  const targets = (panel.targets ?? []) as unknown as Target[];
  const answers = await Promise.all(targets.map(async (target) => {
    const found = await ask(prometheus, target, interpolate(target.expr), range);
    return found.map((series) => frameOf(target, series));
  }));
  return answers.flat();
}
