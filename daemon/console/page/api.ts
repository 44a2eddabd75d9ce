// Requests to the HTTP API of the daemon that served this page. answers.ts has the types of what it
// answers.
/** A response other than the expected one, to a request sent with this token. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string, private readonly held: string | null) {
    super(message);
  }

  /** False when another token has been entered since the request was sent. */
  get needsToken(): boolean {
    return this.status === 401 && this.held === token.get();
  }
}

const TOKEN = "sash-token";
const PATIENCE_MS = 10_000;

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: (value: string) => sessionStorage.setItem(TOKEN, value),
};

export function headers(): Record<string, string> {
  const held = token.get();
  return held ? { Authorization: `Bearer ${held}` } : {};
}

// An integer that a double cannot hold, such as a 64-bit key, stays text.
function exact(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const text = context?.source;
  return text && /^-?\d+$/.test(text) ? text : value;
}

export function parse<T>(text: string): T {
  return JSON.parse(text, exact as (name: string, value: unknown) => unknown) as T;
}

/** GET; throws a Refusal for any other response, a TypeError when nothing responds. */
export function get<T>(path: string, accepted: number[] = [200]): Promise<T> {
  return request<T>("GET", path, accepted);
}

/** What the daemon answered, or why it refused. */
export interface Answer<T> {
  answer: T | null;
  problem: string;
}

/** Like get(), but a refusal is an answer. */
export async function getOrWhy<T>(path: string): Promise<Answer<T>> {
  try {
    return { answer: await get<T>(path), problem: "" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: null, problem: error.message };
  }
}

/** POST without a body; otherwise like get(). Needs the token admin, if there are tokens. */
export function post<T>(path: string): Promise<T> {
  return request<T>("POST", path, [200, 202]);
}

async function request<T>(method: string, path: string, accepted: number[]): Promise<T> {
  const held = token.get();
  const answer = await fetch(path, {
    method, headers: headers(), signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await answer.text();
  if (accepted.includes(answer.status)) return parse<T>(text);
  let message = `${answer.status} ${answer.statusText}`;
  try {
    message = parse<{ error: { message: string } }>(text).error.message;
  } catch {
    // not JSON: the status is enough
  }
  throw new Refusal(answer.status, message, held);
}

const name = encodeURIComponent;
export const API = "/api/v1";

/** How many rows of a result are shown. */
export const ROWS = 20;
const MOST_ROWS = 100_000; // of one answer

export const paths = {
  version: `${API}/version`,
  windows: `${API}/windows`,
  jobs: `${API}/jobs`,
  source: `${API}/source`,
  stream: `${API}/stream`,
  streamPast: `${API}/stream/past`,
  ready: "/readyz",
  events: `${API}/events?top=${ROWS}`,
  slices: (window: string) => `${API}/windows/${name(window)}/slices?limit=10000`,
  why: (window: string) => `${API}/windows/${name(window)}/why`,
  windowVertex: (window: string, key: string) =>
    `${API}/windows/${name(window)}/vertices?limit=0&key=${name(key)}`,
  jobVertex: (job: string, key: string) => `${API}/jobs/${name(job)}/vertices?key=${name(key)}`,
  keys: (window: string, prefix: string, limit: number) =>
    `${API}/windows/${name(window)}/keys?prefix=${name(prefix)}&limit=${limit}`,
  past: (job: string, key: string, limit: number) =>
    `${API}/jobs/${name(job)}/history?key=${name(key)}&limit=${limit}`,
  rows: (job: string, top: number, offset: number) =>
    `${API}/jobs/${name(job)}/results/latest?top=${top}&offset=${offset}`,
  list: (job: string, format: "csv" | "jsonl") =>
    `${API}/jobs/${name(job)}/results/latest?top=${MOST_ROWS}&format=${format}`,
  act: (job: string, action: string) => `${API}/jobs/${name(job)}/${action}`,
  results: (job: string, limit: number, top: number) =>
    `${API}/jobs/${name(job)}/results?limit=${limit}&top=${top}`,
  neighbourhood: (job: string) => `${API}/jobs/${name(job)}/neighbourhood?top=12&neighbours=6`,
};
