// The parts of a dashboard, as Grafana's own package declares them. validate.mjs makes a JSON schema
// of each member of Kinds, and checks each part of a dashboard with the schema of its kind: with one
// schema for all parts, an error would not name the part. "@grafana/schema" is the package of the
// version that is being tested.
import type * as grafana from "@grafana/schema";
import type * as stat from "@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen";
import type * as timeseries from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen";
// From the last version that has this type. The data source was removed from later versions of the
// package; its query has not changed.
import type { PrometheusDataQuery } from "grafana-10/dist/esm/raw/composable/prometheus/dataquery/x/PrometheusDataQuery_types.gen";

export interface Kinds {
  board: Omit<grafana.Dashboard, "annotations" | "panels" | "templating">;
  row: grafana.RowPanel;
  panel: grafana.Panel;
  query: PrometheusDataQuery;

  // The schema allows only text as the query of a variable. Grafana's editor for Prometheus writes
  // this object, and `definition`, which only the next generation of the schema has.
  variable: Omit<grafana.VariableModel, "query"> & {
    query?: string | { query: string; refId: string; qryType: number };
    definition?: string;
  };

  // With the members that Grafana's editor for annotations from Prometheus adds.
  annotation: Omit<grafana.AnnotationQuery, "target"> & {
    target: PrometheusDataQuery & { interval?: string };
    titleFormat?: string;
    textFormat?: string;
    tagKeys?: string;
    useValueForTime?: boolean;
  };

  // For each type of panel: its options, which are partial because Grafana adds missing options;
  // and the contents of fieldConfig.defaults.custom.
  "stat options": Partial<stat.Options>;
  "stat custom": Record<string, never>;
  "timeseries options": Partial<timeseries.Options>;
  "timeseries custom": timeseries.FieldConfig;
}
