// Connection: whether the daemon responds, and how the page follows it: by events or by polling.
import { Refusal, token } from "./api.ts";

export type Link = "connecting" | "live" | "polling" | "lost";

export class Connection {
  link: Link = "connecting";
  lostSince: number | null = null;
  losses = 0; // how often the daemon did not respond
  needsToken = false;

  /** Calls `changed` after each change; `onLost` before it, when the daemon did not respond. */
  constructor(private readonly changed: () => void, private readonly onLost: () => void) {}

  mayAsk(): boolean {
    return !this.needsToken && !document.hidden;
  }

  useToken(value: string): void {
    token.set(value);
    this.needsToken = false;
    this.changed();
  }

  /** Runs requests. False when the daemon did not respond; a refusal is a response. */
  async attempt(what: () => Promise<void>): Promise<boolean> {
    try {
      await what();
      return true;
    } catch (error) {
      if (error instanceof Refusal) {
        this.noteRefusal(error);
        this.changed();
        return true;
      }
      this.lose();
      return false;
    }
  }

  noteRefusal(refusal: Refusal): void {
    if (refusal.needsToken) this.needsToken = true;
  }

  become(link: "live" | "polling"): void {
    this.link = link;
    this.lostSince = null;
    this.changed();
  }

  private lose(): void {
    if (this.link !== "lost") this.lostSince = Date.now();
    ++this.losses;
    this.link = "lost";
    this.onLost();
    this.changed();
  }
}
