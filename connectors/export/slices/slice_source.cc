#include "connectors/export/slices/slice_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "connectors/export/log_events.h"
#include "connectors/export/slices/slice_reader.h"
#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

Error Unfit(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

}  // namespace

SliceSource::SliceSource(SliceSourceSpec spec, Wanted wanted, PartitionTable& partitions,
                         BatchQueue& queue, const StreamProgress& progress, EventLog& log)
    : spec_(std::move(spec)),
      wanted_(std::move(wanted)),
      partitions_(partitions),
      log_(log),
      filters_(std::make_shared<const FilterSet>(FilterSet{0, wanted_.filters})),
      reading_(queue, progress) {}

Status SliceSource::Start() {
  Result<StoredStream> found = StoredStream::Find(spec_.path);
  if (!found) return found.error();
  stream_ = std::move(found).value();
  if (Status whole = CheckWhole(); !whole) return std::move(whole).error().Within(spec_.path);
  if (spec_.span) {
    std::erase_if(stream_.slices, [&](const StreamSlice& slice) {
      return slice.begin < spec_.span->from || slice.end > spec_.span->to;
    });
  }
  if (Status fit = CheckSlices(); !fit) return std::move(fit).error().Within(spec_.path);
  if (Status fit = CheckFilters(wanted_.filters); !fit) return fit;
  const std::optional<EventTime> before = stream_.slices.front().previous;
  is_lost_before_ = before && (!spec_.span || *before > spec_.span->from);
  if (!is_lost_before_) stream_.slices.front().lost = 0;  // that was before --from
  batch_.start.emplace();
  for (const StreamSlice& slice : stream_.slices) {
    for (const StreamSlice::Part& part : slice.parts) {
      for (const PartitionRows& rows : part.facts.partitions) {
        const PartitionIndex index = partitions_.Index(rows.pair);
        std::vector<PartitionIndex>& known = batch_.start->partitions;
        if (std::ranges::find(known, index) == known.end()) known.push_back(index);
      }
    }
  }
  reading_.Start("slice source", [this](const std::stop_token& stop) { Run(stop); });
  return Ok{};
}

// Whether all slices are there that are asked for. What some shards have not closed is left out.
Status SliceSource::CheckWhole() const {
  if (!stream_.unfinished) return Ok{};
  const UnfinishedSlices& unfinished = *stream_.unfinished;
  const std::string until = TimeText(unfinished.closed_until);
  if (spec_.span && unfinished.first_end > spec_.span->to) return Ok{};
  if (spec_.span) {
    return Unfit(
        fmt::format("its slices before --to are closed only until {} by {}; wait until "
                    "they are, or give an earlier --to",
                    until, unfinished.behind));
  }
  log_.Log(export_events::kShardsUnequal,
           fmt::format("{}: it is read until {}, since its slices are closed only so far by {}; {} "
                       "further slices are left out",
                       spec_.path, until, unfinished.behind, unfinished.count));
  return Ok{};
}

// Whether the slices can be the slices of these windows.
Status SliceSource::CheckSlices() const {
  if (stream_.slices.empty()) {
    return Unfit(spec_.span ? "there are no slices between --from and --to"
                            : "there are no slices; give the folder of an export with "
                              "`slices: true`");
  }
  for (const StreamSlice& slice : stream_.slices) {
    for (const StreamSlice::Part& part : slice.parts) {
      const SliceFacts& facts = part.facts;
      if (facts.keys != wanted_.keys) {
        const bool are_integers = facts.keys == KeyKind::kInteger;
        return Unfit(fmt::format("the keys of its slices are {}; set source.export.keys: {}",
                                 are_integers ? "integers" : "texts",
                                 are_integers ? "integer" : "string"));
      }
      if (facts.duplicates > 0 && !wanted_.dedupes) {
        return Unfit(SliceTextName(facts.number) +
                     ": some of its edges are duplicates by id; set source.dedupe as it was when "
                     "the slices were exported");
      }
    }
  }
  const Duration pane = stream_.slices.front().end - stream_.slices.front().begin;
  if (wanted_.pane % pane == Duration::zero()) return Ok{};
  return Unfit(
      fmt::format("its slices are {} s long; the slide and the offset of each window must "
                  "be multiples of that",
                  std::chrono::duration<double>(pane).count()));
}

