// PartitionLog: the events of one partition in an open slice, in the order of their offsets and of
// their places in their records.
//
// Events are stored in chunks that never move, so growing copies nothing. An event takes 16 bytes.
// In chunks that hold a weight other than 1, or a removal, each event takes 9 more for its weight
// and operation (its remark). In chunks that hold an event which a filter of windows does not let
// pass, each event takes 8 more for its FilterBits. In chunks that hold an event with an id, each
// takes 24 more for its id and offset. In chunks that hold an event with a type, each takes 1, 2 or
// 4 more for its type. In a log that keeps places, each takes 16 more.
//
// Thread safety: like a vector.
//
// Invariants
//   (1) The offsets of the events of one log ascend, or stay equal within a record.
//
// PartitionLog has more methods than other classes: most of them read or write one property of the
// log, of a chunk or of an event.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "windows/base/type_column.h"
#include "windows/base/weight_column.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/edge_id.h"
#include "windows/ingest/filter_numbers.h"
#include "windows/ingest/type_filters.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// An accepted event with its vertices as ids.
struct BufferedEvent {
  EventTime time{};
  std::int64_t offset = 0;
  Weight weight{};
  VertexId source = 0;
  VertexId target = 0;
  PartitionIndex partition = 0;
  std::uint32_t edges_before = 0;  // of its record, that were accepted
  Operation operation = Operation::kAdd;
  TypeNumber type = kNoType;
  FilterBits passes = kPassesAll;
  EdgeId id{};
};

class PartitionLog {
 public:
  struct Edge {
    EventTime time;
    VertexId source;
    VertexId target;
  };
  static_assert(sizeof(Edge) == 16);

  // `keeps_places`: keeps the offset of each event, and its place in the record.
  explicit PartitionLog(PartitionIndex partition, bool keeps_places = false)
      : partition_(partition), keeps_places_(keeps_places) {}

  // A copy of the events, which takes as much memory.
  PartitionLog Copy() const;
  // A copy with other numbers of filters. `words`: the types by number - 1.
  PartitionLog Renumbered(const FilterNumbers& numbers, std::span<const std::string> words) const;
  // Judges the events so far by those of the filters `fresh` that judge by type; the events pass
  // none of the others.
  struct Judged {
    std::size_t grown = 0;  // bytes allocated for it
    FilterBits passed = 0;  // the filters by type that some event passes
  };
  Judged Judge(FilterBits fresh, const NumberedTypeFilters& by_type);

  // The event's offset is not below those before. Returns the bytes allocated for it, nearly always
  // 0.
  std::size_t Append(const BufferedEvent& event) {
    const std::size_t grown = next_ == end_ ? Grow() : 0;
    if (size_ == 0) first_offset_ = event.offset;
    last_offset_ = event.offset;
    is_sorted_ = is_sorted_ && event.time >= last_time_;
    last_time_ = event.time;
    least_time_ = std::min(least_time_, event.time);
    greatest_time_ = std::max(greatest_time_, event.time);
    ++size_;
    *next_++ = {event.time, event.source, event.target};
    const bool plain =
        IsPlain(event) && event.type == kNoType && event.passes == kPassesAll && !event.id.is_set();
    if (plain && !last_has_more_) return grown;
    return grown + NoteMore(event);
  }

  PartitionIndex partition() const { return partition_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }
  bool is_sorted() const { return is_sorted_; }  // by time

  // Only if the log is not empty.
  std::int64_t first_offset() const { return first_offset_; }
  std::int64_t last_offset() const { return last_offset_; }
  EventTime least_time() const { return least_time_; }
  EventTime greatest_time() const { return greatest_time_; }

  WeightColumn::Kind weights() const { return weights_; }
  bool only_adds() const { return only_adds_; }
  // Whether there may be an event that does not pass every filter.
  bool has_passes() const { return has_passes_; }
  bool has_ids() const { return has_ids_; }
  bool keeps_places() const { return keeps_places_; }
  // How many of its events readers may see (Slicer::ShowOpen()); the slicer sets it.
  std::size_t shown() const { return shown_; }
  void Show(std::size_t events) { shown_ = events; }
  // The width of a column that can hold all types.
  TypeWidth types() const { return types_; }

  // Calls visit(edges) for each chunk, in order.
  template <typename Visit>
  void ForEachChunk(const Visit& visit) const {
    for (const Chunk& chunk : chunks_) visit(EdgesOf(chunk));
  }

