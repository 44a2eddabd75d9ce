// A board as Grafana shows it: its panels in place, once all of their queries have been answered.
import { type DataFrame, type GrafanaTheme2, ThemeContext, createTheme } from "@grafana/data";
import type { Dashboard, Panel, RowPanel } from "@grafana/schema";
import { GlobalStyles, PanelChrome } from "@grafana/ui";
import { createRoot } from "react-dom/client";
import { prepared } from "./fields";
import { Content } from "./panels";
import { framesOf, interpolation } from "./queries";
import { type Settings, settings } from "./settings";
import "./page.css";

// Grafana's grid: 24 columns, rows of 30 pixels, 8 between them.
const COLUMNS = 24;
const CELL = 30;
const GAP = 8;

type Answered = { panel: Panel; frames: DataFrame[] };

function isRow(panel: Panel | RowPanel): panel is RowPanel {
  return panel.type === "row";
}

function place({ x, y, w, h }: { x: number; y: number; w: number; h: number }) {
  const column = (document.documentElement.clientWidth - GAP) / COLUMNS;
  return {
    left: x * column + GAP, top: y * (CELL + GAP) + GAP, width: w * column - GAP,
    height: h * (CELL + GAP) - GAP,
  };
}

function Row({ row }: { row: RowPanel }) {
  return <h2 className="board-row" style={place(row.gridPos!)}>{row.title}</h2>;
}

function Drawn(
  { panel, frames, asked, theme }: Answered & { asked: Settings; theme: GrafanaTheme2 }) {
  const at = place(panel.gridPos!);
  return (
    <section className="board-panel" data-panel={panel.title} style={at}>
      <PanelChrome title={panel.title} description={panel.description} width={at.width}
                   height={at.height}>
        {(width, height) => <Content panel={panel} frames={frames} range={asked.range}
                                     theme={theme} width={width} height={height} />}
      </PanelChrome>
    </section>);
}

async function main() {
  const asked = settings();
  const theme = createTheme({ colors: { mode: asked.theme } });
  const board: Dashboard = await (await fetch(`boards/${asked.board}.json`)).json();
  document.title = board.title!;
  const interpolate = interpolation(board, asked.chosen, asked.range);
  const panels = board.panels!;
  const rows = panels.filter(isRow);
  const answered = await Promise.all(panels.filter((panel): panel is Panel => !isRow(panel)).map(
    async (panel): Promise<Answered> => {
      const frames = await framesOf(asked.prometheus, panel, asked.range, interpolate);
      return { panel, frames: prepared(frames, panel, theme) };
    }));
  const bottom = Math.max(...panels.map(({ gridPos }) => gridPos!.y + gridPos!.h));
  createRoot(document.getElementById("root")!).render(
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <main className="board" style={{ height: bottom * (CELL + GAP) + GAP }}>
        {rows.map((row) => <Row key={row.id} row={row} />)}
        {answered.map((each) => (
          <Drawn key={each.panel.id} {...each} asked={asked} theme={theme} />))}
      </main>
    </ThemeContext.Provider>);
}

await main();
