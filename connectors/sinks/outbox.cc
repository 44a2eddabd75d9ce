#include "connectors/sinks/outbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "connectors/sinks/outbox_line.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::string_view kReplayHead = "replay-";
constexpr std::string_view kEnding = ".jsonl";
constexpr std::size_t kNameDigits = 12;
constexpr std::string_view kOutboxAttempt = "outbox";
constexpr std::size_t kLongest = std::numeric_limits<std::uint32_t>::max();  // of a line

Error FolderFailure(const std::string& folder, const std::error_code& why) {
  return {ErrorCode::kUnavailable, fmt::format("outbox {}: {}", folder, why.message())};
}

// All files are open, so a large limit needs larger files: descriptors are limited.
std::uint64_t FileBytes(std::uint64_t limit, std::uint64_t wanted) {
  constexpr std::uint64_t kMostFiles = 128;
  const std::uint64_t least = limit / kMostFiles;
  return least > Outbox::kFileBytes ? least : std::min(wanted, limit / 4);
}

}  // namespace

Result<std::unique_ptr<Outbox>> Outbox::Open(const OutboxSpec& spec, bool replay,
                                             std::string_view head, std::uint64_t file_bytes) {
  std::unique_ptr<Outbox> outbox(new Outbox(spec, replay, head, file_bytes));
  const MutexLock lock(outbox->mutex_);
  if (Status read = outbox->ReadFolder(); !read) return std::move(read).error();
  return outbox;
}

Outbox::Outbox(const OutboxSpec& spec, bool replay, std::string_view head, std::uint64_t file_bytes)
    : folder_(spec.path),
      replay_(replay),
      head_(head),
      limit_bytes_(spec.limit_bytes),
      file_bytes_(FileBytes(spec.limit_bytes, file_bytes)) {}

std::string Outbox::NameOf(std::uint64_t number) const {
  return fmt::format("{}{:0{}}{}", replay_ ? kReplayHead : "", number, kNameDigits, kEnding);
}

std::optional<std::uint64_t> Outbox::NumberOf(std::string_view name) const {
  if (replay_) {
    if (!name.starts_with(kReplayHead)) return std::nullopt;
    name.remove_prefix(kReplayHead.size());
  }
  if (name.size() != kNameDigits + kEnding.size() || !name.ends_with(kEnding)) return std::nullopt;
  std::uint64_t number = 0;
  const auto end = std::from_chars(name.data(), name.data() + kNameDigits, number);
  if (end.ec != std::errc() || end.ptr != name.data() + kNameDigits) return std::nullopt;
  return number;
}

std::optional<std::vector<std::uint32_t>> Outbox::LengthsOf(std::string_view line,
                                                            bool verified) const {
  if (line.size() >= kLongest) return std::nullopt;
  std::vector<std::uint32_t> lengths;
  for (bool more = true; more;) {
    const std::size_t tab = line.find('\t');
    if (!line.starts_with(head_) || tab == std::string_view::npos) return std::nullopt;
    const std::size_t end = line.find('\t', tab + 1);
    more = end != std::string_view::npos;
    const std::string_view message = line.substr(0, end);
    if (!verified && (!nlohmann::json::accept(message.substr(0, tab)) ||
                      !nlohmann::json::accept(message.substr(tab + 1)))) {
      return std::nullopt;
    }
    lengths.push_back(static_cast<std::uint32_t>(message.size() + 1));
    if (more) line.remove_prefix(end + 1);
  }
  return lengths;
}

void Outbox::Enter(std::uint64_t file, std::uint64_t line, std::uint32_t whole,
                   std::span<const std::uint32_t> lengths) {
  std::uint32_t begin = 0;
  for (const std::uint32_t& length : lengths) {
    entries_.push_back({.file = file,
                        .line = line,
                        .begin = begin,
                        .length = length,
                        .whole = whole,
                        .state = State::kHere,
                        .more = &length != &lengths.back()});
    begin += length;
  }
}

