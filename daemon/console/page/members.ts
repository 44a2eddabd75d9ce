// The members of a set of vertices, page by page: the set that a vertex is in, or a named one.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Key } from "./answers.ts";
import { API, getOrWhy, type Answer } from "./api.ts";

/** A vertex of the set, or the key by which results name it. */
export type Whose = { key: string } | { set: string };

export interface Members {
  job: string;
  window_end: string;
  component?: Key;
  community?: Key;
  set?: Key;
  size: number;
  members: { vertex: Key; out_degree: number; in_degree: number }[];
}

export interface MembersPage {
  asked: Answer<Members> | null; // null before the first answer
  first: number; // the place of the first member of the page, from 0
  hasNext: boolean;
  next: () => void;
  previous: () => void;
}

export const MEMBERS = 100; // a page

interface Shown {
  about: string;
  page: number;
  order: number; // of the request
  asked: Answer<Members>;
}

function path(job: string, whose: Whose, after: string | undefined): string {
  const asked = new URLSearchParams({ ...whose, limit: String(MEMBERS) });
  if (after !== undefined) asked.set("after", after);
  return `${API}/jobs/${encodeURIComponent(job)}/members?${asked}`;
}

/**
 * A page of the members, asked for again whenever `newest` changes. A page begins behind the last
 * key of the one before it, so it stays where it is in the order of keys. While the next page is
 * awaited, the one before is shown.
 */
export function useMembers(job: string, whose: Whose, newest: number | undefined): MembersPage {
  const about = JSON.stringify([job, whose]);
  const order = useRef(0);
  const [place, setPlace] = useState({ about, trail: [] as string[] }); // the last key of each page
  const trail = place.about === about ? place.trail : [];
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    if (!job) return;
    const now = { about, page: trail.length, order: ++order.current };
    getOrWhy<Members>(path(job, whose, trail.at(-1)))
      .then((asked) => setShown((before) => (before && before.order > now.order
        ? before : { ...now, asked }))) // also of a result that is not the newest now
      .catch(() => undefined); // no response: the banner says so
  }, [about, trail.length, newest]);
  const now = shown?.about === about ? shown : null;
  const page = now?.page ?? 0;
  const members = now?.asked.answer?.members ?? [];
  const last = members.at(-1);
  return {
    asked: now?.asked ?? null, first: page * MEMBERS,
    hasNext: last !== undefined && members.length === MEMBERS
      && page * MEMBERS + members.length < (now?.asked.answer?.size ?? 0),
    next: () => {
      if (!last || page !== trail.length) return; // the page before is still shown
      setPlace({ about, trail: [...trail, String(last.vertex)] });
    },
    previous: () => setPlace({ about, trail: trail.slice(0, -1) }),
  };
}