  // Calls visit(edge, weight, operation) for each event, in order.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    ForEachPlace([&](const Chunk& chunk, std::size_t i, const Edge& edge) {
      if (chunk.remarks == nullptr) {
        visit(edge, Weight(), Operation::kAdd);
      } else {
        visit(edge, WeightIn(chunk, i), OperationIn(chunk, i));
      }
    });
  }
  // Calls visit(edge, weight, operation, passes) for each event, in order.
  template <typename Visit>
  void ForEachWithPasses(const Visit& visit) const {
    ForEachPlace([&](const Chunk& chunk, std::size_t i, const Edge& edge) {
      const bool plain = chunk.remarks == nullptr;
      visit(edge, plain ? Weight() : WeightIn(chunk, i),
            plain ? Operation::kAdd : OperationIn(chunk, i),
            chunk.passes == nullptr ? kPassesAll : chunk.passes[i]);
    });
  }

  // Calls visit(event) for each BufferedEvent, in order. Unless the log keeps places, only those
  // with an id have their own offset: the first event has the first offset, and others the last.
  template <typename Visit>
  void ForEachEvent(const Visit& visit) const {
    ForEachPlace([&](const Chunk& chunk, std::size_t i, const Edge&) { visit(EventIn(chunk, i)); });
  }
  // The same for the events from number `first` on, counted from 0. Where a chunk has nothing
  // beside edges and places, visit_plain(edges) gets all of them at once: adds of weight 1, without
  // type and id, which pass every filter.
  template <typename VisitPlain, typename Visit>
  void ForEachRunFrom(std::size_t first, const VisitPlain& visit_plain, const Visit& visit) const {
    for (const Chunk& chunk : chunks_) {
      const std::span<const Edge> edges = EdgesOf(chunk);
      const std::size_t skipped = std::min(first, edges.size());
      first -= skipped;
      if (skipped == edges.size()) continue;
      if (IsPlain(chunk)) {
        visit_plain(edges.subspan(skipped));
      } else {
        for (std::size_t i = skipped; i < edges.size(); ++i) visit(EventIn(chunk, i));
      }
    }
  }

 private:
  static constexpr std::size_t kFirstRoom = 16;
  static constexpr std::size_t kMostRoom = 4096;

  struct Identity {
    EdgeId id;
    std::int64_t offset = 0;
  };
  static_assert(sizeof(Identity) == 24);
  struct RecordPlace {
    std::int64_t offset = 0;
    std::uint32_t edges_before = 0;
  };
  static_assert(sizeof(RecordPlace) == 16);
  struct Chunk {
    std::size_t room = 0;
    std::unique_ptr<Edge[]> edges;
    // Null: adds of weight 1. Otherwise the bits of the weights; after them one byte per event,
    // with the operation and whether the weight is real.
    std::unique_ptr<std::int64_t[]> remarks;
    std::unique_ptr<FilterBits[]> passes;   // null: every event passes every filter
    std::unique_ptr<Identity[]> ids;        // null: no event has an id
    std::unique_ptr<RecordPlace[]> places;  // null: the log does not keep them
    TypeColumn types;                       // empty: no event has a type
  };
  static constexpr unsigned kReal = 4;  // a bit beside the operation

  static bool IsPlain(const BufferedEvent& event) {
    return event.operation == Operation::kAdd && event.weight == Weight();
  }
  static bool IsPlain(const Chunk& chunk) {
    return chunk.remarks == nullptr && chunk.passes == nullptr && chunk.ids == nullptr &&
           chunk.types.empty();
  }
  BufferedEvent EventIn(const Chunk& chunk, std::size_t i) const {
    const Edge& edge = chunk.edges[i];
    const bool is_first = i == 0 && &chunk == &chunks_.front();
    BufferedEvent event{.time = edge.time,
                        .offset = is_first ? first_offset_ : last_offset_,
                        .source = edge.source,
                        .target = edge.target,
                        .partition = partition_};
    if (chunk.remarks != nullptr) {
      event.weight = WeightIn(chunk, i);
      event.operation = OperationIn(chunk, i);
    }
    event.type = chunk.types[i];
    if (chunk.passes != nullptr) event.passes = chunk.passes[i];
    if (chunk.ids != nullptr && chunk.ids[i].id.is_set()) {
      event.id = chunk.ids[i].id;
      event.offset = chunk.ids[i].offset;
    }
    if (chunk.places != nullptr) {
      event.offset = chunk.places[i].offset;
      event.edges_before = chunk.places[i].edges_before;
    }
    return event;
  }
  // Calls visit(chunk, i, edge) for each event, in order.
  template <typename Visit>
  void ForEachPlace(const Visit& visit) const {
    for (const Chunk& chunk : chunks_) {
      const std::span<const Edge> edges = EdgesOf(chunk);
      for (std::size_t i = 0; i < edges.size(); ++i) visit(chunk, i, edges[i]);
    }
  }
  static std::uint8_t* Kinds(const Chunk& chunk) {
    return reinterpret_cast<std::uint8_t*>(chunk.remarks.get() + chunk.room);
  }
  static Weight WeightIn(const Chunk& chunk, std::size_t i) {
    const std::int64_t bits = chunk.remarks[i];
    if ((Kinds(chunk)[i] & kReal) == 0) return Weight::Integer(bits);
    return Weight::Real(std::bit_cast<double>(bits));
  }
  static Operation OperationIn(const Chunk& chunk, std::size_t i) {
    return static_cast<Operation>(Kinds(chunk)[i] & ~kReal);
  }
  std::span<const Edge> EdgesOf(const Chunk& chunk) const {
    const bool is_last = &chunk == &chunks_.back();
    return {chunk.edges.get(),
            is_last ? static_cast<std::size_t>(next_ - chunk.edges.get()) : chunk.room};
  }

  std::size_t Grow();
  std::size_t NoteMore(const BufferedEvent& event);
  std::size_t Remark(const BufferedEvent& event);
  static std::size_t HoldPasses(Chunk& chunk);
  std::size_t NotePasses(FilterBits passes);
  std::size_t NoteId(const BufferedEvent& event);
  std::size_t NoteType(TypeNumber type);

  Edge* next_ = nullptr;
  Edge* end_ = nullptr;
  EventTime last_time_ = EventTime::min();
  EventTime least_time_ = EventTime::max();
  EventTime greatest_time_ = EventTime::min();
  std::int64_t first_offset_ = 0;
  std::int64_t last_offset_ = 0;
  std::size_t size_ = 0;
  std::size_t shown_ = 0;
  std::vector<Chunk> chunks_;
  std::size_t bytes_ = 0;  // of the chunks
  PartitionIndex partition_;
  bool keeps_places_;
  WeightColumn::Kind weights_ = WeightColumn::Kind::kOnes;
  TypeWidth types_ = TypeWidth::kNone;
  bool only_adds_ = true;
  bool has_passes_ = false;
  bool has_ids_ = false;
  bool is_sorted_ = true;
  bool last_has_more_ = false;  // Append() stores more than edges in the last chunk
};

}  // namespace sash