Status Outbox::ReadFolder() {
  std::error_code failure;
  std::filesystem::create_directory(folder_, failure);
  if (failure) return FolderFailure(folder_, failure);
  std::vector<std::uint64_t> numbers;
  for (auto at = std::filesystem::directory_iterator(folder_, failure);
       !failure && at != std::filesystem::directory_iterator(); at.increment(failure)) {
    if (const auto number = NumberOf(at->path().filename().string())) numbers.push_back(*number);
  }
  if (failure) return FolderFailure(folder_, failure);
  std::ranges::sort(numbers);
  for (const std::uint64_t number : numbers) {
    if (Status opened = OpenFile(number, replay_); !opened) {
      return std::move(opened).error().Within(kOutboxAttempt);
    }
  }
  LetGo();
  if (!files_.empty()) return Ok{};
  if (Status opened = OpenFile(1, replay_); !opened) {
    return std::move(opened).error().Within(kOutboxAttempt);
  }
  return Ok{};
}

Status Outbox::OpenFile(std::uint64_t number, bool discard) {
  Result<AppendFile> file = AppendFile::Open(PathOf(number));
  if (!file) return std::move(file).error();
  if (discard) {
    const auto is_ours = [&](std::string_view line) { return line.starts_with(head_); };
    if (Status empty = file.value().Empty(head_, is_ours); !empty) return empty;
  }
  // Reads the whole lines before it cuts a torn one: a refused file must stay unchanged.
  Result<std::uint64_t> entries = EnterLines(number, file.value());
  if (!entries) return std::move(entries).error();
  if (Status cut = file.value().CutTornLine(head_); !cut) return cut;
  files_.emplace(number, File{DurableLines(std::move(file).value()), entries.value()});
  return Ok{};
}

Result<std::uint64_t> Outbox::EnterLines(std::uint64_t number, const AppendFile& file) {
  std::vector<char> chunk(1 << 20);
  std::string line;
  std::uint64_t begin = 0;  // of `line`
  std::uint64_t lines = 0;
  std::uint64_t count = 0;                                     // of messages
  bool is_ours = false;                                        // at least one line has a seal
  std::vector<std::pair<std::uint64_t, std::string>> damaged;  // lines, by number
  const std::string name = NameOf(number);
  const auto enter = [&]() SASH_REQUIRES(mutex_) {
    std::string_view messages = line;
    const LineSeal seal = TakeSeal(name, begin, messages);
    std::optional<std::vector<std::uint32_t>> lengths;
    if (seal != LineSeal::kWrong) lengths = LengthsOf(messages, seal == LineSeal::kRight);
    is_ours = is_ours || seal != LineSeal::kNone;
    if (lengths) {
      Enter(number, begin, static_cast<std::uint32_t>(line.size() + 1), *lengths);
      count += lengths->size();
    } else {
      damaged.emplace_back(lines, line);
    }
  };
  for (std::uint64_t offset = 0;;) {
    Result<std::size_t> read = file.Read(offset, chunk);
    if (!read) return std::move(read).error();
    if (read.value() == 0) break;
    offset += read.value();
    for (std::string_view rest(chunk.data(), read.value()); !rest.empty();) {
      const std::size_t newline = rest.find('\n');
      line += rest.substr(0, newline);
      if (newline == std::string_view::npos) break;
      ++lines;
      enter();
      begin += line.size() + 1;
      line.clear();
      rest.remove_prefix(newline + 1);
    }
  }
  // A last line without line end but with a right seal is damaged, not torn.
  std::string_view before_end(line.data(), line.empty() ? 0 : line.size() - 1);
  if (TakeSeal(name, begin, before_end) == LineSeal::kRight) {
    is_ours = true;
    damaged.emplace_back(lines + 1, line);
  }
  if (!damaged.empty() && !is_ours) {
    return Error{ErrorCode::kCorruption,
                 fmt::format("{}:{}: not a message of sash; move the folder away or name another",
                             file.path(), damaged.front().first)};
  }
  for (const auto& [place, text] : damaged) {
    NoteDamage(fmt::format("{}:{}", file.path(), place), text);
  }
  return count;
}

// Keeps the line in the file `damaged`, so that a person can inspect it.
void Outbox::NoteDamage(const std::string& where, std::string_view line) {
  Result<AppendFile> kept = AppendFile::Open(folder_ + "/damaged");
  if (kept.ok()) static_cast<void>(kept.value().Append(std::string(line) + "\n"));
  notes_.push_back(
      {Note::Kind::kDamaged, fmt::format("{} is damaged: its checksum is wrong", where), 1});
}

