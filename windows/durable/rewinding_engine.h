// RewindingEngine: an engine whose windows are read again after a restart (recovery: replay), and
// are cut as before.
//
// It starts when the stream starts, because the source decides where the stream continues. If the
// stream continues from a state of the journal, the rounds since that state are repeated, and
// windows up to the safe ends are rebuilt without being published. Otherwise the engine starts
// without a state, and the stored files are deleted.
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
  // All arguments must outlive the engine. `around.journal` is `journal.journal()`.
  RewindingEngine(const JournalledEngine::Surroundings& around, RewindJournal& journal,
                  const VertexDictionary& keys)
      : around_(around), journal_(journal), keys_(keys), rounds_(around) {}

  // The engine may continue from this state, which fits its windows. REQUIRES: the engine has
  // processed nothing yet.
  void Resume(RewindBeginning beginning) { beginning_ = std::move(beginning); }

  // Does one round: with a batch from the source, or only a look at the clock.
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
