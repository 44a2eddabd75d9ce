// Server-sent events by fetch, not EventSource, which cannot send an Authorization header.
import { headers, paths, Refusal, token } from "./api.ts";

export interface ServerEvent {
  id: string;
  kind: string;
  text: string;
}

const SILENCE_MS = 40_000; // the daemon sends something at least every 15 s

/** Reads lines of the event stream format; calls `each` for every event. */
export class EventParser {
  private rest = "";
  private id = "";
  private kind = "message";
  private lines: string[] = [];

  constructor(private readonly each: (event: ServerEvent) => void) {}

  take(piece: string): void {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.line(line);
  }

  private line(line: string): void {
    if (line === "") {
      if (this.lines.length > 0 || this.id !== "") {
        this.each({ id: this.id, kind: this.kind, text: this.lines.join("\n") });
      }
      [this.id, this.kind, this.lines] = ["", "message", []];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return; // a comment
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") this.id = value;
    if (field === "event") this.kind = value;
    if (field === "data") this.lines.push(value);
  }
}

/**
 * One connection: calls `each` until it breaks, which is how it always ends. `last` is the id to
 * continue after; `opened` is called when the daemon has accepted.
 */
export async function follow(
  last: string | null, stop: AbortSignal, opened: () => void, each: (event: ServerEvent) => void,
): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const cut = () => silence.abort();
  stop.addEventListener("abort", cut);
  const held = token.get();
  try {
    const answer = await fetch(paths.events, {
      headers: { ...headers(), ...(last ? { "Last-Event-ID": last } : {}) },
      signal: silence.signal,
    });
    if (!answer.ok || !answer.body) {
      throw new Refusal(answer.status, answer.statusText, held);
    }
    opened();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser(each);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.take(value);
    }
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", cut);
  }
}
