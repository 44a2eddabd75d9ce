#include "connectors/sinks/outbox_entries.h"

#include <algorithm>

#include "windows/base/check.h"

namespace sash {

namespace {

using State = OutboxEntry::State;

}  // namespace

std::size_t OutboxEntries::Add(std::uint64_t file, const OutboxFile::Line& line) {
  std::uint32_t begin = 0;
  for (const std::uint32_t& length : line.lengths) {
    entries_.push_back({.file = file,
                        .line = line.begin,
                        .begin = begin,
                        .length = length,
                        .whole = line.whole,
                        .state = State::kHere,
                        .more = &length != &line.lengths.back()});
    begin += length;
  }
  return line.lengths.size();
}

std::optional<std::uint64_t> OutboxEntries::FindNext() {
  while (next_id_ < first_id_ + entries_.size()) {
    if (At(next_id_).state == State::kHere) return next_id_;
    ++next_id_;
  }
  return std::nullopt;
}

bool OutboxEntries::has_next() const {
  return std::any_of(entries_.begin() + static_cast<std::ptrdiff_t>(next_id_ - first_id_),
                     entries_.end(),
                     [](const OutboxEntry& entry) { return entry.state == State::kHere; });
}

OutboxEntry* OutboxEntries::Find(std::uint64_t id) {
  SASH_CHECK(id < first_id_ + entries_.size());
  return id < first_id_ ? nullptr : &entries_[id - first_id_];
}

void OutboxEntries::GiveOut(std::uint64_t id) {
  SASH_CHECK(id == next_id_);
  entries_[id - first_id_].state = State::kGivenOut;
  ++next_id_;
}

bool OutboxEntries::Acknowledge(std::uint64_t id) {
  OutboxEntry* const entry = Find(id);
  if (entry == nullptr || entry->state == State::kAcknowledged) return false;
  entry->state = State::kAcknowledged;
  return true;
}

void OutboxEntries::Return(std::uint64_t id) {
  OutboxEntry* const entry = Find(id);
  if (entry == nullptr || entry->state != State::kGivenOut) return;
  entry->state = State::kHere;
  next_id_ = std::min(next_id_, id);
}

void OutboxEntries::ReturnAll() {
  for (OutboxEntry& entry : entries_) {
    if (entry.state == State::kGivenOut) entry.state = State::kHere;
  }
  next_id_ = first_id_;
}

void OutboxEntries::DropLine(std::uint64_t id) {
  const OutboxEntry first = At(id);
  for (std::uint64_t i = id - first_id_; i < entries_.size(); ++i) {
    OutboxEntry& entry = entries_[i];
    if (entry.file != first.file || entry.line != first.line) break;
    if (entry.state == State::kHere) entry.state = State::kAcknowledged;
  }
}

std::uint64_t OutboxEntries::DropBehind(std::uint64_t file, std::uint64_t end) {
  std::uint64_t dropped = 0;
  for (OutboxEntry& entry : entries_) {
    if (entry.file != file || entry.line + entry.whole <= end) continue;
    if (entry.state != State::kHere) continue;
    entry.state = State::kAcknowledged;
    ++dropped;
  }
  return dropped;
}

std::size_t OutboxEntries::MoveLines(
    std::uint64_t from, std::uint64_t to,
    const std::function<std::optional<std::uint64_t>(std::uint64_t line)>& place) {
  std::size_t moved = 0;
  std::optional<std::uint64_t> last;  // the previous place of the last line
  std::uint64_t new_place = 0;
  for (OutboxEntry& entry : entries_) {
    if (entry.file != from) continue;
    if (last != entry.line) {
      const std::optional<std::uint64_t> found = place(entry.line);
      if (!found) continue;
      last = entry.line;
      new_place = *found;
    }
    entry.file = to;
    entry.line = new_place;
    ++moved;
  }
  return moved;
}

std::optional<std::uint64_t> OutboxEntries::ForgetFirst() {
  if (entries_.empty() || entries_.front().state != State::kAcknowledged) return std::nullopt;
  const std::uint64_t file = entries_.front().file;
  entries_.pop_front();
  ++first_id_;
  next_id_ = std::max(next_id_, first_id_);
  return file;
}

}  // namespace sash
