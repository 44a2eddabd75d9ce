// Gauge: what the source and the stream are now, and were in the last five minutes, for the charts.
import type { Source, Stream, StreamPast } from "./answers.ts";
import { get, paths } from "./api.ts";
import { parseTime } from "./format.ts";
import { RateMeter } from "./rate.ts";

export interface Sample {
  at: number; // this machine's clock, in seconds
  rate: number | null; // records a second
  lag: number | null; // records
  age: number | null; // of the watermark, in seconds
}

const SECOND = 1000;
const SAMPLES = 300;

function ageOf(time: number | null, watermark: number | null): number | null {
  return time != null && watermark != null ? (time - watermark) / SECOND : null;
}

export class Gauge {
  source: Source | null = null;
  stream: Stream | null = null;
  samples: Sample[] = [];
  private readonly meter = new RateMeter();

  /** Takes a sample. */
  async look(): Promise<void> {
    const asked = Date.now();
    this.source = await get<Source>(paths.source);
    const at = (asked + Date.now()) / 2; // when it was counted, approximately
    const rate = this.meter.look(at, this.source.records);
    this.stream = await get<Stream>(paths.stream);
    const known = this.source.partitions.map((partition) => partition.lag)
      .filter((lag): lag is number => lag != null);
    this.add([{
      at: at / SECOND,
      rate,
      lag: known.length > 0 ? known.reduce((sum, lag) => sum + lag, 0) : null,
      age: ageOf(parseTime(this.stream.time), parseTime(this.stream.watermark)),
    }]);
  }

  /** Loads what was before the page came, and while it could not reach the daemon. */
  async loadPast(): Promise<void> {
    const { time, samples } = await get<StreamPast>(paths.streamPast);
    const ahead = Date.now() - (parseTime(time) ?? Date.now()); // of the daemon's clock
    this.forget();
    const past = samples.map((sample) => {
      const then = parseTime(sample.time) ?? 0;
      return {
        at: (then + ahead) / SECOND,
        rate: this.meter.look(then + ahead, sample.records),
        lag: sample.lag,
        age: ageOf(then, parseTime(sample.watermark)),
      };
    });
    const [first, last] = [past[0]?.at ?? Infinity, past.at(-1)?.at ?? Infinity];
    const later = this.samples.filter((sample) => sample.at > last);
    this.samples = this.samples.filter((sample) => sample.at < first);
    this.add([...past, ...later]);
  }

  /** Begins a new rate: the next count may be one of another process. */
  forget(): void {
    this.meter.forget();
  }

  private add(more: Sample[]): void {
    this.samples = [...this.samples, ...more].slice(-SAMPLES);
  }
}
