// Journal file: rounds of the engine as they began, one behind the other, in a file that grows.
// The layout is in windows/durable/README.md.
//
// Thread safety: plain values.
//
// Invariants
//   (1) What was cut off, or is damaged, ends the rounds that are read; what came before is whole.
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

// How a file goes on from the ones before it.
struct JournalHead {
  std::uint64_t number = 0;  // of the file, and of the state that was taken when it began
  // The rounds of `after` go before these, so many of them; or none do: these follow the state.
  std::uint64_t after = 0;
  std::uint64_t rounds = 0;
  std::uint64_t state = 0;  // of the checkpoint that this life went on from, and of its first file
  Moment begun;
  Duration shift{};  // how much later the rounds before were, in this life's time
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
      partitions;           // by index: the head's, and behind them those that rounds name
  std::uint64_t bytes = 0;  // that are sound, from the begin on
};

// How much of a journal can be read, for Folder::ReadWanted(): up to the first entry that is cut
// off or damaged. So a file that is longer than its entries takes no memory.
class JournalExtent {
 public:
  Result<std::uint64_t> operator()(std::string_view read, std::uint64_t bytes);

 private:
  std::uint64_t sound_ = 0;  // bytes, of whole entries
};

// kCorruption when not even the head is sound; kInvalidArgument for a format that is too new.
Result<JournalFile> ParseJournal(std::string_view text);

}  // namespace sash
