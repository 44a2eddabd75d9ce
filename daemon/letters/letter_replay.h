// Letter replay: sashd --replay-dead-letters. Records that were refused and that the configuration
// can decode by now are produced anew; the others are counted, with why.
#pragma once

#include <string>

#include "daemon/config/config.h"

namespace sash {

struct LetterReplayOptions {
  std::string from;  // a dead-letter file; "topic": source.dead_letters.topic
  std::string into;  // a topic; empty: each record to its own topic and partition
  bool dry_run = false;
};

// Prints what it did (or would do) to standard output, what is wrong to standard error. The exit
// code.
int ReplayDeadLetters(const Config& config, const LetterReplayOptions& options);

}  // namespace sash
