// Why a window has no result yet, in the daemon's own words, where it has such an answer.
import type { Window } from "../api.ts";
import type { Daemon } from "../daemon.ts";

/** The sentences of an answer, whatever its members are called: texts, and lists of texts or objects. */
export function sentences(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(sentences);
  if (value && typeof value === "object") {
    const told = value as Record<string, unknown>;
    const named = ["summary", "reason", "message", "sentence", "text", "why", "detail"].filter((name) => name in told);
    const lists = ["reasons", "because", "causes", "partitions"].filter((name) => Array.isArray(told[name]));
    return [...named, ...lists].flatMap((name) => sentences(told[name]));
  }
  return [];
}

export function Why({ daemon, window }: { daemon: Daemon; window: Window | undefined }) {
  const told = daemon.why ? [...new Set(sentences(daemon.why))] : [];
  const waiting = window != null && window.snapshot == null;
  if (told.length === 0 && !waiting) return null;
  const usual = daemon.stream?.watermark
    ? "The first advance comes when the watermark passes the end of the first slice."
    : "No event has been read yet: the first one begins the first window.";
  return (
    <section class="panel why" aria-labelledby="why-title">
      <h2 id="why-title">{waiting ? "Why there is no result yet" : "What comes next"}</h2>
      {told.length > 0
        ? <ul>{told.map((sentence) => <li key={sentence}>{sentence}</li>)}</ul>
        : <p>{usual}</p>}
    </section>
  );
}
