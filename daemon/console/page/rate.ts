// How fast something is counted that is counted in batches: between two looks at the count there
// may be no batch or two. So the rate is that of several changes, over the time from the first to
// the last.

const SPAN_MS = 10_000;
const MOST_QUIET = 2.5; // of the usual time between changes; after that, the silence counts

interface Change {
  at: number; // milliseconds
  count: number;
}

export class RateMeter {
  private changes: Change[] = [];
  private seen: Change | null = null;

  /** A look at the count; returns how much a second it grows, null while nobody knows. */
  look(at: number, count: number): number | null {
    const before = this.seen;
    this.seen = { at, count };
    if (!before || count < before.count) {
      this.changes = [];
      return null;
    }
    if (count > before.count) this.changes.push({ at, count });
    while (this.changes.length > 2 && this.changes[1]!.at <= at - SPAN_MS) this.changes.shift();
    return this.rate(at);
  }

  forget(): void {
    this.changes = [];
    this.seen = null;
  }

  private rate(now: number): number | null {
    const first = this.changes[0];
    const last = this.changes.at(-1);
    if (!first || !last) return this.seen ? 0 : null;
    if (first === last) return null; // one batch tells of no time
    if (now - last.at > SPAN_MS) {
      this.changes = [];
      return 0;
    }
    const usual = (last.at - first.at) / (this.changes.length - 1);
    const quiet = now - last.at - usual * MOST_QUIET;
    const end = quiet > 0 ? now - usual : last.at;
    return ((last.count - first.count) / (end - first.at)) * 1000;
  }
}
