// What a window that has not advanced yet is waiting for.
import type { Window } from "../api.ts";
import type { Daemon } from "../daemon.ts";

export function FirstAdvance({ daemon, window }: { daemon: Daemon; window: Window | undefined }) {
  if (window == null || window.snapshot != null) return null;
  return (
    <section class="panel first-advance" aria-labelledby="first-advance-title">
      <h2 id="first-advance-title">Why there is no result yet</h2>
      <p>
        {daemon.stream?.watermark
          ? "The first advance comes when the watermark passes the end of the first slice."
          : "No event has been read yet: the first one begins the first window."}
      </p>
    </section>
  );
}
