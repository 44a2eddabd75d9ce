// Applies a panel's fieldConfig to its fields: applyFieldOverrides(), with a registry of every
// standard property and of the properties of lines, unchanged. Grafana's plugins register the same.
import {
  type DataFrame, FieldConfigOptionsRegistry, FieldConfigProperty, type FieldConfigPropertyItem,
  type FieldConfigSource, type GrafanaTheme2, applyFieldOverrides, identityOverrideProcessor,
} from "@grafana/data";
import type { Panel } from "@grafana/schema";

function property(path: string, isCustom: boolean): FieldConfigPropertyItem {
  return {
    id: isCustom ? `custom.${path}` : path, path, name: path, isCustom,
    process: identityOverrideProcessor, shouldApply: () => true,
    editor: () => null, override: () => null,
  };
}

// JSON has no -Infinity, where the first threshold begins.
function withFirstThreshold(source: FieldConfigSource): FieldConfigSource {
  const thresholds = source.defaults.thresholds;
  if (!thresholds) return source;
  const steps = thresholds.steps.map((step) => ({ ...step, value: step.value ?? -Infinity }));
  return { ...source, defaults: { ...source.defaults, thresholds: { ...thresholds, steps } } };
}

export function fieldConfigOf(panel: Panel): FieldConfigSource {
  return withFirstThreshold(panel.fieldConfig as FieldConfigSource);
}

export function prepared(frames: DataFrame[], panel: Panel, theme: GrafanaTheme2): DataFrame[] {
  const fieldConfig = fieldConfigOf(panel);
  const custom = Object.keys(fieldConfig.defaults.custom ?? {});
  const registry = new FieldConfigOptionsRegistry(() => [
    ...Object.values(FieldConfigProperty).map((path) => property(path, false)),
    ...custom.map((path) => property(path, true)),
  ]);
  return applyFieldOverrides({
    data: frames, fieldConfig, fieldConfigRegistry: registry, theme, timeZone: "utc",
    replaceVariables: (text) => text,
  });
}
