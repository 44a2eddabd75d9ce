// Letter replay: sashd --replay-dead-letters. Produces refused records again if the configuration
// can decode them now; counts the others by reason.
//
// Thread safety: belongs to one thread.
#pragma once

#include <string>

#include "daemon/config/config.h"

namespace sash {

struct LetterReplayOptions {
  std::string from;  // a dead-letter file; "topic": source.dead_letters.topic
  std::string into;  // a topic; empty: each record to its own topic and partition
  bool dry_run = false;
};

// Prints what it did (or would do) to standard output, and errors to standard error. Returns the
// exit code.
int ReplayDeadLetters(const Config& config, const LetterReplayOptions& options);

}  // namespace sash
