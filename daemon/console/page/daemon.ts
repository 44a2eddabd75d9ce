// Daemon: what the page knows of the process that served it, and how it keeps that current.
//
// Events report advances, results and readiness. While events are not available, the page polls for
// the same. State without events (the source's progress, filling slices, iterations of a running
// job) is always polled, once a second; the source's progress by itself, so that its rate and lag
// never wait for the many answers at the start. When the daemon does not respond, the page says
// so (Connection) and keeps trying.
import { AlertBook } from "./alerts.ts";
import type { Job, Neighbourhood, Readiness, Result, Slices, Why, Window } from "./answers.ts";
import { get, parse, paths, Refusal, ROWS } from "./api.ts";
import { kept } from "./choice.ts";
import { Connection } from "./connection.ts";
import { EventCounts } from "./event_counts.ts";
import { follow, type ServerEvent } from "./event_stream.ts";
import { Gauge } from "./gauge.ts";
import { setWord } from "./lists.ts";
import { WindowSlices } from "./window_slices.ts";

const SECOND = 1000;
const RESULTS = 60; // of the chosen job
const RUNS = 24; // of the other jobs: how long they took, and whether they list anything
const RETRY_MS = 1500;
const STILL_MS = 10_000; // a window that has not moved for this long may have a reason to show

export class Daemon {
  readonly connection = new Connection(() => this.changed(), () => this.gauge.forget());
  version = "";
  windows: Window[] = [];
  jobs: Job[] = [];
  readiness: Readiness | null = null;
  results = new Map<string, Result[]>(); // by job, newest first
  readonly slices = new WindowSlices();
  why: Why | null = null; // for a window that does not move
  picture: Neighbourhood | null = null;
  readonly gauge = new Gauge();
  readonly book = new AlertBook();
  window = "";
  job = "";

  private listeners = new Set<() => void>();
  private scheduled = false;
  private lastEvent: string | null = null;
  private following = false;
  private readonly events = new EventCounts();
  private moved = { window: "", snapshot: null as number | null, at: 0 };
  private pictured = "";
  private picturing = false;
  private readonly stop = new AbortController();

  /** Calls `listener` after changes, once a frame at most; returns a function that stops it. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  start(): void {
    void this.poll();
    void this.pollSource();
    void this.followEvents();
  }

  choose(window: string, job: string): void {
    const other = window !== this.window;
    this.window = window;
    this.job = job;
    if (other) {
      this.slices.clear();
      this.why = null;
    }
    this.picture = null;
    this.changed();
    void this.connection.attempt(() => this.loadResults(job));
    void this.connection.attempt(() => this.refresh());
  }

  async useToken(value: string): Promise<void> {
    this.connection.useToken(value);
    await this.connection.attempt(() => this.reload());
  }

  /** Looks at once at what changes without an event. */
  async look(): Promise<void> {
    await this.connection.attempt(() => this.refresh());
  }

  resultsOf(job: string): Result[] {
    return this.results.get(job) ?? [];
  }

  // Polling

  private async poll(): Promise<void> {
    let round = 0;
    let loaded = -1; // how often the daemon was lost before the last reload
    for (;;) {
      if (this.connection.mayAsk()) {
        const { losses } = this.connection;
        const reached = await this.connection.attempt(async () => {
          if (loaded !== losses) await this.reload();
          loaded = losses;
          await this.refresh();
          if (!this.following && round % 2 === 0) await this.catchUp();
        });
        if (reached && this.connection.link !== "live") {
          this.connection.become(this.following ? "live" : "polling");
        }
        ++round;
      }
      await pause(SECOND);
    }
  }

  private async pollSource(): Promise<void> {
    for (;;) {
      if (this.connection.mayAsk()) {
        await this.connection.attempt(async () => {
          await this.gauge.look();
          this.changed();
        });
      }
      await pause(SECOND);
    }
  }

  /** Loads everything again: at the start, and when the process may be another one. */
  private async reload(): Promise<void> {
    await this.book.reload();
    await this.loadReadiness(); // the views wait for it, and for the alerts above them
    this.changed();
    this.version = (await get<{ version: string }>(paths.version)).version;
    await this.catchUp();
    await this.gauge.loadPast();
  }

  private async catchUp(): Promise<void> {
    this.windows = await this.events.upToDate<Window[]>("advance", paths.windows);
    this.jobs = await get<Job[]>(paths.jobs);
    await this.loadReadiness();
    [this.window, this.job] = kept(this.window, this.job, this.windows, this.jobs);
    await this.loadResults(this.job); // what the page shows first
    const others = this.jobs.filter((job) => job.name !== this.job);
    await Promise.all(others.map((job) => this.loadResults(job.name)));
    for (const name of [...this.results.keys()]) {
      if (!this.jobs.some((job) => job.name === name)) this.results.delete(name);
    }
    this.changed();
  }

