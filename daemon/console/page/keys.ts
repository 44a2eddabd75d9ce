// Keys of a window that begin with what the reader types.
import { useEffect, useState } from "preact/hooks";
import type { Key } from "./answers.ts";
import { get, paths } from "./api.ts";

const PAUSE_MS = 250; // between the last letter and the request
const OFFERED = 20;

/** The first keys of `window` with this prefix; none while it is empty or the answer is awaited. */
export function useKeys(window: string, prefix: string): string[] {
  const about = `${window} ${prefix}`;
  const [found, setFound] = useState({ about: "", keys: [] as string[] });
  useEffect(() => {
    if (!window || !prefix) return;
    let current = true;
    const ask = async () => {
      const { vertices } = await get<{ vertices: { vertex: Key }[] }>(
        paths.keys(window, prefix, OFFERED));
      if (current) setFound({ about, keys: vertices.map(({ vertex }) => String(vertex)) });
    };
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [about]);
  return found.about === about ? found.keys : [];
}
