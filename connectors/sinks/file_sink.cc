#include "connectors/sinks/file_sink.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace sash {
namespace {

constexpr std::string_view kLineHead = R"({"schema":1,"job":)";

}  // namespace

Result<std::unique_ptr<FileSink>> FileSink::Open(const FileSinkSpec& spec,
                                                 const VertexDictionary& keys, bool truncate,
                                                 std::size_t backlog_bytes) {
  constexpr std::string_view kAttempt = "file sink";
  Result<AppendFile> file = AppendFile::Open(spec.path, truncate);
  if (!file) return std::move(file).error().Within(kAttempt);
  HeldResults held;
  if (file.value().regular()) {
    // Whole lines first: a file that is refused must stay as it was.
    Result<HeldResults> found = HeldResults::Read(file.value());
    if (!found) return std::move(found).error().Within(kAttempt);
    held = std::move(found).value();
    Status ready = file.value().CutTornLine(kLineHead);
    // What counts as held must be durable: its results are never produced again.
    if (ready.ok()) ready = file.value().Sync();
    if (!ready) return std::move(ready).error().Within(kAttempt);
  }
  return std::unique_ptr<FileSink>(
      new FileSink(spec, keys, std::move(file).value(), std::move(held), backlog_bytes));
}

FileSink::FileSink(const FileSinkSpec& spec, const VertexDictionary& keys, AppendFile file,
                   HeldResults held, std::size_t backlog_bytes)
    : spec_(spec),
      chosen_(spec, keys),
      backlog_bytes_(backlog_bytes),
      lines_(std::move(file)),
      held_(std::move(held)) {}

void FileSink::Deliver(const CompletedRun& run) {
  std::optional<std::string> text = chosen_.TextOf(run, [&] {
    const bool is_new = held_.Admit(IdentityOf(*run.result));
    if (!is_new) ++repeated_;
    return is_new;
  });
  if (!text) return;
  lines_.Add(*std::move(text) + '\n');
  // An error stays with the lines: Flush() meets it again and returns it.
  static_cast<void>(lines_.kept_bytes() > backlog_bytes_ ? lines_.Sync() : lines_.Write());
  while (lines_.kept_bytes() > backlog_bytes_ && lines_.DropOldest()) ++dropped_;
  written_total_ = lines_.written();
}

Status FileSink::Flush() {
  Status durable = lines_.Sync();
  written_total_ = lines_.written();
  if (!durable) return std::move(durable).error().Within("file sink");
  if (dropped_ > 0) {
    return Error{ErrorCode::kOverloaded,
                 fmt::format("file sink: {}: {} results did not fit into memory while it could not "
                             "be written; a restart writes them",
                             spec_.path, dropped_.load())};
  }
  return Ok{};
}

}  // namespace sash
