#include "connectors/sinks/outbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "connectors/sinks/outbox_line.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::string_view kOutboxAttempt = "outbox";

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
    : folder_(spec.path, replay),
      replay_(replay),
      head_(head),
      limit_bytes_(spec.limit_bytes),
      file_bytes_(FileBytes(spec.limit_bytes, file_bytes)) {}

void Outbox::Enter(std::uint64_t file, const OutboxFile::Line& line) {
  files_.at(file).entries += entries_.Add(file, line);
}

Status Outbox::ReadFolder() {
  Result<std::vector<std::uint64_t>> numbers = folder_.Numbers();
  if (!numbers) return std::move(numbers).error();
  if (numbers.value().empty()) numbers.value().push_back(1);
  for (const std::uint64_t number : numbers.value()) {
    if (Status opened = OpenFile(number, replay_); !opened) {
      return std::move(opened).error().Within(kOutboxAttempt);
    }
  }
  LetGo();
  return Ok{};
}

Status Outbox::OpenFile(std::uint64_t number, bool discard) {
  OutboxFile::Contents contents;
  Result<OutboxFile> file = OutboxFile::Open(folder_.PathOf(number), head_, discard, contents);
  if (!file) return std::move(file).error();
  files_.emplace(number, File{std::move(file).value()});
  for (const OutboxFile::Line& line : contents.lines) Enter(number, line);
  for (const auto& [place, text] : contents.damaged) {
    NoteDamage(fmt::format("{}:{}", folder_.PathOf(number), place), text);
  }
  return Ok{};
}

void Outbox::NoteDamage(const std::string& where, std::string_view line) {
  folder_.KeepDamaged(line);
  notes_.push_back(
      {Note::Kind::kDamaged, fmt::format("{} is damaged: its checksum is wrong", where), 1});
}

std::vector<Outbox::Note> Outbox::TakeNotes() {
  const MutexLock lock(mutex_);
  return std::exchange(notes_, {});
}

bool Outbox::AppendWithin(std::uint64_t limit_bytes, std::span<const Pair> together) {
  std::string messages;
  std::vector<std::uint32_t> lengths;
  for (const auto& [key, value] : together) {
    if (!messages.empty()) messages += '\t';
    messages.append(key).append("\t").append(value);
    lengths.push_back(static_cast<std::uint32_t>(key.size() + value.size() + 2));
  }
  const std::size_t size = messages.size() + kSealBytes + 1;
  const MutexLock lock(mutex_);
  if (size > kLongestOutboxLine || bytes_ + size > limit_bytes) return false;
  // Kept lines may only wait for a sync, or the disk may not take them: a sync shows which.
  const std::size_t kept = files_.rbegin()->second.lines.kept_bytes();
  if (kept + size > kBacklogBytes && !SyncNewest()) return false;
  // Flush() tries again and returns an error; until then lines are kept in memory.
  const bool in_place = LeaveIfCut(files_.rbegin()->first).ok();
  auto& [number, file] = *files_.rbegin();
  Enter(number, file.lines.Add(std::move(messages), std::move(lengths)));
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
    if (file == files_.end()) continue;
    const Result<bool> created = file->second.lines.CreateIfGone();
    if (!created) return created.error();
    if (!created.value()) continue;
    notes_.push_back(
        {Note::Kind::kMadeAgain,
         folder_.PathOf(number) + " was moved or deleted by another process; it is created again",
         0});
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
  const Result<std::uint64_t> kept = found->second.lines.KeepSound();
  if (!kept) return kept.error();
  const std::uint64_t lost = entries_.DropBehind(number, kept.value());
  notes_.push_back({Note::Kind::kCut,
                    fmt::format("{} was cut by another process to {} bytes; messages that were not "
                                "sent yet and are lost: {}",
                                folder_.PathOf(number), kept.value(), lost),
                    lost});
  LetGo();
  return Ok{};
}

