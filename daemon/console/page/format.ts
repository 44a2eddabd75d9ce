// Numbers and times as people read them. Times are UTC.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const NOTHING = "–";

export function count(value: number | null | undefined): string {
  return value == null ? NOTHING : whole.format(value);
}

/** 950, 12.3K, 4.6M: for narrow places. */
export function short(value: number | null | undefined): string {
  if (value == null) return NOTHING;
  return value < 10_000 ? whole.format(value) : compact.format(value);
}

export function rate(value: number | null | undefined): string {
  if (value == null) return NOTHING;
  return value < 10 && value > 0 ? value.toFixed(1) : short(value);
}

export function bytes(value: number | null | undefined): string {
  if (value == null) return NOTHING;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; ++unit) value /= 1024;
  return `${unit === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]}`;
}

/** How long something took, or lasts: 0.8 ms, 12 s, 3 min 20 s, 2 h 5 min, 4 d 3 h. */
export function duration(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return NOTHING;
  if (seconds < 0) return `−${duration(-seconds)}`;
  if (seconds === 0) return "0 s";
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${significant(seconds * 1000)} ms`;
  if (seconds < 60) return `${significant(seconds)} s`;
  const parts: [number, string][] = [[86_400, "d"], [3_600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => seconds >= size);
  const [size, name] = parts[first]!;
  const next = parts[first + 1];
  const head = Math.floor(seconds / size);
  const tail = next ? Math.floor((seconds - head * size) / next[0]) : 0;
  return tail > 0 && next ? `${head} ${name} ${tail} ${next[1]}` : `${head} ${name}`;
}

function significant(value: number): string {
  if (Number.isInteger(value)) return value.toFixed(0);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** A score: four significant digits, without an exponent if a few zeros are enough. */
export function score(value: number | null | undefined): string {
  if (value == null) return NOTHING;
  if (Number.isInteger(value)) return whole.format(value);
  const size = Math.abs(value);
  if (size >= 1000) return whole.format(value);
  return size < 1e-5 ? value.toExponential(2) : value.toPrecision(4);
}

export function parseTime(text: string | null | undefined): number | null {
  if (!text) return null;
  const at = Date.parse(text.replace(/(\.\d{3})\d+Z$/, "$1Z"));
  return Number.isNaN(at) ? null : at;
}

/** 10:18:55, with milliseconds only if they are not zero. */
export function clock(at: string | number | null | undefined): string {
  const milliseconds = typeof at === "string" ? parseTime(at) : at;
  if (milliseconds == null) return NOTHING;
  return new Date(milliseconds).toISOString().slice(11).replace(/(\.000)?Z$/, "");
}

export function day(at: string | number | null | undefined): string {
  const milliseconds = typeof at === "string" ? parseTime(at) : at;
  return milliseconds == null ? "" : new Date(milliseconds).toISOString().slice(0, 10);
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}
