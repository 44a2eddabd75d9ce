#include "connectors/sinks/file_sink.h"

#include <fmt/format.h>

#include "connectors/sinks/result_checksum.h"

namespace sash {
namespace {

constexpr std::string_view kAttempt = "file sink";

}  // namespace

Result<std::unique_ptr<FileSink>> FileSink::Open(const FileSinkSpec& spec,
                                                 const VertexDictionary& keys, bool replay,
                                                 EventLog& log, std::size_t backlog_bytes) {
  Result<ResultFile> file = ResultFile::Open(spec, replay, log);
  if (!file) return std::move(file).error().Within(kAttempt);
  return std::unique_ptr<FileSink>(
      new FileSink(spec, keys, std::move(file).value(), backlog_bytes));
}

void FileSink::Deliver(const CompletedRun& run) {
  const MutexLock lock(mutex_);
  static_cast<void>(Take(run));
}

// Whether a result may be taken for which no commit waits.
bool FileSink::HasRoom() {
  // Where no advance completes, nobody else makes the lines durable.
  if (file_.kept_bytes() > backlog_bytes_ / 2) static_cast<void>(MakeDurable());
  return file_.kept_bytes() <= backlog_bytes_ / 2;
}

bool FileSink::DeliverPartial(const CompletedRun& run) {
  if (!spec_.partial) return true;
  const MutexLock lock(mutex_);
  if (!HasRoom()) return !chosen_.Wants(run.result->job);
  static_cast<void>(Take(run));
  return true;
}

void FileSink::DeliverPast(const CompletedRun& run, std::vector<PastDelivery>& deliveries) {
  std::optional<PastDelivery> past = chosen_.PlanPast(run.result->job, "file:" + spec_.path);
  if (!past) return;
  if (past->state != PastDelivery::State::kLeftOut) {
    const MutexLock lock(mutex_);
    if (!HasRoom()) {
      past->state = PastDelivery::State::kFailed;
      past->why = "too many lines wait in memory until the file can be written";
    } else if (past->state = Take(run); past->state == PastDelivery::State::kLeftOut) {
      past->why = "the result has no rows";
    } else if (const Status durable = MakeDurable(); !durable) {
      past->state = PastDelivery::State::kFailed;
      past->why = durable.error().message + "; it waits in memory";
    }
  }
  deliveries.push_back(*std::move(past));
}

PastDelivery::State FileSink::Take(const CompletedRun& run) {
  const ResultIdentity result = IdentityOf(*run.result);
  std::optional<ResultFile::Where> place;
  std::optional<std::string> lines = LinesFor(run, [&]() SASH_REQUIRES(mutex_) {
    place = file_.PlaceOf(result);
    return !place;
  });
  if (place) {
    ++repeated_;
    file_.Repeat(run.advance->number, result, *place);
  }
  if (lines) {
    Write(run.advance->number, result, *std::move(lines));
    return PastDelivery::State::kWritten;
  }
  return place ? PastDelivery::State::kAlreadyThere : PastDelivery::State::kLeftOut;
}

std::optional<std::string> FileSink::LinesFor(const CompletedRun& run,
                                              const std::function<bool()>& admits) const {
  std::optional<std::string> text = chosen_.TextOf(run, admits);
  if (text) return Line(*std::move(text));
  const std::optional<RowList> rows = chosen_.RowsOf(run, admits);
  if (!rows) return std::nullopt;
  if (!spec_.checksum) return RowLines(*rows, spec_.format);
  std::string lines;
  for (std::size_t i = 0; i < rows->rows; ++i) lines += Line(RowText(*rows, i));
  return lines;
}

std::string FileSink::Line(std::string json) const {
  return (spec_.checksum ? WithChecksum(std::move(json)) : std::move(json)) + '\n';
}

void FileSink::Notify(std::uint64_t advance, const AlertMessage& alert) {
  const MutexLock lock(mutex_);
  if (alert.is_test) return Write(advance, alert.identity, Line(alert.json));
  const std::optional<ResultFile::Where> place = file_.PlaceOf(alert.identity);
  if (!place) return Write(advance, alert.identity, Line(alert.json));
  ++repeated_;
  file_.Repeat(advance, alert.identity, *place);
}

void FileSink::Write(std::uint64_t advance, const ResultIdentity& result, std::string lines) {
  file_.Add(advance, result, std::move(lines));
  // An error here is not lost: Flush() tries again and returns it.
  static_cast<void>(file_.kept_bytes() > backlog_bytes_ ? MakeDurable() : file_.Write());
  while (file_.kept_bytes() > backlog_bytes_ && file_.DropOldest()) {
  }
  NoteCounts();
}

Status FileSink::MakeDurable() {
  Status durable = file_.MakeDurable();
  NoteCounts();
  return durable;
}

void FileSink::NoteCounts() {
  written_total_ = file_.written();
  dropped_ = file_.dropped();
}

Status FileSink::Flush() {
  const MutexLock lock(mutex_);
  Status durable = MakeDurable();
  if (!durable) return std::move(durable).error().Within(kAttempt);
  if (dropped_ > 0) {
    return Error{ErrorCode::kOverloaded,
                 fmt::format("file sink: {}: {} results did not fit into memory while it could not "
                             "be written; a restart writes them",
                             spec_.path, dropped_.load())};
  }
  return Ok{};
}

void FileSink::Look() {
  if (!mutex_.TryLock()) return;
  const MutexLock lock(mutex_, AdoptLock{});
  if (!file_.regular() || file_.IsThere()) return;
  static_cast<void>(MakeDurable());  // Flush() tries again and returns an error
}

void FileSink::Acknowledged(std::uint64_t advances) {
  const MutexLock lock(mutex_);
  file_.Cover(advances);
}

}  // namespace sash