// A slice of a time when no window had the filter says nothing about it; windows know that from
// EventBatch::unjudged.
Status SliceSource::CheckFilters(const FilterTexts& filters) const {
  for (const std::string& filter : filters) {
    if (JudgesByTypesAlone(filter)) continue;
    const auto knows = [&](const StreamSlice::Part& part) {
      return std::ranges::find(part.facts.filters, filter) != part.facts.filters.end();
    };
    const bool is_known = std::ranges::any_of(stream_.slices, [&](const StreamSlice& slice) {
      return std::ranges::any_of(slice.parts, knows);
    });
    if (is_known) continue;
    return Unfit(
        fmt::format("no slice in {} says which edges pass the filter `{}`: it was not "
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
  for (const StreamSlice& slice : stream_.slices) {
    if (!ReadSlice(slice, stop)) return;
  }
  batch_.end_of_source = true;
  batch_.pane.reset();
  (void)Push(stop);
}

bool SliceSource::Fail(const Error& error) {
  reading_.Fail(fmt::format("{}/{}", spec_.path, error.message));
  return false;
}

bool SliceSource::ReadSlice(const StreamSlice& slice, const std::stop_token& stop) {
  Result<std::optional<SliceReader>> opened = SliceReader::Open(stream_, slice, partitions_);
  if (!opened) return Fail(opened.error());
  lost_ += slice.lost;
  is_lost_before_ = is_lost_before_ || slice.lost > 0 || !opened.value();
  if (!opened.value()) {
    // It has passed `keep` meanwhile.
    ++lost_;
    return true;
  }
  SliceReader& reader = *opened.value();
  pane_ = {
      .begin = slice.begin, .end = slice.end, .lost_before = std::exchange(is_lost_before_, false)};
  batch_.pane = pane_;
  JudgeBy(slice.parts.front().facts.filters);
  while (const SliceRow* const row = reader.Next()) {
    if (judged_ != &reader.filters()) {
      if (!Push(stop)) return false;
      JudgeBy(reader.filters());
    }
    partition_ = reader.partition();
    Put(*row);
    if (batch_.events().size() < kBatchEvents && batch_.bytes() < kBatchBytes) continue;
    if (!Push(stop)) return false;
    JudgeBy(reader.filters());
  }
  if (reader.failure()) return Fail(*reader.failure());
  batch_.pane->is_whole = true;
  batch_.pane->late = slice.late;
  batch_.pane->refused = slice.refused;
  batch_.pane->gap = slice.gap;
  for (const StreamSlice::Part& part : slice.parts) bytes_ += part.facts.table.bytes;
  return Push(stop);
}

// Pushes the batch; the next one is of the same slice.
bool SliceSource::Push(const std::stop_token& stop) {
  rows_ += batch_.events().size();
  if (!reading_.Push(batch_, stop)) return false;
  pane_.lost_before = false;
  batch_.pane = pane_;
  return true;
}

// Judges the next rows, whose bits are for `filters`, by the newest filters of the windows.
void SliceSource::JudgeBy(const FilterTexts& filters) {
  {
    const MutexLock lock(mutex_);
    if (next_filters_ != nullptr) filters_ = std::exchange(next_filters_, nullptr);
  }
  judged_ = &filters;
  batch_.filters = filters_;
  numbers_.emplace(filters, filters_->texts);
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
        has_target ? numbers_->OfEvent(row.passes, row.operation, row.type) : kPassesAll;
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
  status.incidents = {{"lost_slices", lost_}};
  reading_.AddTo(status);
  return status;
}

}  // namespace sash