std::vector<Outbox::Note> Outbox::TakeNotes() {
  const MutexLock lock(mutex_);
  return std::exchange(notes_, {});
}

bool Outbox::Append(std::span<const Pair> together) {
  std::string line;
  std::vector<std::uint32_t> lengths;
  for (const auto& [key, value] : together) {
    if (!line.empty()) line += '\t';
    line.append(key).append("\t").append(value);
    lengths.push_back(static_cast<std::uint32_t>(key.size() + value.size() + 2));
  }
  const std::size_t size = line.size() + kSealBytes + 1;
  const MutexLock lock(mutex_);
  if (size > kLongest || bytes_ + size > limit_bytes_) return false;
  // Kept lines may only wait for a sync, or the disk may not take them: a sync shows which.
  const std::size_t kept = files_.rbegin()->second.lines.kept_bytes();
  if (kept + size > kBacklogBytes && !SyncNewest()) return false;
  // Flush() tries again and returns an error; until then lines are kept in memory.
  const bool in_place = LeaveIfCut(files_.rbegin()->first).ok();
  auto& [number, file] = *files_.rbegin();
  line.append(SealOf(NameOf(number), file.lines.end(), line)).append("\n");
  Enter(number, file.lines.end(), static_cast<std::uint32_t>(size), lengths);
  file.entries += lengths.size();
  file.lines.Add(std::move(line));
  if (in_place) static_cast<void>(file.lines.Write());
  BeginNextIfLarge();
  Count();
  return true;
}

void Outbox::BeginNextIfLarge() {
  const auto is_large = [&]() SASH_REQUIRES(mutex_) {
    return files_.rbegin()->second.lines.end() >= file_bytes_;
  };
  if (!is_large() || !SyncNewest() || !is_large()) return;
  // If this fails, the file continues to grow.
  static_cast<void>(OpenFile(files_.rbegin()->first + 1, false));
}

Status Outbox::Flush() {
  const MutexLock lock(mutex_);
  Status synced = SyncNewest();
  if (synced.ok()) synced = KeepPlaces();
  if (!synced) return std::move(synced).error().Within(kOutboxAttempt);
  BeginNextIfLarge();
  return Ok{};
}

// Lines that a cut file took at wrong places are still in memory: they become durable in the next.
Status Outbox::SyncNewest() {
  auto& [number, file] = *files_.rbegin();
  static_cast<void>(file.lines.Write());  // Sync() tries again and returns an error
  if (Status left = LeaveIfCut(number); !left) return left;
  return files_.rbegin()->second.lines.Sync();
}

Status Outbox::KeepPlaces() {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, file] : files_) numbers.push_back(number);
  for (const std::uint64_t number : numbers) {
    if (Status left = LeaveIfCut(number); !left) return left;
    const auto file = files_.find(number);
    if (file == files_.end() || file->second.lines.file().place() == FilePlace::kThere) continue;
    if (Status made = MakeAgain(file->second); !made) return made;
  }
  return Ok{};
}

// If another process has cut the file, new lines would not be at the places that their seals say.
// So the next file begins, with the lines that are not durable yet. Messages that were cut off are
// dropped, except those that are given out: they may still be acknowledged.
Status Outbox::LeaveIfCut(std::uint64_t number) {
  const auto found = files_.find(number);
  if (found == files_.end() || !found->second.lines.is_cut()) return Ok{};
  if (number == files_.rbegin()->first) {
    if (Status opened = OpenFile(number + 1, false); !opened) return opened;
    MoveKept(number);
  }
  const Result<std::uint64_t> sound = SoundBytes(number);
  if (!sound) return sound.error();
  DurableLines& lines = found->second.lines;
  const std::uint64_t kept = std::min(sound.value(), lines.end() - lines.kept_bytes());
  lines = DurableLines(lines.TakeFile(kept));
  const std::uint64_t lost = DropBehind(number, kept);
  notes_.push_back({Note::Kind::kCut,
                    fmt::format("{} was cut by another process to {} bytes; messages that were not "
                                "sent yet and are lost: {}",
                                lines.file().path(), kept, lost),
                    lost});
  LetGo();
  return Ok{};
}