  /** Loads as many results as are shown. */
  private async loadResults(job: string): Promise<void> {
    if (!job) return;
    const path = job === this.job ? paths.results(job, RESULTS, ROWS) : paths.results(job, RUNS, 1);
    this.results.set(job, await this.events.upToDate<Result[]>(`result ${job}`, path));
    this.changed();
  }

  private async loadReadiness(): Promise<void> {
    this.readiness = await this.events.upToDate<Readiness>("ready", paths.ready, [200, 503]);
  }

  /** Polls what is polled with or without events. */
  private async refresh(): Promise<void> {
    this.jobs = await get<Job[]>(paths.jobs);
    if (this.window) await this.refreshSlices();
    await this.refreshWhy();
    await this.book.load(); // alerts come and go while the daemon runs
    this.changed();
    void this.refreshPicture();
  }

  private async refreshWhy(): Promise<void> {
    const window = this.windows.find((each) => each.name === this.window);
    if (!window) return;
    const { name, snapshot } = window;
    if (name !== this.moved.window || snapshot !== this.moved.snapshot) {
      this.moved = { window: name, snapshot, at: Date.now() };
    }
    const still = snapshot == null || Date.now() - this.moved.at >= STILL_MS;
    const why = still ? await get<Why>(paths.why(name)) : null;
    if (name === this.window) this.why = why;
  }

  private async refreshSlices(): Promise<void> {
    const window = this.window;
    const now = await this.events.upToDate<Slices>("advance", paths.slices(window));
    if (window !== this.window) return;
    this.slices.take(now);
  }

  private async refreshPicture(): Promise<void> {
    const job = this.job;
    const newest = this.resultsOf(job)[0];
    const wanted = newest ? `${job} ${newest.snapshot} ${newest.window_end}` : "";
    if (!newest?.top || setWord(newest)) return; // the window around vertices only
    if (this.picturing || (wanted === this.pictured && this.picture)) return;
    this.picturing = true;
    await this.connection.attempt(async () => {
      const picture = await get<Neighbourhood>(paths.neighbourhood(job));
      if (job === this.job) [this.picture, this.pictured] = [picture, wanted];
      this.changed();
    });
    this.picturing = false;
  }

  // Events

  private async followEvents(): Promise<void> {
    for (;;) {
      if (!this.connection.needsToken) {
        try {
          await follow(this.lastEvent, this.stop.signal, () => this.opened(),
            (event) => this.take(event));
        } catch (error) {
          if (error instanceof Refusal) {
            this.connection.noteRefusal(error);
            if (error.status === 400) this.lastEvent = null;
          }
        }
        this.following = false;
        // Until polling finds that the daemon is lost.
        if (this.connection.link === "live") this.connection.become("polling");
      }
      await pause(RETRY_MS);
    }
  }

  private opened(): void {
    this.following = true;
    this.connection.become("live");
  }

  private take(event: ServerEvent): void {
    if (event.id) this.lastEvent = event.id;
    if (event.kind === "advance") this.takeAdvance(parse<Window>(event.text));
    if (event.kind === "result") this.takeResult(parse<Result>(event.text));
    if (event.kind === "ready") this.takeReadiness(parse<Readiness>(event.text));
    if (event.kind === "window" || event.kind === "reload") {
      void this.connection.attempt(() => this.catchUp());
    }
    if (event.kind === "missed") void this.connection.attempt(() => this.reload());
    this.changed();
  }

  private takeReadiness(readiness: Readiness): void {
    this.events.note("ready");
    this.readiness = readiness;
  }

  private takeAdvance(moved: Window): void {
    this.events.note("advance");
    // An advance does not tell the filter of its window.
    this.windows = this.windows
      .map((window) => (window.name === moved.name ? { ...window, ...moved } : window));
    if (!this.windows.some((window) => window.name === moved.name)) {
      void this.connection.attempt(() => this.catchUp());
    }
    if (moved.name === this.window) void this.connection.attempt(() => this.refreshSlices());
  }

  private takeResult(result: Result): void {
    this.events.note(`result ${result.job}`);
    const before = this.resultsOf(result.job)
      .filter((one) => one.snapshot !== result.snapshot);
    const newest = [result, ...before].sort((a, b) => b.snapshot - a.snapshot);
    this.results.set(result.job, newest.slice(0, RESULTS));
    if (result.job === this.job) void this.refreshPicture();
  }

  private changed(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    const tell = () => {
      this.scheduled = false;
      for (const listener of this.listeners) listener();
    };
    if (document.hidden) setTimeout(tell, 0);
    else requestAnimationFrame(tell);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
