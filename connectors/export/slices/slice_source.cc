#include "connectors/export/slices/slice_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/export/stored_file.h"

namespace sash {
namespace {

Error Unfit(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

// Which part of a slice's rows is of which partition.
class RowPartitions {
 public:
  RowPartitions(const SliceFacts& facts, PartitionTable& table) : facts_(facts), table_(table) {}

  // The partition of the next row; nothing if the manifest states another one than the row.
  std::optional<PartitionIndex> Of(const SliceRow& row) {
    while (left_ == 0) {
      if (next_ == facts_.partitions.size()) return std::nullopt;
      left_ = facts_.partitions[next_].rows;
      index_ = table_.Index(facts_.partitions[next_++].pair);
    }
    --left_;
    const TopicPartition& pair = facts_.partitions[next_ - 1].pair;
    if (row.partition != pair.partition || row.topic != pair.topic) return std::nullopt;
    return index_;
  }

 private:
  const SliceFacts& facts_;
  PartitionTable& table_;
  std::size_t next_ = 0;
  std::uint64_t left_ = 0;
  PartitionIndex index_ = 0;
};

}  // namespace

SliceSource::SliceSource(SliceSourceSpec spec, Wanted wanted, PartitionTable& partitions,
                         BatchQueue& queue, const StreamProgress& progress)
    : spec_(std::move(spec)),
      wanted_(std::move(wanted)),
      partitions_(partitions),
      pusher_(queue, progress),
      filters_(std::make_shared<const FilterSet>(FilterSet{0, wanted_.filters})) {}

Status SliceSource::Start() {
  folder_.emplace(::open(spec_.path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_->is_open()) return SystemFailure("open " + spec_.path);
  Result<std::vector<SliceFacts>> slices = FindSlices(folder_->number(), spec_.path);
  if (!slices) return slices.error();
  slices_ = std::move(slices).value();
  if (spec_.span) {
    std::erase_if(slices_, [&](const SliceFacts& facts) {
      return facts.begin < spec_.span->from || facts.end > spec_.span->to;
    });
  }
  if (Status fit = CheckSlices(); !fit) return std::move(fit).error().Within(spec_.path);
  if (Status fit = CheckFilters(wanted_.filters); !fit) return fit;
  batch_.start.emplace();
  for (const SliceFacts& facts : slices_) {
    for (const PartitionRows& rows : facts.partitions) {
      const PartitionIndex index = partitions_.Index(rows.pair);
      std::vector<PartitionIndex>& known = batch_.start->partitions;
      if (std::ranges::find(known, index) == known.end()) known.push_back(index);
    }
  }
  thread_ = std::jthread([this](const std::stop_token& stop) {
    pthread_setname_np(pthread_self(), "slice source");
    Run(stop);
  });
  return Ok{};
}

void SliceSource::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

// Whether the slices can be the slices of these windows.
Status SliceSource::CheckSlices() const {
  if (slices_.empty()) {
    return Unfit(spec_.span ? "there are no slices between --from and --to"
                            : "there are no slices; give the folder of an export with "
                              "`slices: true`");
  }
  const Duration pane = slices_.front().pane();
  std::optional<EventTime> end;
  for (const SliceFacts& facts : slices_) {
    const std::string name = SliceTextName(facts.number);
    if (facts.shard) {
      return Unfit(fmt::format("its slices are those of shard {} of {}, which are only a part of "
                               "the stream; give the slices of a process that reads all partitions",
                               facts.shard->number, facts.shard->of));
    }
    if (facts.keys != wanted_.keys) {
      const bool are_integers = facts.keys == KeyKind::kInteger;
      return Unfit(fmt::format("the keys of its slices are {}; set source.export.keys: {}",
                               are_integers ? "integers" : "texts",
                               are_integers ? "integer" : "string"));
    }
    if (facts.pane() != pane || facts.begin.time_since_epoch() % pane != Duration::zero() ||
        (end && facts.begin < *end)) {
      return Error{ErrorCode::kCorruption,
                   name + ": its pane does not follow those of the slices before it"};
    }
    if (facts.duplicates > 0 && !wanted_.dedupes) {
      return Unfit(name + ": it has edges that came before, as their ids say; set source.dedupe "
                          "as it was when the slices were exported");
    }
    end = facts.end;
  }
  if (wanted_.pane % pane == Duration::zero()) return Ok{};
  return Unfit(fmt::format("its slices are {} s long; the slide and the offset of each window must "
                           "be multiples of that",
                           std::chrono::duration<double>(pane).count()));
}

// A slice of a time when no window had the filter says nothing about it; windows know that from
// EventBatch::unjudged.
Status SliceSource::CheckFilters(const FilterTexts& filters) const {
  for (const std::string& filter : filters) {
    const bool is_known = std::ranges::any_of(slices_, [&](const SliceFacts& facts) {
      return std::ranges::find(facts.filters, filter) != facts.filters.end();
    });
    if (is_known) continue;
    return Unfit(fmt::format("no slice in {} says which edges pass the filter `{}`: it was not "
                             "that of a window when they were exported",
                             spec_.path, filter));
  }
  return Ok{};
}

Result<Source::Switch> SliceSource::PrepareFilters(FilterSetPtr filters) {
  if (Status known = CheckFilters(filters->texts); !known) return std::move(known).error();
  return Switch([this, filters = std::move(filters)] {
    const MutexLock lock(mutex_);
    next_filters_ = filters;
  });
}

void SliceSource::Run(const std::stop_token& stop) {
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    if (!ReadSlice(i, stop)) return;
  }
  batch_.end_of_source = true;
  batch_.pane.reset();
  (void)Push(stop);
}

bool SliceSource::Fail(const Error& error) {
  const MutexLock lock(mutex_);
  failure_ = fmt::format("{}/{}", spec_.path, error.message);
  return false;
}

bool SliceSource::ReadSlice(std::size_t i, const std::stop_token& stop) {
  const SliceFacts& facts = slices_[i];
  const std::string name = SliceTextName(facts.number);
  const OwnedDescriptor lock = LockToRead(folder_->number(), name);
  if (!lock.is_open()) {
    // It has passed `keep` meanwhile. The slice after it counts it, unless it is the first one.
    if (!read_) ++lost_;
    return true;
  }
  Result<StoredSlice> opened = StoredSlice::Open(folder_->number(), facts);
  if (!opened) return Fail(opened.error());
  StoredSlice& slice = opened.value();
  const bool has_earlier =
      facts.previous && (!spec_.span || *facts.previous > spec_.span->from);
  const bool is_next = read_ ? facts.number == *read_ + 1 : !has_earlier;
  if (!is_next && read_) lost_ += facts.number - *read_ - 1;
  pane_ = {.begin = facts.begin, .end = facts.end, .lost_before = !is_next};
  batch_.pane = pane_;
  JudgeBy(facts);
  RowPartitions partitions(facts, partitions_);
  while (const SliceRow* const row = slice.Next()) {
    const std::optional<PartitionIndex> partition = partitions.Of(*row);
    if (!partition || row->time >= facts.end) {
      return Fail({ErrorCode::kCorruption,
                   facts.table.name + ": a row is not in the pane, or not of the partition, that "
                                      "the manifest states"});
    }
    partition_ = *partition;
    Put(*row);
    if (batch_.events().size() < kBatchEvents && batch_.bytes() < kBatchBytes) continue;
    if (!Push(stop)) return false;
    JudgeBy(facts);
  }
  if (slice.failure()) return Fail(Error(*slice.failure()).Within(facts.table.name));
  batch_.pane->is_whole = true;
  batch_.pane->late = facts.late;
  batch_.pane->refused = facts.refused;
  batch_.pane->gap = facts.gap;
  read_ = facts.number;
  bytes_ += facts.table.bytes;
  return Push(stop);
}

// Pushes the batch; the next one is of the same slice.
bool SliceSource::Push(const std::stop_token& stop) {
  rows_ += batch_.events().size();
  if (!pusher_.Push(batch_, stop)) return false;
  pane_.lost_before = false;
  batch_.pane = pane_;
  return true;
}

// Judges the next rows by the newest filters.
void SliceSource::JudgeBy(const SliceFacts& facts) {
  {
    const MutexLock lock(mutex_);
    if (next_filters_ != nullptr) filters_ = std::exchange(next_filters_, nullptr);
  }
  batch_.filters = filters_;
  numbers_.emplace(facts.filters, filters_->texts);
  batch_.unjudged = numbers_->unknown();
}

KeyRef SliceSource::KeyOf(std::string_view text, std::int64_t number) {
  if (wanted_.keys == KeyKind::kInteger) return KeyRef::Integer(number);
  return KeyRef::Text(batch_.Store(text));
}

void SliceSource::Put(const SliceRow& row) {
  const std::size_t first = batch_.events().size();
  const bool has_target = row.operation != Operation::kRemoveVertex;
  const KeyRef source = KeyOf(row.source, row.source_number);
  const KeyRef target = has_target ? KeyOf(row.target, row.target_number) : KeyRef();
  batch_.Add(EdgeEvent{.time = row.time,
                       .offset = row.offset,
                       .source = source,
                       .target = target,
                       .weight = row.weight,
                       .partition = partition_,
                       .operation = row.operation});
  if (!filters_->texts.empty()) {
    const FilterBits passes =
        has_target ? numbers_->OfEvent(row.passes, row.operation) : kPassesAll;
    batch_.NotePasses(first, passes, passes);
  }
  if (row.id.is_set()) batch_.NoteId(first, row.id);
  if (!row.type.empty()) batch_.NoteType(first, batch_.Store(row.type));
  if (row.place > 0) batch_.NotePlace(first, EdgePlace{.edge = row.place});
}

SourceStatus SliceSource::status() const {
  SourceStatus status;
  status.kind = "export";
  status.address = spec_.path;
  status.records = rows_;
  status.bytes = bytes_;
  status.held = pusher_.is_held();
  status.incidents = {{"lost_slices", lost_}};
  const MutexLock lock(mutex_);
  if (!failure_.empty()) {
    status.failure = failure_;
    status.not_ready.push_back(failure_);
  }
  return status;
}

}  // namespace sash
