// Journal file: rounds of the engine, each as it began, one after another in a file that grows. The
// layout is in windows/durable/README.md.
//
// Thread safety: plain values.
//
// Invariants
//   (1) Reading ends at the first entry that is cut off or damaged. All rounds before it are whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/ingest/partition_table.h"
#include "windows/slide/round_outline.h"

namespace sash {

// How a file continues the ones before it.
struct JournalHead {
  std::uint64_t number = 0;  // of the file; also of the state, if one was taken at its begin
  // This file follows the first `rounds` rounds of the file `after`. If `after` is this file's own
  // number, it follows the state.
  std::uint64_t after = 0;
  std::uint64_t rounds = 0;
  std::uint64_t state = 0;  // that this run continued from, and its first file
  Moment begun;
  Duration shift{};  // how much later the earlier rounds were, in this run's time
  std::vector<TopicPartition> partitions;  // by index
};

std::string JournalFileName(std::uint64_t number);
std::optional<std::uint64_t> JournalFileNumber(std::string_view name);

std::string EncodeHead(const JournalHead& head);
std::string EncodeRound(const RoundOutline& round);

struct JournalFile {
  JournalHead head;
  std::vector<RoundOutline> rounds;
  std::vector<TopicPartition>
      partitions;           // by index: those of the head, then those that rounds name
  std::uint64_t bytes = 0;  // that are sound, from the beginning
};

// How much of a journal can be read, for Folder::ReadWanted(): up to the first entry that is cut
// off or damaged. So memory is used only for sound entries, however long the file is.
class JournalExtent {
 public:
  Result<std::uint64_t> operator()(std::string_view read, std::uint64_t bytes);

 private:
  std::uint64_t sound_ = 0;  // bytes, of whole entries
};

// kCorruption when the head is damaged; kInvalidArgument when the format is too new.
Result<JournalFile> ParseJournal(std::string_view text);

}  // namespace sash
