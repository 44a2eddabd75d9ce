// An engine with its real collaborators, fed by scripts of records. Vertices in scripts are
// numbers; the keys are these numbers, or texts made from them.
//
// Thread safety: what the harness itself keeps belongs to one thread, which is the engine thread.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/manual_clock.h"
#include "tests/support/reference_stream.h"
#include "windows/slide/window_engine.h"

namespace sash::testing {

// Records what was refused.
class RefusalRecorder final : public RefusalSink {
 public:
  struct Entry {
    std::int32_t partition;
    std::int64_t offset;
    RefusalReason reason;
    std::string payload;
    std::string detail{};
    std::string places{};
  };
  void Refuse(const RefusedRecord& record) override {
    std::vector<MappedPlace> places;
    for (const RefusedPlace& place : record.places) places.push_back(place.mapped());
    entries.push_back({record.partition, record.offset, record.reason,
                       std::string(record.payload.value_or("")), std::string(record.detail),
                       MappedPlacesText(places)});
  }
  std::vector<Entry> entries;
};

// The text key of a number: 1 to 30 letters and the number, so that keys are short and long.
std::string KeyText(std::int64_t number);
// The number in a vertex's key.
std::int64_t NumberOf(const VertexDictionary& keys, VertexId vertex);

class EngineHarness final : private EngineListener {
 public:
  using Compared = std::map<std::string, std::set<std::uint32_t>>;

  EngineHarness(std::vector<WindowSpec> windows, TimePolicy policy,
                std::uint32_t partition_count = 1, KeyKind kind = KeyKind::kInteger,
                std::function<void(ClosedSlice)> on_slice = {}, Compared compared = {},
                std::vector<std::string> mappings = {}, bool keeps_places = false)
      : keys(kind),
        judged_by_(std::make_shared<const FilterSet>(FilterSet{0, FiltersOf(windows)})),
        on_slice_(std::move(on_slice)),
        keeps_places_(keeps_places),
        policy_(NoAheadCheck(policy)),
        engine_(std::move(windows), policy_,
                {keys, partitions, clock, refusals, stats, progress, *this, std::move(compared),
                 nullptr, std::move(mappings)}) {
    for (std::uint32_t p = 0; p < partition_count; ++p) {
      partitions.Index("replay", static_cast<std::int32_t>(p));
    }
  }

  void Start(RewindPoint resumed = {}) {
    EventBatch batch;
    batch.start.emplace();
    for (PartitionIndex p = 0; p < partitions.size(); ++p) batch.start->partitions.push_back(p);
    batch.start->resumed = std::move(resumed);
    engine_.Process(batch);
  }

  KeyRef Key(std::int64_t number, EventBatch& batch) const {
    if (keys.kind() == KeyKind::kInteger) return KeyRef::Integer(number);
    return KeyRef::Text(batch.Store(KeyText(number)));
  }

  void Append(const ScriptRecord& record, EventBatch& batch) const {
    batch.filters = judged_by_;
    if (record.refused) {
      batch.AddMark(Mark::Kind::kRefused, record.partition, record.offset);
      return;
    }
    if (record.filtered) {
      batch.Add({.time = EventTime(Duration(record.time)),
                 .offset = record.offset,
                 .partition = record.partition,
                 .filtered = true});
      return;
    }
    const bool further = record.place > 0;
    const TextRef payload = further ? batch.events().back().payload
                                    : batch.Store("record " + std::to_string(record.offset));
    batch.Add({.time = EventTime(Duration(record.time)),
               .offset = record.offset,
               .source = Key(record.source, batch),
               .target = Key(record.target, batch),
               .weight = record.weight,
               .payload = payload,
               .partition = record.partition,
               .operation = record.operation,
               .further = further});
    const std::size_t last = batch.events().size() - 1;
    if (record.id != 0) batch.NoteId(last, {.high = 0, .low = record.id});
    if (record.type != 0) batch.NoteType(last, batch.Store(ScriptType(record.type)));
    if (judged_by_->texts.empty()) return;
    FilterBits bits = kPassesAll;
    for (std::size_t i = 0; i < judged_by_->texts.size(); ++i) {
      if (!PassesFilter(record, ParseFilterText(judged_by_->texts[i]))) {
        bits &= ~(FilterBits{1} << i);
      }
    }
    batch.NotePasses(last, bits, bits);
  }

