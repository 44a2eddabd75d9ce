// RewindingEngine: an engine whose windows are read again after a restart (recovery: replay), and
// cut where they were.
//
// It begins when the stream does: the source has the last word on where that goes on. From a state
// of the journal, the rounds since then are done again as they were, and windows up to what was
// safe are made again without a word. From elsewhere, the engine begins anew, and what was kept is
// deleted.
//
// Thread safety: Resume() belongs to the owner, before the engine thread; the rest to the engine
// thread.
#pragma once

#include <optional>

#include "windows/base/clock.h"
#include "windows/durable/journalled_engine.h"
#include "windows/durable/rewind_journal.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

class RewindingEngine {
 public:
  // All outlive it; `around.journal` is that of `journal`.
  RewindingEngine(const JournalledEngine::Surroundings& around, RewindJournal& journal,
                  const VertexDictionary& keys)
      : around_(around), journal_(journal), keys_(keys), rounds_(around) {}

  // Where the engine, which has seen nothing yet, can go on: a state that fits its windows.
  void Resume(RewindBeginning beginning) { beginning_ = std::move(beginning); }

  // A round: of what the source read, or nothing.
  void Do(std::optional<EventBatch> batch);

 private:
  void Begin(StreamStart start);
  void Tend();

  const JournalledEngine::Surroundings around_;
  RewindJournal& journal_;
  const VertexDictionary& keys_;
  JournalledEngine rounds_;
  std::optional<RewindBeginning> beginning_;  // until the stream begins
};

}  // namespace sash
