// The sheet for operators: whether records arrive, windows move and jobs keep up.
import type { Job, Window } from "../answers.ts";
import type { Daemon } from "../daemon.ts";
import type { Theme } from "../theme.ts";
import { JobRuns } from "./job_runs.tsx";
import { LiveFigures } from "./live_figures.tsx";
import { Records } from "./records.tsx";
import { Timeline } from "./timeline.tsx";

export function Operations({ daemon, window, theme, onJob }: {
  daemon: Daemon; window: Window | undefined; theme: Theme; onJob: (job: Job) => void;
}) {
  return (
    <>
      <LiveFigures daemon={daemon} window={window} theme={theme} />
      <Timeline daemon={daemon} window={window} />
      <JobRuns daemon={daemon} onJob={onJob} />
      <Records daemon={daemon} />
    </>
  );
}