// The lines of a file that are only in memory get places in the newest file.
void Outbox::MoveKept(std::uint64_t from) {
  File& old = files_.at(from);
  auto& [number, file] = *files_.rbegin();
  std::optional<std::uint64_t> moved;  // the previous place of the last line
  std::uint64_t place = 0;
  for (Entry& entry : entries_) {
    if (entry.file != from) continue;
    if (moved != entry.line) {
      const std::string* const kept = old.lines.At(entry.line);
      if (kept == nullptr) continue;
      moved = entry.line;
      place = file.lines.end();
      std::string line = kept->substr(0, kept->size() - kSealBytes - 1);
      line.append(SealOf(NameOf(number), place, line)).append("\n");
      file.lines.Add(std::move(line));
    }
    entry.file = number;
    entry.line = place;
    --old.entries;
    ++file.entries;
  }
}

// The size of the file without what follows its last line that is at its place.
Result<std::uint64_t> Outbox::SoundBytes(std::uint64_t number) const {
  std::uint64_t begin = 0;  // of the line
  std::uint64_t sound = 0;
  const Status read =
      files_.at(number).lines.file().ReadLines([&](std::string_view line) -> Status {
        const std::uint64_t end = begin + line.size() + 1;
        const LineSeal seal = TakeSeal(NameOf(number), begin, line);
        if (seal != LineSeal::kWrong && LengthsOf(line, seal == LineSeal::kRight)) sound = end;
        begin = end;
        return Ok{};
      });
  if (!read) return read.error();
  return sound;
}

// Drops the messages of the file's lines that do not end before `end` and are not given out;
// returns their number.
std::uint64_t Outbox::DropBehind(std::uint64_t number, std::uint64_t end) {
  std::uint64_t dropped = 0;
  for (Entry& entry : entries_) {
    if (entry.file != number || entry.line + entry.whole <= end) continue;
    if (entry.state != State::kHere) continue;
    entry.state = State::kAcknowledged;
    ++dropped;
  }
  return dropped;
}

// Creates the file again, with the content of the file that is still open.
Status Outbox::MakeAgain(File& file) {
  if (Status synced = file.lines.Sync(); !synced) return synced;
  const AppendFile& old = file.lines.file();
  std::error_code is_there;
  std::filesystem::create_directory(folder_, is_there);
  Result<AppendFile> made = AppendFile::Open(old.path());
  if (!made) return std::move(made).error();
  if (made.value().size() > 0) {
    return Error{ErrorCode::kCorruption,
                 old.path() + ": another file is at this path; move it away"};
  }
  std::vector<char> chunk(1 << 20);
  for (std::uint64_t at = 0;;) {
    Result<std::size_t> count = old.Read(at, chunk);
    if (!count) return std::move(count).error();
    if (count.value() == 0) break;
    at += count.value();
    if (Status added = made.value().Append({chunk.data(), count.value()}); !added) {
      static_cast<void>(made.value().CutTo(0));
      return added;
    }
  }
  if (Status synced = made.value().Sync(); !synced) return synced;
  notes_.push_back({Note::Kind::kMadeAgain,
                    old.path() + " was moved or deleted by another process; it is created again",
                    0});
  file.lines = DurableLines(std::move(made).value());
  return Ok{};
}

// Reads the line of an entry into line_. Returns whether its bytes are those that were written.
Result<bool> Outbox::ReadLine(const Entry& entry) {
  const AppendFile& file = files_.at(entry.file).lines.file();
  line_file_ = 0;
  line_.assign(entry.whole, '\0');
  Result<std::size_t> read = file.Read(entry.line, line_);
  if (!read) return std::move(read).error().Within(kOutboxAttempt);
  if (read.value() != line_.size() || line_.back() != '\n') return false;
  std::string_view messages(line_.data(), line_.size() - 1);
  const LineSeal seal = TakeSeal(NameOf(entry.file), entry.line, messages);
  if (seal == LineSeal::kWrong || !LengthsOf(messages, seal == LineSeal::kRight)) return false;
  line_file_ = entry.file;
  line_at_ = entry.line;
  return true;
}

