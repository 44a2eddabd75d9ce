// What a dashboard is made of, as Grafana's own package declares it. validate.mjs makes JSON
// schemas of Kinds, and holds each part of a dashboard against its own: the error of a union of all
// would name no part. "@grafana/schema" is that of the version that is looked at.
import type * as grafana from "@grafana/schema";
import type * as stat from "@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen";
import type * as timeseries from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen";
// The last version that has it: the data source left the package, and its query stayed as it was.
import type { PrometheusDataQuery } from "grafana-10/dist/esm/raw/composable/prometheus/dataquery/x/PrometheusDataQuery_types.gen";

export interface Kinds {
  board: Omit<grafana.Dashboard, "annotations" | "panels" | "templating">;
  row: grafana.RowPanel;
  panel: grafana.Panel;
  query: PrometheusDataQuery;

  // Of a variable the schema knows no query but text; its editor for Prometheus writes this, and
  // the definition, which only the schema's next generation names.
  variable: Omit<grafana.VariableModel, "query"> & {
    query?: string | { query: string; refId: string; qryType: number };
    definition?: string;
  };

  // With what the editor of Prometheus's annotations adds.
  annotation: Omit<grafana.AnnotationQuery, "target"> & {
    target: PrometheusDataQuery & { interval?: string };
    titleFormat?: string;
    textFormat?: string;
    tagKeys?: string;
    useValueForTime?: boolean;
  };

  // By the type of a panel: its options, of which Grafana adds those that are not there, and what
  // fieldConfig.defaults.custom may say.
  "stat options": Partial<stat.Options>;
  "stat custom": Record<string, never>;
  "timeseries options": Partial<timeseries.Options>;
  "timeseries custom": timeseries.FieldConfig;
}