// The lines of a file that are only in memory get places in the newest file.
void Outbox::MoveKept(std::uint64_t from) {
  File& old = files_.at(from);
  auto& [number, file] = *files_.rbegin();
  const auto place = [&](std::uint64_t line) -> std::optional<std::uint64_t> {
    const std::string* const kept = old.lines.InMemory(line);
    if (kept == nullptr) return std::nullopt;
    return file.lines.Add(kept->substr(0, kept->size() - kSealBytes - 1), {}).begin;
  };
  const std::size_t moved = entries_.MoveLines(from, number, place);
  old.entries -= moved;
  file.entries += moved;
}

// The text of one message. kCorruption: its line is damaged.
Result<std::string> Outbox::TextOf(const OutboxEntry& entry) {
  const OutboxFile& file = files_.at(entry.file).lines;
  if (const std::string* kept = file.InMemory(entry.line)) {
    return kept->substr(entry.begin, entry.length);
  }
  if (last_read_.file != entry.file || last_read_.begin != entry.line) {
    last_read_.file = 0;
    Result<bool> read = file.Read(entry.line, entry.whole, last_read_.text);
    if (!read) return std::move(read).error().Within(kOutboxAttempt);
    if (!read.value()) return Error{ErrorCode::kCorruption, "a line of the outbox is damaged"};
    last_read_.file = entry.file;
    last_read_.begin = entry.line;
  }
  return last_read_.text.substr(entry.begin, entry.length);
}

// Drops all messages of this message's line that are not given out.
void Outbox::DropLine(std::uint64_t id) {
  const OutboxEntry damaged = entries_.At(id);
  NoteDamage(fmt::format("{}: the line at byte {}", folder_.PathOf(damaged.file), damaged.line),
             last_read_.text);
  entries_.DropLine(id);
  LetGo();
}

Result<std::optional<Outbox::Message>> Outbox::Next() {
  const MutexLock lock(mutex_);
  while (const std::optional<std::uint64_t> id = entries_.FindNext()) {
    const OutboxEntry& entry = entries_.At(*id);
    Result<std::string> text = TextOf(entry);
    if (!text && text.error().code != ErrorCode::kCorruption) return std::move(text).error();
    if (!text) {
      const std::uint64_t file = entry.file;
      if (files_.at(file).lines.is_cut() && LeaveIfCut(file).ok()) continue;
      DropLine(*id);
      continue;
    }
    const std::string_view line(text.value().data(), text.value().size() - 1);
    const std::size_t tab = line.find('\t');
    SASH_CHECK(tab != std::string_view::npos);
    entries_.GiveOut(*id);
    return std::optional(Message{.id = *id,
                                 .key = std::string(line.substr(0, tab)),
                                 .value = std::string(line.substr(tab + 1)),
                                 .more = entry.more});
  }
  return std::optional<Message>();
}

bool Outbox::has_next() const {
  const MutexLock lock(mutex_);
  return entries_.has_next();
}

void Outbox::Acknowledge(std::uint64_t id) {
  const MutexLock lock(mutex_);
  if (entries_.Acknowledge(id)) LetGo();
}

void Outbox::Return(std::uint64_t id) {
  const MutexLock lock(mutex_);
  entries_.Return(id);
}

void Outbox::ReturnAll() {
  const MutexLock lock(mutex_);
  entries_.ReturnAll();
}

void Outbox::LetGo() {
  while (const std::optional<std::uint64_t> file = entries_.ForgetFirst()) {
    --files_.at(*file).entries;
  }
  while (files_.size() > 1 && files_.begin()->second.entries == 0) {
    std::error_code gone_already;
    std::filesystem::remove(files_.begin()->second.lines.path(), gone_already);
    files_.erase(files_.begin());
  }
  // If cutting fails, the file is cut before the next line; until then a restart sends it again.
  if (!files_.empty() && entries_.size() == 0) {
    static_cast<void>(files_.rbegin()->second.lines.Clear());
    last_read_.file = 0;
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