// The text of one message. kCorruption: its line is damaged.
Result<std::string> Outbox::TextOf(const Entry& entry) {
  if (const std::string* kept = files_.at(entry.file).lines.At(entry.line)) {
    return kept->substr(entry.begin, entry.length);
  }
  if (line_file_ != entry.file || line_at_ != entry.line) {
    Result<bool> read = ReadLine(entry);
    if (!read) return std::move(read).error();
    if (!read.value()) return Error{ErrorCode::kCorruption, "a line of the outbox is damaged"};
  }
  return line_.substr(entry.begin, entry.length);
}

// Drops all messages of this message's line that are not given out.
void Outbox::DropLine(std::uint64_t id) {
  const Entry damaged = entries_[id - first_id_];
  NoteDamage(fmt::format("{}: the line at byte {}", PathOf(damaged.file), damaged.line), line_);
  for (std::uint64_t i = id - first_id_; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.file != damaged.file || entry.line != damaged.line) break;
    if (entry.state == State::kHere) entry.state = State::kAcknowledged;
  }
  LetGo();
}

Result<std::optional<Outbox::Message>> Outbox::Next() {
  const MutexLock lock(mutex_);
  while (next_id_ < first_id_ + entries_.size()) {
    Entry& entry = entries_[next_id_ - first_id_];
    if (entry.state != State::kHere) {
      ++next_id_;
      continue;
    }
    Result<std::string> text = TextOf(entry);
    if (!text && text.error().code != ErrorCode::kCorruption) return std::move(text).error();
    if (!text) {
      const std::uint64_t file = entry.file;
      if (files_.at(file).lines.is_cut() && LeaveIfCut(file).ok()) continue;
      DropLine(next_id_);
      continue;
    }
    const std::string_view line(text.value().data(), text.value().size() - 1);
    const std::size_t tab = line.find('\t');
    SASH_CHECK(tab != std::string_view::npos);
    entry.state = State::kGivenOut;
    return std::optional(Message{.id = next_id_++,
                                 .key = std::string(line.substr(0, tab)),
                                 .value = std::string(line.substr(tab + 1)),
                                 .more = entry.more});
  }
  return std::optional<Message>();
}

bool Outbox::has_next() const {
  const MutexLock lock(mutex_);
  return std::any_of(entries_.begin() + static_cast<std::ptrdiff_t>(next_id_ - first_id_),
                     entries_.end(),
                     [](const Entry& entry) { return entry.state == State::kHere; });
}

Outbox::Entry* Outbox::Find(std::uint64_t id) {
  SASH_CHECK(id < first_id_ + entries_.size());
  return id < first_id_ ? nullptr : &entries_[id - first_id_];
}

void Outbox::Acknowledge(std::uint64_t id) {
  const MutexLock lock(mutex_);
  Entry* const entry = Find(id);
  if (entry == nullptr || entry->state == State::kAcknowledged) return;
  entry->state = State::kAcknowledged;
  LetGo();
}

void Outbox::Return(std::uint64_t id) {
  const MutexLock lock(mutex_);
  Entry* const entry = Find(id);
  if (entry == nullptr || entry->state != State::kGivenOut) return;
  entry->state = State::kHere;
  next_id_ = std::min(next_id_, id);
}

void Outbox::ReturnAll() {
  const MutexLock lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.state == State::kGivenOut) entry.state = State::kHere;
  }
  next_id_ = first_id_;
}

void Outbox::LetGo() {
  while (!entries_.empty() && entries_.front().state == State::kAcknowledged) {
    --files_.at(entries_.front().file).entries;
    entries_.pop_front();
    ++first_id_;
  }
  next_id_ = std::max(next_id_, first_id_);
  while (files_.size() > 1 && files_.begin()->second.entries == 0) {
    std::error_code gone_already;
    std::filesystem::remove(files_.begin()->second.lines.file().path(), gone_already);
    files_.erase(files_.begin());
  }
  // If cutting fails, the file is cut before the next line; until then a restart sends it again.
  if (!files_.empty() && entries_.empty()) {
    static_cast<void>(files_.rbegin()->second.lines.Clear());
    line_file_ = 0;
  }
  Count();
}

void Outbox::Count() {
  std::uint64_t bytes = 0;
  for (const auto& [number, file] : files_) bytes += file.lines.end();
  bytes_ = bytes;
  waiting_ = entries_.size();
}

}  // namespace sash
