// The rate of a count that grows in batches: between two looks there may be no batch or two. So the
// rate covers several changes, over the time from the first to the last.

const SPAN_MS = 10_000;
const MOST_QUIET = 2.5; // usual intervals between changes; a longer silence lowers the rate

interface Change {
  at: number; // milliseconds
  count: number;
}

export class RateMeter {
  private changes: Change[] = [];
  private seen: Change | null = null;

  /** Notes a look at the count; returns its growth per second, null while it is unknown. */
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
    if (first === last) return null; // one batch gives no interval
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
