// The newest result of the chosen job: its list, and a picture of what it lists.
import { useState } from "preact/hooks";
import type { Daemon } from "../daemon.ts";
import { listOf, setWord } from "../lists.ts";
import type { Seen } from "../neighbours.ts";
import { Communities } from "./communities.tsx";
import { Picture } from "./picture.tsx";
import { Ranking } from "./ranking.tsx";
import { RelationPicture } from "./relation_picture.tsx";

export function Newest({ daemon, vertex, set, seen, onVertex, onSet }: {
  daemon: Daemon; vertex: string; set: string; seen: Seen | null;
  onVertex: (key: string) => void; onSet: (key: string) => void;
}) {
  const [marked, setMarked] = useState("");
  const newest = daemon.resultsOf(daemon.job)[0];
  const sets = setWord(newest);
  const list = listOf(newest);
  return (
    <div class="columns">
      <Ranking daemon={daemon} chosen={sets ? set : vertex} marked={marked} onMark={setMarked}
        onVertex={onVertex} onSet={onSet} onJob={(job) => daemon.choose(daemon.window, job)} />
      {sets ? <Communities daemon={daemon} chosen={set} onSet={onSet} />
        : list && list.kind !== "vertex"
          ? <RelationPicture daemon={daemon} chosen={vertex} seen={seen} marked={marked}
            onVertex={onVertex} />
          : <Picture daemon={daemon} chosen={vertex} seen={seen} onVertex={onVertex} />}
    </div>
  );
}
