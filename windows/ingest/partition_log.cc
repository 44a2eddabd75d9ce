#include "windows/ingest/partition_log.h"

#include <bit>
#include <string_view>

#include "windows/base/allocated_bytes.h"

namespace sash {

PartitionLog PartitionLog::Copy() const {
  PartitionLog copy(partition_, keeps_places_);
  ForEachEvent([&](const BufferedEvent& event) { copy.Append(event); });
  return copy;
}

PartitionLog PartitionLog::Renumbered(const FilterNumbers& numbers,
                                      std::span<const std::string> words) const {
  PartitionLog copy(partition_, keeps_places_);
  ForEachEvent([&](BufferedEvent event) {
    const std::string_view word =
        event.type == kNoType ? std::string_view() : words[event.type - 1];
    event.passes = numbers.OfEvent(event.passes, event.operation, word);
    copy.Append(event);
  });
  return copy;
}

PartitionLog::Judged PartitionLog::Judge(FilterBits fresh, const NumberedTypeFilters& by_type) {
  Judged judged;
  for (Chunk& chunk : chunks_) {
    judged.grown += HoldPasses(chunk);
    for (std::size_t i = 0; i < EdgesOf(chunk).size(); ++i) {
      const Operation operation =
          chunk.remarks == nullptr ? Operation::kAdd : OperationIn(chunk, i);
      const FilterBits passed = by_type.Of(operation, chunk.types[i]);
      chunk.passes[i] = (chunk.passes[i] & ~fresh) | passed;
      judged.passed |= passed;
    }
  }
  has_passes_ = size_ > 0;
  bytes_ += judged.grown;
  return judged;
}

std::size_t PartitionLog::Grow() {
  Chunk& chunk = chunks_.emplace_back();
  chunk.room =
      chunks_.size() == 1 ? kFirstRoom : std::min(kMostRoom, 2 * chunks_[chunks_.size() - 2].room);
  chunk.edges = std::make_unique_for_overwrite<Edge[]>(chunk.room);
  next_ = chunk.edges.get();
  end_ = next_ + chunk.room;
  last_has_more_ = keeps_places_;
  std::size_t grown = AllocatedBytes(chunk.room * sizeof(Edge)) + sizeof(Chunk);
  if (keeps_places_) {
    chunk.places = std::make_unique_for_overwrite<RecordPlace[]>(chunk.room);
    grown += AllocatedBytes(chunk.room * sizeof(RecordPlace));
  }
  bytes_ += grown;
  return grown;
}

// Stores what the event appended last has beside its edge.
std::size_t PartitionLog::NoteMore(const BufferedEvent& event) {
  last_has_more_ = true;
  std::size_t grown = 0;
  if (keeps_places_) {
    Chunk& chunk = chunks_.back();
    chunk.places[static_cast<std::size_t>(next_ - chunk.edges.get()) - 1] = {event.offset,
                                                                             event.edges_before};
  }
  if (chunks_.back().passes != nullptr || event.passes != kPassesAll) {
    grown += NotePasses(event.passes);
  }
  if (chunks_.back().remarks != nullptr || !IsPlain(event)) grown += Remark(event);
  if (chunks_.back().ids != nullptr || event.id.is_set()) grown += NoteId(event);
  if (!chunks_.back().types.empty() || event.type != kNoType) grown += NoteType(event.type);
  return grown;
}

// Makes room for the filters that the events of the chunk pass: so far all.
std::size_t PartitionLog::HoldPasses(Chunk& chunk) {
  if (chunk.passes != nullptr) return 0;
  chunk.passes = std::make_unique_for_overwrite<FilterBits[]>(chunk.room);
  std::fill_n(chunk.passes.get(), chunk.room, kPassesAll);
  return AllocatedBytes(chunk.room * sizeof(FilterBits));
}

// Stores the filters that the event appended last passes.
std::size_t PartitionLog::NotePasses(FilterBits passes) {
  Chunk& chunk = chunks_.back();
  const std::size_t grown = HoldPasses(chunk);
  bytes_ += grown;
  chunk.passes[static_cast<std::size_t>(next_ - chunk.edges.get()) - 1] = passes;
  has_passes_ = true;
  return grown;
}

// Stores the id and the offset of the event appended last.
std::size_t PartitionLog::NoteId(const BufferedEvent& event) {
  Chunk& chunk = chunks_.back();
  std::size_t grown = 0;
  if (chunk.ids == nullptr) {
    chunk.ids = std::make_unique<Identity[]>(chunk.room);
    grown = AllocatedBytes(chunk.room * sizeof(Identity));
    bytes_ += grown;
  }
  chunk.ids[static_cast<std::size_t>(next_ - chunk.edges.get()) - 1] = {event.id, event.offset};
  has_ids_ = true;
  return grown;
}

// Stores the type of the event appended last.
std::size_t PartitionLog::NoteType(TypeNumber type) {
  Chunk& chunk = chunks_.back();
  const std::size_t grown = chunk.types.Widen(chunk.room, WidthOf(type));
  bytes_ += grown;
  chunk.types.Set(static_cast<std::size_t>(next_ - chunk.edges.get()) - 1, type);
  types_ = std::max(types_, chunk.types.width());
  return grown;
}

// Stores weight and operation of the event appended last.
std::size_t PartitionLog::Remark(const BufferedEvent& event) {
  Chunk& chunk = chunks_.back();
  std::size_t grown = 0;
  if (chunk.remarks == nullptr) {
    // The bytes of the kinds follow the weights: one more word for every eight of them.
    const std::size_t words = chunk.room + chunk.room / sizeof(std::int64_t);
    static_assert(kFirstRoom % sizeof(std::int64_t) == 0);
    chunk.remarks = std::make_unique_for_overwrite<std::int64_t[]>(words);
    std::fill_n(chunk.remarks.get(), chunk.room, 1);
    std::fill_n(Kinds(chunk), chunk.room, std::uint8_t{0});
    grown = AllocatedBytes(words * sizeof(std::int64_t));
    bytes_ += grown;
  }
  const std::size_t i = static_cast<std::size_t>(next_ - chunk.edges.get()) - 1;
  const Weight weight = event.weight;
  chunk.remarks[i] =
      weight.is_integer() ? weight.integer() : std::bit_cast<std::int64_t>(weight.AsDouble());
  Kinds(chunk)[i] = static_cast<std::uint8_t>(static_cast<unsigned>(event.operation) |
                                              (weight.is_integer() ? 0 : kReal));
  weights_ = std::max(weights_, WeightColumn::KindOf(weight));
  only_adds_ = only_adds_ && event.operation == Operation::kAdd;
  return grown;
}

}  // namespace sash
