#include "windows/durable/journal.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "windows/durable/numbered_name.h"

namespace sash {
namespace {

constexpr std::size_t kMostWaiting = 1 << 16;  // bytes

// More rounds than any file has. So a later file whose head says this does not follow.
constexpr std::uint64_t kLost = std::numeric_limits<std::uint64_t>::max();

// Each run of the process has its own order of partitions. The rounds of all runs use the order of
// `partitions`.
void NamePartitions(JournalFile& file, std::vector<TopicPartition>& partitions) {
  std::vector<PartitionIndex> places;
  for (const TopicPartition& pair : file.partitions) {
    const auto known = std::ranges::find(partitions, pair);
    places.push_back(static_cast<PartitionIndex>(known - partitions.begin()));
    if (known == partitions.end()) partitions.push_back(pair);
  }
  for (RoundOutline& round : file.rounds) {
    for (RoundOutline::Item& item : round.items) item.partition = places[item.partition];
  }
}

// Adds the rounds of a file to the ones found before. Returns false when the file does not follow
// them.
bool Follow(std::uint64_t number, std::uint64_t state, JournalFile file, JournalledRounds& found) {
  using Part = JournalledRounds::Part;
  const JournalHead& head = file.head;
  if (number == state || (head.after == number && head.state == state)) {
    found.rounds.clear();
    found.partitions.clear();
    found.parts.clear();
    found.begun = head.begun;
    found.continues = number == state;
  } else {
    const auto before = std::ranges::find(found.parts, head.after, &Part::file);
    if (before == found.parts.end() || head.rounds > before->rounds) return false;
    std::uint64_t rounds = head.rounds;
    for (auto part = found.parts.begin(); part != before; ++part) rounds += part->rounds;
    const auto is_far = [&head](const Moment& moment) {
      return !IsPlausible(moment.steady + head.shift);
    };
    if (is_far(*found.begun)) return false;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      if (is_far(found.rounds[i].at)) return false;
    }
    before->rounds = head.rounds;
    found.parts.erase(before + 1, found.parts.end());
    found.rounds.resize(rounds);
    for (RoundOutline& round : found.rounds) round.at.steady += head.shift;
    found.begun->steady += head.shift;
  }
  NamePartitions(file, found.partitions);
  found.parts.push_back({number, file.rounds.size()});
  std::ranges::move(file.rounds, std::back_inserter(found.rounds));
  return true;
}

}  // namespace

Result<JournalledRounds> ReadJournal(const Folder& folder, std::uint64_t state) {
  const Result<std::vector<std::uint64_t>> listed = NumbersIn(folder, JournalFileNumber);
  if (!listed) return listed.error();
  const std::vector<std::uint64_t>& numbers = listed.value();
  JournalledRounds found;
  found.newest = std::max(state, numbers.empty() ? 0 : numbers.back());
  // Files after an unreadable one may still be usable: a later run that continued without it wrote
  // them.
  for (const std::uint64_t number : numbers) {
    if (number < state) continue;
    const std::string name = JournalFileName(number);
    const Result<std::string> text = folder.ReadWanted(name, JournalExtent());
    if (!text && text.error().code == ErrorCode::kCorruption) {
      found.remark = text.error().message;
      continue;
    }
    if (!text) return text.error();
    Result<JournalFile> file = ParseJournal(text.value());
    if (!file) {
      if (file.error().code != ErrorCode::kCorruption) return std::move(file).error().Within(name);
      found.remark = name + ": " + file.error().message;
      continue;
    }
    if (!Follow(number, state, std::move(file).value(), found)) {
      found.remark = name + " does not follow what could be read";
    }
  }
  return found;
}

std::map<TopicPartition, std::int64_t> ReachedOffsets(const JournalledRounds& rounds) {
  std::map<TopicPartition, std::int64_t> reached;
  for (const RoundOutline& round : rounds.rounds) {
    for (const RoundOutline::Item& item : round.items) {
      const bool has_records = item.kind == RoundOutline::ItemKind::kEvents ||
                               item.kind == RoundOutline::ItemKind::kRefused;
      if (!has_records) continue;
      std::int64_t& next = reached[rounds.partitions[item.partition]];
      next = std::max(next, item.offset + 1);
    }
  }
  return reached;
}

void Journal::Resume(std::uint64_t state, const JournalledRounds& rounds) {
  state_ = state;
  parts_ = rounds.parts;
  newest_ = rounds.newest;
}

void Journal::Begin(std::uint64_t done, Duration shift, const Moment& now,
                    std::vector<TopicPartition> partitions) {
  ++newest_;
  head_ = {.number = newest_,
           .after = newest_,
           .rounds = 0,
           .state = state_,
           .begun = now,
           .shift = shift,
           .partitions = std::move(partitions)};
  if (!parts_.empty()) head_.after = parts_.front().file;
  for (const JournalledRounds::Part& part : parts_) {
    if (done == 0) break;
    head_.after = part.file;
    head_.rounds = std::min(done, part.rounds);
    done -= head_.rounds;
  }
  noted_ = 0;
  Open();
}

std::uint64_t Journal::Turn(const Moment& now) {
  Write();
  const std::uint64_t rounds = failure_ ? kLost : noted_;
  failure_.reset();
  file_.reset();
  waiting_.clear();
  head_.after = head_.number;
  head_.number = ++newest_;
  head_.rounds = rounds;
  head_.state = head_.number;
  head_.begun = now;
  head_.shift = {};
  noted_ = 0;
  Open();
  return head_.number;
}

void Journal::Note(const RoundOutline& round) {
  head_.partitions.insert(head_.partitions.end(), round.named.begin(), round.named.end());
  if (failure_) return;
  waiting_ += EncodeRound(round);
  ++noted_;
  ++figures_.rounds;
  if (waiting_.size() >= kMostWaiting) Write();
}

void Journal::Hold(const RoundOutline& round) { held_ = round; }

void Journal::Keep() {
  if (held_) Note(*std::exchange(held_, std::nullopt));
}

void Journal::Write() {
  Keep();
  if (waiting_.empty()) return;
  if (!failure_) Append(waiting_);
  waiting_.clear();
}

void Journal::Open() {
  Result<std::unique_ptr<FileWriter>> created = folder_.Create(JournalFileName(head_.number));
  if (!created) return NoteFailure(created.error());
  file_ = std::move(created).value();
  Append(EncodeHead(head_));
}

void Journal::Append(std::string_view bytes) {
  const Status appended = file_->Append(bytes);
  if (appended) figures_.bytes += bytes.size();
  NoteFailure(appended);
}

void Journal::NoteFailure(const Status& status) {
  if (status.ok()) return;
  failure_ = status.error().message;
  ++figures_.failures;
}

void Journal::Collect(std::uint64_t state) {
  const Result<std::vector<std::uint64_t>> numbers = NumbersIn(folder_, JournalFileNumber);
  if (!numbers) return;
  for (const std::uint64_t number : numbers.value()) {
    // A file that cannot be deleted is tried again with the next state.
    if (number < state) (void)folder_.Remove(JournalFileName(number));
  }
}

}  // namespace sash
