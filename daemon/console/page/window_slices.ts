// WindowSlices: the slices of the chosen window, and those that left it at its last advance.
import type { Slice, Slices } from "./answers.ts";
import { parseTime } from "./format.ts";

export class WindowSlices {
  now: Slices | null = null;
  left: Slice[] = []; // they stay in the picture until the next advance

  take(next: Slices): void {
    const oldest = next.slices.filter((slice) => slice.state === "held").at(-1);
    if (this.now && this.now.window === next.window && oldest) {
      const gone = this.now.slices.filter(
        (slice) => slice.state !== "open" && order(slice.begin) < order(oldest.begin));
      if (gone.length > 0) this.left = gone;
    }
    this.now = next;
  }

  clear(): void {
    [this.now, this.left] = [null, []];
  }
}

/** The place of a begin or an end on the axis of its window. */
export function order(place: string | number): number {
  return typeof place === "number" ? place : (parseTime(place) ?? 0);
}
