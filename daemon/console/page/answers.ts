// The types of the responses of the daemon's HTTP API, as far as the page uses them.
import type { Measured } from "./ranking.ts";

export type Key = string | number;

export interface Window {
  name: string;
  snapshot: number | null;
  window_start: string | null;
  window_end: string | null;
  watermark: string | null;
  edges: number;
  vertices: number;
  slices: number;
  bytes: number;
  empty: boolean;
  late: number;
  refused: number;
  gap: boolean;
  advance_seconds: number | null;
  types?: string[]; // the filter of the window
  where?: string;
}

export interface Slice {
  begin: string | number;
  end: string | number;
  events: number;
  late: number;
  refused: number;
  state: "open" | "closed" | "held";
}

export interface Slices {
  window: string;
  by: "event_time" | "processing_time" | "events";
  length: number | null;
  slide: number;
  slice: number;
  slices: Slice[];
}

export interface Job {
  name: string;
  kernel: string;
  window: string;
  runs: number;
  skipped: number;
  cancelled: number;
  waiting: number;
  running: boolean;
  paused: boolean;
  iteration: number;
  residual: number | null;
  last_seconds: number | null;
  last_phases: Record<string, number> | null; // by "computing_seconds" etc.
  last_skipped: string | null;
}

export interface Row {
  rank: number;
  vertex?: Key;
  component?: Key;
  community?: Key;
  set?: Key;
  score?: number;
  depth?: number;
  distance?: number;
  size?: number;
  baseline_score?: number | null; // these four only of a job with a baseline
  baseline_rank?: number | null;
  rank_change?: number | null;
  surprise?: number | null;
}

export interface Baseline {
  job: string;
  window: string;
  window_end: string;
  results: number;
}

export interface Pair {
  source: Key;
  target: Key;
  edges?: number; // these two only of new_edges, vanished_edges and edge_features
  weight?: number | null;
  types?: string[];
  score?: number | null; // rows of an external job
}

export interface Cycle {
  vertices: Key[]; // an edge leads from each to the next, and from the last to the first
  weight: number | null; // the least of its edges
}

export interface Path {
  vertices: Key[]; // an edge leads from each to the next
  hops: number;
  weight: number | null; // the sum
}

// A pair that entered, with features for a model. A null: the steps were used up before.
export interface Features extends Pair {
  [cycles: `cycles_${number}`]: number | null; // by their number of edges
  weight: number | null;
  source_in_fan: number;
  source_out_fan: number;
  target_in_fan: number;
  target_out_fan: number;
  scatter_gathers: number | null;
  intermediates: number | null;
}

export interface Result {
  job: string;
  kernel: string;
  window: string;
  snapshot: number;
  window_start: string;
  window_end: string;
  watermark: string | null;
  empty: boolean;
  final: boolean; // false: of a live job
  gap: boolean;
  edges: number;
  vertices: number;
  late: number;
  refused: number;
  seconds: number;
  parameters: Record<string, unknown>;
  mode?: string;
  iterations?: number;
  residual?: number;
  converged?: boolean;
  error?: string;
  reached?: number;
  levels?: number[];
  pairs?: number;
  weight?: number;
  triangles?: number;
  degeneracy?: number;
  components?: number;
  communities?: number;
  sets?: number;
  baseline?: Baseline | null; // what it was compared with; null: nothing, for this reason
  baseline_missing?: string;
  top?: Row[];
  top_edges?: Pair[]; // new_edges, vanished_edges; rows of external jobs and plug-ins
  top_cycles?: Cycle[]; // cycles
  cycles?: number;
  top_paths?: Path[]; // paths; `reached` of them
  top_features?: Features[]; // edge_features
  entered?: number; // cycles, edge_features
  since?: string | null; // for these: the end of the window compared with
  truncated?: boolean; // the list has more rows than are shown: `rows` in total
  rows?: number;
}

export interface Partition {
  topic: string;
  partition: number;
  position: number;
  end: number | null;
  lag: number | null;
  paused: boolean;
}

export interface Mapping {
  name: string;
  accepted: number; // edges
  filtered: number; // records
  refused: number; // edges
}

export interface Source {
  kind: string;
  address: string;
  topics: string[];
  records: number;
  bytes: number;
  filtered: number;
  unmapped: number;
  mappings: Mapping[]; // of several
  partitions: Partition[];
  not_ready: string[];
}

export interface Stream {
  time: string;
  watermark: string | null;
  accepted: number;
  late: number;
  open_events: number;
  idle_partitions: number;
}

/** The last five minutes, a sample a second, oldest first. */
export interface StreamPast {
  time: string;
  samples: { time: string; records: number; lag: number | null; watermark: string | null }[];
}

export interface Why {
  window: string;
  reason: string;
  summary: string;
  snapshot: number | null;
  jobs: { name: string; state: string; summary: string }[];
}

export interface Readiness {
  ready: boolean;
  reasons: string[];
  notes?: string[]; // true since the start, and maybe not intended: an embedded broker
}

export interface JobVertex extends Measured {
  vertex: Key;
  rank?: number | null;
}

export interface WindowVertex {
  vertex: Key;
  out_degree: number;
  in_degree: number;
}

export interface Neighbourhood {
  job: string;
  window: string;
  snapshot: number;
  window_end: string;
  whole: boolean;
  vertices: { vertex: Key; place: number | null; out_degree: number; in_degree: number }[];
  edges: {
    source: Key; target: Key; edges: number; weight: number | null; types?: string[];
  }[];
}
