// OutboxEntries: the messages of an outbox in their order, with the place and the state of each. A
// message has a number (id), which stays the same until the outbox is closed.
//
// Thread safety: none; the outbox serialises.
//
// Invariants
//   (1) A message is forgotten only after it and all messages before it are acknowledged.
//   (2) No message before the one that FindNext() returned is here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "connectors/sinks/outbox_file.h"

namespace sash {

struct OutboxEntry {
  enum class State : std::uint8_t { kHere, kGivenOut, kAcknowledged };

  std::uint64_t file = 0;
  std::uint64_t line = 0;    // its offset
  std::uint32_t begin = 0;   // in the line
  std::uint32_t length = 0;  // with the tab or line break after it
  std::uint32_t whole = 0;   // the length of the line, with its line end
  State state = State::kHere;
  bool more = false;  // the next message is in the same line
};

class OutboxEntries {
 public:
  // The messages of a line of `file`, behind all others. Returns their number.
  std::size_t Add(std::uint64_t file, const OutboxFile::Line& line);

  std::size_t size() const { return entries_.size(); }

  // The id of the first message that is here; no value: none is.
  std::optional<std::uint64_t> FindNext();
  bool has_next() const;
  // The message must not be forgotten.
  const OutboxEntry& At(std::uint64_t id) const { return entries_[id - first_id_]; }

  // The message that FindNext() returned.
  void GiveOut(std::uint64_t id);
  // False if the message was acknowledged before.
  bool Acknowledge(std::uint64_t id);
  // Messages that are given out are here again.
  void Return(std::uint64_t id);
  void ReturnAll();

  // Acknowledges all messages in the line of this message that are here.
  void DropLine(std::uint64_t id);
  // Acknowledges the messages in all lines of a file that do not end before `end`; returns the
  // number of messages.
  std::uint64_t DropBehind(std::uint64_t file, std::uint64_t end);

  // Moves lines of file `from` to file `to`, each to the offset that `place` returns for its old
  // offset. A line without a value stays. Returns the number of messages that moved.
  std::size_t MoveLines(
      std::uint64_t from, std::uint64_t to,
      const std::function<std::optional<std::uint64_t>(std::uint64_t line)>& place);

  // Forgets the first message if it is acknowledged, and returns its file.
  std::optional<std::uint64_t> ForgetFirst();

 private:
  OutboxEntry* Find(std::uint64_t id);

  std::deque<OutboxEntry> entries_;  // with ids from first_id_
  std::uint64_t first_id_ = 0;
  std::uint64_t next_id_ = 0;  // no entry before it is kHere
};

}  // namespace sash
