// Interner: maps the keys of events to ids, under the dictionary's lock.
//
// It keeps the lock from one event to the next, because locking for each event costs more than the
// rest. Call Release() before anything that may wait or look up a key.
//
// Thread safety: belongs to the engine thread.
#pragma once

#include <optional>

#include "windows/ingest/event_batch.h"
#include "windows/ingest/partition_log.h"
#include "windows/ingest/vertex_dictionary.h"
#include "windows/slide/key_lookahead.h"

namespace sash {

class Interner {
 public:
  explicit Interner(VertexDictionary& keys) : keys_(keys) {}

  // Fills `buffered`, which has its default values. `event` belongs to `batch`; `hashes` are those
  // of its keys.
  void Intern(const EventBatch& batch, const EdgeEvent& event, const KeyLookahead::Hashes& hashes,
              BufferedEvent& buffered) {
    const bool has_target = event.operation != Operation::kRemoveVertex;
    if (!writer_) writer_.emplace(keys_);
    if (keys_.kind() == KeyKind::kString) {
      buffered.source = writer_->Intern(batch.Text(event.source.text()), hashes.source);
      buffered.target = has_target ? writer_->Intern(batch.Text(event.target.text()), hashes.target)
                                   : buffered.source;
    } else {
      buffered.source = writer_->Intern(event.source.integer(), hashes.source);
      buffered.target =
          has_target ? writer_->Intern(event.target.integer(), hashes.target) : buffered.source;
    }
    buffered.time = event.time;
    buffered.offset = event.offset;
    if (event.operation == Operation::kAdd) buffered.weight = event.weight;
    buffered.partition = event.partition;
    buffered.operation = event.operation;
    buffered.passes = batch.PassesOf(event);
  }

  void Release() { writer_.reset(); }

 private:
  VertexDictionary& keys_;
  std::optional<VertexDictionary::Writer> writer_;
};

}  // namespace sash