  void Feed(const std::vector<ScriptRecord>& records) {
    EventBatch batch;
    for (const ScriptRecord& record : records) Append(record, batch);
    engine_.Process(batch);
  }

  // Feeds them in batches of 1 to `most` edges; the last record of a batch is fed whole.
  void FeedInBatches(const std::vector<ScriptRecord>& records, std::size_t most,
                     std::mt19937_64& random) {
    for (std::size_t begin = 0; begin < records.size();) {
      const std::size_t end =
          WholeRecords(records, std::min(records.size(), begin + 1 + random() % most));
      Feed({records.begin() + static_cast<std::ptrdiff_t>(begin),
            records.begin() + static_cast<std::ptrdiff_t>(end)});
      begin = end;
    }
  }

  void End() {
    EventBatch batch;
    batch.end_of_source = true;
    engine_.Process(batch);
  }

  // Windows are added and removed between batches.
  Status AddWindow(WindowSpec spec) { return PutWindows({std::move(spec)}); }
  Status PutWindows(std::vector<WindowSpec> specs) {
    return Executed(engine_.PutWindows(std::move(specs)));
  }
  // The windows may have filters that are new. Appended records are judged by these from
  // JudgeByNewest() on.
  Status PutFiltered(std::vector<WindowSpec> specs) {
    FilterTexts held;
    for (const WindowStatus& window : engine_.Windows()) held.push_back(window.spec.filter());
    const auto next = NextSet(*engine_.filter_set(), held, FiltersOf(specs));
    if (!next) return Error{ErrorCode::kInvalidArgument, "too many filters"};
    return Executed(engine_.PutWindows(std::move(specs), std::make_shared<const FilterSet>(*next)));
  }
  void JudgeByNewest() { judged_by_ = engine_.filter_set(); }
  const FilterSetPtr& filter_set() const { return engine_.filter_set(); }
  Status Compare(Compared compared) { return Executed(engine_.Compare(std::move(compared))); }
  Status RemoveWindow(std::string name) { return Executed(engine_.RemoveWindow(std::move(name))); }

  WindowEngine& engine() { return engine_; }

  VertexDictionary keys;
  PartitionTable partitions;
  ManualClock clock;
  RefusalRecorder refusals;
  EngineStats stats;
  StreamProgress progress;
  std::vector<AdvancePtr> advances;
  std::function<void(const AdvancePtr&)> on_recalled = [](const AdvancePtr&) {};
  std::function<void(const std::string&, std::int64_t)> on_all_passed = [](const std::string&,
                                                                           std::int64_t) {};
  std::function<void(AdvancePtr)> on_advance = [this](AdvancePtr advance) {
    advances.push_back(std::move(advance));
  };

 private:
  void OnAdvance(AdvancePtr advance) override { on_advance(std::move(advance)); }
  void OnRecalled(const AdvancePtr& advance) override { on_recalled(advance); }
  void OnAllPassed(const std::string& window, std::int64_t end) override {
    on_all_passed(window, end);
  }
  bool keeps_slices() const override { return static_cast<bool>(on_slice_); }
  bool keeps_places() const override { return keeps_places_; }
  void OnSlice(ClosedSlice slice) override { on_slice_(std::move(slice)); }

  static TimePolicy NoAheadCheck(TimePolicy policy) {
    policy.check_ahead = policy.check_ahead && policy.ahead_limit != Duration::max();
    return policy;
  }

  Status Executed(PendingCommand answer) {
    engine_.Tick();
    return answer.get();
  }

  FilterSetPtr judged_by_;                           // of the records that are appended
  const std::function<void(ClosedSlice)> on_slice_;  // empty: slices are not handed out
  const bool keeps_places_;
  const TimePolicy policy_;
  WindowEngine engine_;
};

// Every visible edge of a view by key, sorted; read from its out-lists or its in-lists.
std::vector<ListedEdge> ListOut(const WindowView& view, const VertexDictionary& keys);
std::vector<ListedEdge> ListIn(const WindowView& view, const VertexDictionary& keys);

// Checks what every view must guarantee (BulkGraphView): degrees, the list of vertices, both
// directions, the bulk traversal. Reports through GoogleTest.
void ExpectConsistent(const WindowView& view, const VertexDictionary& keys);

}  // namespace sash::testing
