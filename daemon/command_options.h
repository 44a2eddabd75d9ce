// The command line of sashd: its options, which of them may be combined, and what it prints about
// wrong ones.
//
// Thread safety: pure functions, but for what they print.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "daemon/letters/letter_replay.h"

namespace sash {

struct CommandOptions {
  std::string config;
  std::string check;
  std::string record;
  std::string infer;
  std::string topic;  // of --infer, or of the records of --record
  std::string brokers;
  std::string print_config;
  std::string verify;
  LetterReplayOptions letters;
  bool dry_run = false;
  bool probe = false;
  bool replay = false;
  std::string from;
  std::string to;
  std::string refuse_at_most = "50%";
  double refused_share = 0;  // the same, as a fraction of the records
  bool print_schema = false;
  bool version = false;
};

// Returns an exit code when the command line is wrong or asks for help.
std::optional<int> ParseOptions(int argc, char** argv, CommandOptions& options);

// Prints what is wrong, and the usage, to standard error. Returns the exit code.
int Misused(std::string_view what);

// Prints to standard output. Returns the exit code: a failed write is a failure.
int Print(const std::string& text);

}  // namespace sash
