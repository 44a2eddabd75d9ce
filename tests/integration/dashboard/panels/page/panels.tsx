// One panel, drawn by the components that Grafana's plugin of that type uses.
import {
  type DataFrame, type DisplayValueAlignmentFactors, type FieldDisplay, type GrafanaTheme2,
  type ReduceDataOptions, type TimeRange, VizOrientation, getDisplayValueAlignmentFactors,
  getFieldDisplayValues,
} from "@grafana/data";
import type {
  BigValueColorMode, BigValueGraphMode, BigValueJustifyMode, BigValueTextMode, Panel,
  VizLegendOptions,
} from "@grafana/schema";
import { BigValue, TimeSeries, VizRepeater } from "@grafana/ui";
import { fieldConfigOf } from "./fields";

interface Drawn {
  panel: Panel;
  frames: DataFrame[];
  range: TimeRange;
  theme: GrafanaTheme2;
  width: number;
  height: number;
}

function Lines({ panel, frames, range, width, height }: Drawn) {
  return <TimeSeries frames={frames} timeRange={range} timeZone="utc" width={width} height={height}
                     legend={panel.options!.legend as VizLegendOptions} />;
}

interface StatOptions {
  reduceOptions: ReduceDataOptions;
  orientation: VizOrientation;
  colorMode: BigValueColorMode;
  graphMode: BigValueGraphMode;
  justifyMode: BigValueJustifyMode;
  textMode: BigValueTextMode;
}

function Stat({ panel, frames, theme, width, height }: Drawn) {
  const options = panel.options as unknown as StatOptions;
  const values = () => getFieldDisplayValues({
    data: frames, fieldConfig: fieldConfigOf(panel), reduceOptions: options.reduceOptions, theme,
    timeZone: "utc", replaceVariables: (text) => text,
  });
  return (
    <VizRepeater<FieldDisplay, DisplayValueAlignmentFactors>
      getValues={values} getAlignmentFactors={getDisplayValueAlignmentFactors} source={frames}
      width={width} height={height} itemSpacing={3} autoGrid orientation={options.orientation}
      renderCounter={0}
      renderValue={({ value, alignmentFactors, width, height, count }) =>
        <BigValue value={value.display} alignmentFactors={alignmentFactors} width={width}
                  height={height} count={count} theme={theme} colorMode={options.colorMode}
                  graphMode={options.graphMode} justifyMode={options.justifyMode}
                  textMode={options.textMode} />} />);
}

const TYPES: Record<string, (drawn: Drawn) => React.JSX.Element> =
  { timeseries: Lines, stat: Stat };

export function Content(drawn: Drawn) {
  const Type = TYPES[drawn.panel.type];
  if (!Type) throw new Error(`no component for a panel of type ${drawn.panel.type}`);
  return drawn.frames.length === 0 ? <div className="no-data">No data</div> : <Type {...drawn} />;
}
