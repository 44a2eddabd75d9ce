// Buttons that pause, resume and run a job.
import { useState } from "preact/hooks";
import type { Job } from "../answers.ts";
import { paths, post, Refusal } from "../api.ts";
import type { Daemon } from "../daemon.ts";

type Act = (job: Job, action: "pause" | "resume" | "trigger") => void;

/** `outcome`: what became of the last action, if it was refused or shows nothing at once. */
export function useJobActions(daemon: Daemon): { outcome: string; act: Act } {
  const [outcome, setOutcome] = useState("");
  const act: Act = (job, action) => {
    setOutcome("");
    post(paths.act(job.name, action)).then(async () => {
      if (action === "trigger") setOutcome(`${job.name} was asked to run.`);
      await daemon.look();
    }).catch((error: unknown) => setOutcome(error instanceof Refusal
      ? refusal(job, error) : `${job.name}: the daemon does not answer.`));
  };
  return { outcome, act };
}

function refusal(job: Job, { status, message }: Refusal): string {
  if (status !== 401 && status !== 403) return `${job.name}: ${message}`;
  return `${job.name}: this needs the token admin. A page in a new tab asks for a token.`;
}

export function JobButtons({ job, act }: { job: Job; act: Act }) {
  return (
    <span class="actions">
      {job.paused
        ? <button type="button" onClick={() => act(job, "resume")}>Resume
          <span class="sr"> {job.name}</span></button>
        : <button type="button" onClick={() => act(job, "pause")}>Pause
          <span class="sr"> {job.name}</span></button>}
      <button type="button" onClick={() => act(job, "trigger")}>Run now
        <span class="sr"> {job.name}</span></button>
    </span>
  );
}
