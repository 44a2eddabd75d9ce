// The page: its two sheets, its keys, and the user's choices (kept in the address).
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { FiredAlert } from "./alerts.ts";
import type { Daemon } from "./daemon.ts";
import { useNeighbours, type View } from "./neighbours.ts";
import { useTheme } from "./theme.ts";
import { Alerts } from "./views/alerts.tsx";
import { AllRows } from "./views/all_rows.tsx";
import { Around, PARTS, type Part } from "./views/around.tsx";
import { Comparison } from "./views/comparison.tsx";
import { Header, Notices } from "./views/header.tsx";
import { Operations } from "./views/operations.tsx";
import { ChosenSet } from "./views/members.tsx";
import { Newest } from "./views/newest.tsx";
import { SHEETS, type Sheet } from "./views/sheets.tsx";
import { ShortcutList, TokenQuestion } from "./views/dialogs.tsx";
import { VertexSearch } from "./views/vertex_search.tsx";
import { Why } from "./views/why.tsx";

export function fromAddress(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

export function App({ daemon }: { daemon: Daemon }) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const [vertex, setVertex] = useState(() => fromAddress().get("vertex") ?? "");
  const [view, setView] = useState<View>(
    () => (fromAddress().get("view") === "live" ? "live" : "published"));
  const [part, setPart] = useState<Part>(
    () => PARTS.find((each) => each === fromAddress().get("part")) ?? "neighbours");
  const [sheet, setSheet] = useState<Sheet>(
    () => SHEETS.find((each) => each === fromAddress().get("sheet")) ?? "analysis");
  const [{ job: grouping, set: chosenSet }, chooseSet] = useState(
    () => ({ job: fromAddress().get("job") ?? "", set: fromAddress().get("set") ?? "" }));
  const [showsKeys, setShowsKeys] = useState(false);
  const [theme, toggleTheme] = useTheme();
  const search = useRef<HTMLInputElement>(null);

  const set = grouping === daemon.job ? chosenSet : ""; // another job has other sets
  const setSet = (key: string) => chooseSet({ job: daemon.job, set: key });
  useEffect(() => daemon.subscribe(() => redraw(0)), [daemon]);
  useEffect(() => {
    if (!daemon.window) return;
    const address = new URLSearchParams({ window: daemon.window, job: daemon.job });
    if (vertex) address.set("vertex", vertex);
    if (set) address.set("set", set);
    if (view === "live") address.set("view", view);
    if (part !== "neighbours") address.set("part", part);
    if (sheet !== "analysis") address.set("sheet", sheet);
    history.replaceState(null, "", `#${address}`);
  }, [daemon.window, daemon.job, vertex, set, view, part, sheet]);

  const chooseWindow = (name: string) => {
    const jobs = daemon.jobs.filter((job) => job.window === name);
    const job = jobs.find((each) => daemon.resultsOf(each.name)[0]?.top) ?? jobs[0];
    daemon.choose(name, job?.name ?? "");
  };
  // From an alert to its vertex, as the job of the alert sees it.
  const follow = (fired: FiredAlert, key: string) => {
    daemon.choose(fired.window, fired.job);
    setVertex(key);
    requestAnimationFrame(() => document.querySelector(".search")?.scrollIntoView());
  };
  const step = (by: number) => {
    const names = daemon.windows.map((window) => window.name);
    const next = names[(names.indexOf(daemon.window) + by + names.length) % names.length];
    if (next) chooseWindow(next);
  };
  const stepJob = (by: number) => {
    const names = daemon.jobs.filter((job) => job.window === daemon.window).map((job) => job.name);
    const next = names[(names.indexOf(daemon.job) + by + names.length) % names.length];
    if (next) daemon.choose(daemon.window, next);
  };

  const actions = useRef<Record<string, () => void>>({});
  actions.current = {
    "/": () => {
      if (search.current) {  // at once, so that the next key is in it
        search.current.focus();
        return;
      }
      setSheet("analysis");
      requestAnimationFrame(() => search.current?.focus());
    },
    o: () => setSheet(sheet === "analysis" ? "operations" : "analysis"),
    t: toggleTheme,
    w: () => step(1),
    j: () => stepJob(1),
    k: () => stepJob(-1),
    "?": () => setShowsKeys(true),
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (target.closest("input, select, textarea, dialog")) return;
      const act = actions.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const window = daemon.windows.find((each) => each.name === daemon.window);
  const seen = useNeighbours(daemon.window, vertex, view, window?.snapshot);
  // The notices above the views must be known first: otherwise they would make the views jump.
  const { connection } = daemon;
  const known = daemon.readiness !== null || connection.link === "lost" || connection.needsToken;
  return (
    <div class={connection.link === "lost" ? "page is-lost" : "page"}>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}>Skip to content</a>
      <Header daemon={daemon} theme={theme} sheet={sheet} onTheme={toggleTheme}
        onWindow={chooseWindow} onSheet={setSheet} onKeys={() => setShowsKeys(true)} />
      <Notices daemon={daemon} />
      <main id="main" tabIndex={-1}>
        {known && <Why daemon={daemon} />}
        {known && sheet === "operations" && (
          <Operations daemon={daemon} window={window} theme={theme} onJob={(job) => {
            daemon.choose(job.window, job.name);
            setSheet("analysis");
          }} />
        )}
        {known && sheet === "analysis" && (
          <>
            <Alerts daemon={daemon} onVertex={follow} />
            <Newest daemon={daemon} vertex={vertex} set={set} seen={seen} onVertex={setVertex}
              onSet={setSet} />
            <ChosenSet daemon={daemon} set={set} vertex={vertex} onSet={setSet}
              onVertex={setVertex} />
            <VertexSearch daemon={daemon} input={search} vertex={vertex} onVertex={setVertex} />
            <Around daemon={daemon} vertex={vertex} seen={seen} view={view} part={part}
              onView={setView} onPart={setPart} onVertex={setVertex} onAlert={follow} />
            <AllRows daemon={daemon} vertex={vertex} set={set} onVertex={setVertex}
              onSet={setSet} />
            <Comparison daemon={daemon} onVertex={setVertex} />
          </>
        )}
      </main>
      {known && (
        <footer>
          <span>sashd {daemon.version}</span>
          <span>All times are UTC</span>
          <a href="/openapi.json">API</a>
          <a href="/metrics">Metrics</a>
          <a href="/console/licences.txt">Licences</a>
        </footer>
      )}
      <ShortcutList open={showsKeys} onClose={() => setShowsKeys(false)} />
      <TokenQuestion daemon={daemon} />
    </div>
  );
}
