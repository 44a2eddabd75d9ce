// Jobs: what they are doing, how far a run is, how long the last runs took, and which resources
// they used.
import type { Job, Result } from "../answers.ts";
import type { Daemon } from "../daemon.ts";
import { count, duration } from "../format.ts";
import { JobButtons, useJobActions } from "./job_buttons.tsx";

const RUNS = 24;
const STEP = 3; // pixels a run

/** The progress of an iterating run, from 0 to 1; null where it is unknown. */
export function progress(job: Job, last: Result | undefined): number | null {
  if (!job.running) return null;
  const tolerance = Number(last?.parameters["tolerance"]);
  if (tolerance > 0 && job.residual && job.residual > 0) {
    // The residual falls by a constant factor per iteration, so progress follows its logarithm.
    const done = Math.log(Math.min(1, job.residual)) / Math.log(tolerance);
    if (Number.isFinite(done)) return Math.max(0, Math.min(1, done));
  }
  const expected = last?.iterations;
  return expected ? Math.min(1, job.iteration / expected) : null;
}

function State({ job, last }: { job: Job; last: Result | undefined }) {
  const done = progress(job, last);
  if (job.running) {
    return (
      <span class="state running">
        <progress aria-label={`${job.name} runs`} {...(done == null ? {} : { value: done })} />
        iteration {count(job.iteration)}
      </span>);
  }
  if (job.paused) return <span class="state">paused</span>;
  if (job.waiting > 0) return <span class="state">waits, {count(job.waiting)}</span>;
  return <span class="state">{job.runs > 0 ? "done" : "not run yet"}</span>;
}

function Runs({ results }: { results: Result[] }) {
  const seconds = results.slice(0, RUNS).map((result) => result.seconds).reverse();
  const most = Math.max(...seconds, 1e-9);
  const label = seconds.length > 0
    ? `The last ${seconds.length} runs took ${duration(Math.min(...seconds))} to ${duration(most)}`
    : "No run yet";
  return (
    <svg class="runs" viewBox={`0 0 ${RUNS * STEP} 20`} role="img" aria-label={label}
      width={RUNS * STEP} height="20">
      <title>{label}</title>
      {seconds.map((each, i) => {
        const height = Math.max(1, (each / most) * 20);
        return (
          <rect key={i} x={(RUNS - seconds.length + i) * STEP} y={20 - height} width={STEP - 1}
            height={height} />);
      })}
    </svg>
  );
}

/** How the last run spent its time since the request: a bar, and the longest phase in words. */
function Phases({ phases }: { phases: Job["last_phases"] }) {
  const each = Object.entries(phases ?? {})
    .map(([name, seconds]) => ({ name: name.replace(/_seconds$/, ""), seconds }));
  const total = each.reduce((sum, { seconds }) => sum + seconds, 0);
  if (total <= 0) return null;
  const longest = each.reduce((a, b) => (b.seconds > a.seconds ? b : a));
  const label = each.map(({ name, seconds }) => `${name} ${duration(seconds)}`).join(", ");
  let end = 0;
  return (
    <>
      <svg class="phases" viewBox="0 0 1 1" preserveAspectRatio="none" role="img"
        aria-label={label}>
        <title>{label}</title>
        {each.map(({ name, seconds }) => {
          const begin = end;
          end += seconds / total;
          return (
            <rect key={name} class={name} x={begin} y="0" width={seconds / total} height="1" />);
        })}
      </svg>
      <span class="under">{Math.round((100 * longest.seconds) / total)} % {longest.name}</span>
    </>
  );
}

export function JobRuns({ daemon, onJob }: { daemon: Daemon; onJob: (job: Job) => void }) {
  const { outcome, act } = useJobActions(daemon);
  return (
    <section class="panel jobs" aria-labelledby="jobs-title">
      <div class="title"><h2 id="jobs-title">Jobs</h2></div>
      <p class={outcome ? "absent" : "sr"} role="status">{outcome}</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Table of jobs">
        <table>
          <thead><tr>
            <th scope="col">Job</th><th scope="col">Now</th><th scope="col" class="number">Last</th>
            <th scope="col">Runs</th><th scope="col" class="number">Skipped</th>
          </tr></thead>
          <tbody>
            {daemon.jobs.map((job) => {
              const results = daemon.resultsOf(job.name);
              const lost = job.skipped + job.cancelled;
              return (
                <tr key={job.name} class={job.name === daemon.job ? "is-chosen" : ""}>
                  <th scope="row">
                    <button type="button" class="vertex"
                      onClick={() => onJob(job)}>{job.name}</button>
                    <span class="under">{job.kernel} on {job.window}</span></th>
                  <td data-label="Now"><State job={job} last={results[0]} />
                    <span class="under">{ran(results[0])}</span>
                    <JobButtons job={job} act={act} /></td>
                  <td class="number" data-label="Last">{duration(job.last_seconds)}
                    <Phases phases={job.last_phases} /></td>
                  <td data-label="Runs"><Runs results={results} />
                    <span class="under">{count(job.runs)} in all</span></td>
                  <td class={`number${lost > 0 ? " warn" : ""}`} data-label="Skipped"
                    title={`${job.skipped} skipped, ${job.cancelled} cancelled`}>{count(lost)}</td>
                </tr>);
            })}
            {daemon.jobs.length === 0
              && <tr><td colSpan={5} class="empty">No job is configured.</td></tr>}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ran(result: Result | undefined): string {
  if (!result) return "";
  const remarks = [];
  if (result.iterations) remarks.push(`${count(result.iterations)} iterations`);
  if (result.mode === "warm" || result.mode === "incremental") remarks.push(result.mode);
  if (result.converged === false) remarks.push("not converged");
  return remarks.join(", ");
}
