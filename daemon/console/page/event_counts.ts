// EventCounts: how many events have come, by subject. An answer that was on its way while an event
// about the same subject came may be older than the event, and is asked for again.
import { get } from "./api.ts";

const MOST_AGAIN = 5; // answers in a row that events overtake; the next poll asks again

export class EventCounts {
  private readonly counts = new Map<string, number>();

  note(subject: string): void {
    this.counts.set(subject, (this.counts.get(subject) ?? 0) + 1);
  }

  /** Asks until the answer is not older than the last event about the subject. */
  async upToDate<T>(subject: string, path: string, accepted = [200]): Promise<T> {
    for (let again = 0; ; ++again) {
      const before = this.counts.get(subject);
      const answer = await get<T>(path, accepted);
      if (this.counts.get(subject) === before || again === MOST_AGAIN) return answer;
    }
  }
}
