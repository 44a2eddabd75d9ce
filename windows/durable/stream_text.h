// The state of the stream and of its partitions as bytes.
//
// Thread safety: pure functions.
#pragma once

#include "windows/durable/byte_text.h"
#include "windows/slide/engine_state.h"

namespace sash {

void PutStream(const EngineState& state, ByteWriter& writer);
// Adds the partitions to a state that has none.
void GetStream(ByteReader& reader, EngineState& state);

// With a journal: its number, and of each partition how long it has been silent, and whether it had
// caught up.
void PutJournal(const EngineState& state, ByteWriter& writer);
void GetJournal(ByteReader& reader, EngineState& state);

// The newest record that is known of each partition, if any.
void PutAnchors(const EngineState& state, ByteWriter& writer);
void GetAnchors(ByteReader& reader, EngineState& state);

}  // namespace sash
