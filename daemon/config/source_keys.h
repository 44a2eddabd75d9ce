// The sections of the source that have no reader of their own (sections.h): their rows (key_row.h),
// and the contexts of these rows.
//
// Thread safety: any thread; the rows never change.
#pragma once

#include <optional>

#include "daemon/config/config.h"
#include "daemon/config/key_row.h"
#include "daemon/config/yaml_section.h"

namespace sash {

// source.replay
const KeyRows<SourceConfig>& ReplayRows();

// source.export
const KeyRows<SourceConfig>& SliceSourceRows();

// source.time
struct TimeContext {
  bool replay = false;
  std::optional<bool> maps_time;  // none: unknown, the format is invalid
};

const KeyRows<SourceConfig, TimeContext>& TimeRows();

// source.dead_letters
struct LettersContext {
  const KafkaSpec* source = nullptr;  // none: a replay
};

const KeyRows<DeadLetterSpec, LettersContext>& LettersRows();
const KeyRows<OutboxSpec>& LettersOutboxRows();
// Writing into the file that is being replayed would destroy it.
void CheckDeadLetterPath(const Section& source, const SourceConfig& config);

}  // namespace sash
