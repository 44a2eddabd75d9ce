#include "connectors/sinks/outbox_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "connectors/sinks/file_lines.h"
#include "connectors/sinks/outbox_line.h"

namespace sash {
namespace {

std::string FileNameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Reads the lines of a file that is opened.
class OutboxReading {
 public:
  OutboxReading(const AppendFile& file, std::string_view head, OutboxFile::Contents& contents)
      : file_(file), head_(head), name_(FileNameOf(file.path())), contents_(contents) {}

  Status Run() {
    Status read = ReadLines(file_, [this](std::string_view line) -> Status {
      TakeLine(line);
      return Ok{};
    });
    if (read.ok()) read = TakeTail();
    if (!read) return read;
    if (contents_.damaged.empty() || is_ours_) return Ok{};
    return Error{ErrorCode::kCorruption,
                 fmt::format("{}:{}: not a message of sash; move the folder away or name another",
                             file_.path(), contents_.damaged.front().number)};
  }

 private:
  void TakeLine(std::string_view line) {
    ++count_;
    std::string_view messages = line;
    const LineSeal seal = TakeSeal(name_, begin_, messages);
    is_ours_ = is_ours_ || seal != LineSeal::kNone;
    std::optional<std::vector<std::uint32_t>> lengths = MessageLengths(messages, head_, seal);
    if (lengths) {
      contents_.lines.push_back(
          {begin_, static_cast<std::uint32_t>(line.size() + 1), *std::move(lengths)});
    } else {
      contents_.damaged.push_back({count_, std::string(line)});
    }
    begin_ += line.size() + 1;
  }

  // A last line without line end but with a right seal is damaged, not torn.
  Status TakeTail() {
    std::string tail(std::max(file_.size(), begin_) - begin_, '\0');
    const Result<std::size_t> read = file_.Read(begin_, tail);
    if (!read) return read.error();
    tail.resize(read.value());
    std::string_view before_end(tail.data(), tail.empty() ? 0 : tail.size() - 1);
    if (TakeSeal(name_, begin_, before_end) != LineSeal::kRight) return Ok{};
    is_ours_ = true;
    contents_.damaged.push_back({count_ + 1, std::move(tail)});
    return Ok{};
  }

  const AppendFile& file_;
  const std::string_view head_;
  const std::string name_;
  OutboxFile::Contents& contents_;
  std::uint64_t begin_ = 0;  // of the next line
  std::uint64_t count_ = 0;  // of lines
  bool is_ours_ = false;     // at least one line has a seal
};

}  // namespace

Result<OutboxFile> OutboxFile::Open(const std::string& path, std::string_view head, bool discard,
                                    Contents& contents) {
  Result<AppendFile> file = AppendFile::Open(path);
  if (!file) return std::move(file).error();
  if (discard) {
    const auto is_ours = [&](std::string_view line) { return line.starts_with(head); };
    if (Status empty = EmptyIfOurs(file.value(), head, is_ours); !empty)
      return std::move(empty).error();
  }
  // Reads the whole lines before it cuts a torn one: a refused file must stay unchanged.
  if (Status read = OutboxReading(file.value(), head, contents).Run(); !read) {
    return std::move(read).error();
  }
  if (Status cut = CutTornLine(file.value(), head); !cut) return std::move(cut).error();
  return OutboxFile(DurableLines(std::move(file).value()), std::string(head));
}

OutboxFile::OutboxFile(DurableLines lines, std::string head)
    : lines_(std::move(lines)), head_(std::move(head)), name_(FileNameOf(path())) {}

OutboxFile::Line OutboxFile::Add(std::string messages, std::vector<std::uint32_t> lengths) {
  const std::uint64_t begin = end();
  messages.append(SealOf(name_, begin, messages)).append("\n");
  const auto whole = static_cast<std::uint32_t>(messages.size());
  lines_.Add(std::move(messages));
  return {begin, whole, std::move(lengths)};
}

Result<bool> OutboxFile::Read(std::uint64_t begin, std::uint32_t whole, std::string& line) const {
  line.assign(whole, '\0');
  Result<std::size_t> read = lines_.file().Read(begin, line);
  if (!read) return std::move(read).error();
  if (read.value() != line.size() || line.back() != '\n') return false;
  std::string_view messages(line.data(), line.size() - 1);
  const LineSeal seal = TakeSeal(name_, begin, messages);
  return MessageLengths(messages, head_, seal).has_value();
}

// The size of the file without what follows its last line that is at its place.
Result<std::uint64_t> OutboxFile::SoundBytes() const {
  std::uint64_t begin = 0;  // of the line
  std::uint64_t sound = 0;
  const Status read = ReadLines(lines_.file(), [&](std::string_view line) -> Status {
    const std::uint64_t end = begin + line.size() + 1;
    const LineSeal seal = TakeSeal(name_, begin, line);
    if (MessageLengths(line, head_, seal)) sound = end;
    begin = end;
    return Ok{};
  });
  if (!read) return read.error();
  return sound;
}

Result<std::uint64_t> OutboxFile::KeepSound() {
  const Result<std::uint64_t> sound = SoundBytes();
  if (!sound) return sound.error();
  const std::uint64_t kept = std::min(sound.value(), end() - kept_bytes());
  lines_ = DurableLines(lines_.TakeFile(kept));
  return kept;
}

Result<bool> OutboxFile::CreateIfGone() {
  const AppendFile& old = lines_.file();
  if (old.place() == FilePlace::kThere) return false;
  if (Status synced = lines_.Sync(); !synced) return std::move(synced).error();
  std::error_code is_there;
  std::filesystem::create_directory(std::filesystem::path(path()).parent_path(), is_there);
  Result<AppendFile> made = AppendFile::Open(path());
  if (!made) return std::move(made).error();
  if (made.value().size() > 0) {
    return Error{ErrorCode::kCorruption, path() + ": another file is at this path; move it away"};
  }
  if (Status copied = made.value().AppendFrom(old, 0); !copied) {
    static_cast<void>(made.value().CutTo(0));
    return std::move(copied).error();
  }
  if (Status synced = made.value().Sync(); !synced) return std::move(synced).error();
  lines_ = DurableLines(std::move(made).value());
  return true;
}

}  // namespace sash
