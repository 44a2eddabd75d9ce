// The alerts of the daemon, and their latest messages. Kept current by Daemon.
import type { Key } from "./answers.ts";
import { API, get } from "./api.ts";

export interface FiredAlert {
  alert: string;
  job: string;
  window: string;
  subject: string;
  window_end: string;
  text: string;
  row: { vertex?: Key; component?: Key; community?: Key; source?: Key; target?: Key;
    vertices?: Key[] };
}

export interface Alert {
  name: string;
  job: string;
  state: "waiting" | "quiet" | "pending" | "firing" | "paused";
  summary: string;
  fired: number; // since the process began
  last_fired: string | null;
}

const ALERTS = `${API}/alerts`;
const MOST = 60; // messages that are shown

export class AlertBook {
  alerts: Alert[] = [];
  messages: FiredAlert[] = []; // the newest first
  private readonly lasts = new Map<string, { state: string; last: FiredAlert[] }>();

  /** Asks for all messages again: the process may be another one, which counts from 0. */
  async reload(): Promise<void> {
    this.lasts.clear();
    await this.load();
  }

  /** Asks for the alerts; for the messages of one, only if it has fired since. */
  async load(): Promise<void> {
    this.alerts = await get<Alert[]>(`${ALERTS}?limit=1000`);
    for (const { name, fired, last_fired } of this.alerts) {
      // A process that was started unnoticed may have fired as often, but hardly for the same time.
      const state = `${fired} ${last_fired}`;
      if (this.lasts.get(name)?.state === state) continue;
      const { last } = await get<{ last: FiredAlert[] }>(`${ALERTS}/${encodeURIComponent(name)}`);
      this.lasts.set(name, { state, last });
    }
    const here = new Set(this.alerts.map((alert) => alert.name));
    for (const name of [...this.lasts.keys()]) if (!here.has(name)) this.lasts.delete(name);
    this.messages = [...this.lasts.values()].flatMap((each) => each.last)
      .sort((a, b) => (a.window_end < b.window_end ? 1 : a.window_end > b.window_end ? -1 : 0))
      .slice(0, MOST);
  }

  /** The messages about a vertex, the newest first. */
  about(vertex: string): FiredAlert[] {
    return this.messages.filter((fired) => verticesOf(fired).includes(vertex));
  }
}

/** The vertices that a message is about; none for one about a whole result. */
export function verticesOf({ row }: FiredAlert): string[] {
  const keys = [row.vertex, row.component, row.community, row.source, row.target,
    ...row.vertices ?? []];
  return [...new Set(keys.filter((key): key is Key => key != null).map(String))];
}
