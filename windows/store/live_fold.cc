#include "windows/store/live_fold.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sash {

bool LiveParts::IsAsleep() const {
  if (!wakes_from) return false;
  const auto passes = [this](const TailEvent& event) { return Passes(event); };
  for (std::size_t i = *wakes_from; i < tails.size(); ++i) {
    const OpenTail& open = tails[i];
    auto number = open.tail->FindFrom(0, open.count, passes);
    for (; number; number = open.tail->FindFrom(*number + 1, open.count, passes)) {
      if (open_ids->Counts(first_open + i, *number)) return false;
    }
  }
  return true;
}

std::optional<TailPlace> LiveParts::RemovalOf(VertexId v) const {
  std::vector<TailPlace> removals;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    tails[i].tail->ForEachOf(TailRole::kRemoved, v, tails[i].count,
                             [&](const TailEvent& event, std::uint32_t number) {
                               removals.push_back(PlaceOf(i, event, number));
                             });
  }
  std::optional<TailPlace> newest;
  for (const TailPlace& removal : removals) {
    if (Counts(removal)) newest = std::max(newest, std::optional(removal));
  }
  return newest;
}

// The events that add or remove edges of v, in the order of effect.
void LiveFold::Gather(TailRole role, VertexId v) {
  touches_.clear();
  for (std::size_t i = 0; i < parts_.tails.size(); ++i) {
    const OpenTail& tail = parts_.tails[i];
    tail.tail->ForEachOf(role, v, tail.count, [&](const TailEvent& event, std::uint32_t number) {
      if (!parts_.Passes(event)) return;
      const VertexId neighbour = role == TailRole::kSource ? event.target : event.source;
      touches_.push_back(
          {parts_.PlaceOf(i, event, number), neighbour, event.type, event.weight, event.operation});
    });
  }
  std::erase_if(touches_, [this](const Touch& touch) { return !parts_.Counts(touch.place); });
}

// The newest removals of each neighbour and type.
void LiveFold::NoteEnds() {
  ends_.clear();
  const bool may_end_one = keeps() || parts_.identity == EdgeIdentity::kPairAndType;
  for (const Touch& touch : touches_) {
    if (touch.operation != Operation::kRemove) continue;
    const bool ends_one = may_end_one && touch.type != kNoType;
    ends_.push_back({touch.neighbour, ends_one ? touch.type : kAnyType, touch.place});
  }
  std::ranges::sort(ends_, [](const Ended& a, const Ended& b) {
    return a.key() != b.key() ? a.key() < b.key() : b.place < a.place;
  });
  const auto older = std::ranges::unique(ends_, {}, &Ended::key);
  ends_.erase(older.begin(), older.end());
}

// Whether edges of this type to the neighbour ended after `place`; null: at any time.
bool LiveFold::IsEndedAfter(VertexId neighbour, TypeNumber type, const TailPlace* place) const {
  for (const TypeNumber ended_type : {kAnyType, type}) {
    const auto ended =
        std::ranges::lower_bound(ends_, std::pair(neighbour, ended_type), {}, &Ended::key);
    if (ended == ends_.end() || ended->key() != std::pair(neighbour, ended_type)) continue;
    if (place == nullptr || *place < ended->place) return true;
  }
  return false;
}

bool LiveFold::Survives(const Touch& add) const {
  if (removal_ && add.place < *removal_) return false;
  if (IsEndedAfter(add.neighbour, add.type, &add.place)) return false;
  if (!removes_vertices_) return true;
  const std::optional<TailPlace> removal = parts_.RemovalOf(add.neighbour);
  return !removal || *removal < add.place;
}

bool LiveFold::SurvivesInBase(VertexId neighbour, TypeNumber type) const {
  if (removal_ || (!ends_.empty() && IsEndedAfter(neighbour, type, nullptr))) return false;
  return !removes_vertices_ || !parts_.RemovalOf(neighbour);
}

// The adds of one edge, in the order of effect.
std::span<const LiveFold::Touch> LiveFold::AddsOf(VertexId neighbour, TypeNumber type) const {
  const auto [first, last] = std::ranges::equal_range(
      adds_, std::pair(neighbour, TypeOfIdentity(type)), {},
      [this](const Touch& add) { return std::pair(add.neighbour, TypeOfIdentity(add.type)); });
  return {first, last};
}

template <typename Range>
void LiveFold::AppendBase(const Range& base, std::vector<Neighbor>& list) {
  for (auto edge = base.begin(); edge != base.end(); ++edge) {
    Neighbor neighbour = *edge;
    if (!SurvivesInBase(neighbour.vertex, neighbour.type)) continue;
    if (!keeps() && !adds_.empty()) {
      const std::span<const Touch> adds = AddsOf(neighbour.vertex, neighbour.type);
      if (!adds.empty()) {
        if (parts_.duplicates == DuplicatesPolicy::kDrop) continue;  // a newer copy takes its place
        WeightSum sum = edge.sum();
        for (const Touch& add : adds) sum.Add(add.weight);
        is_merged_[static_cast<std::size_t>(adds.data() - adds_.data())] = true;
        neighbour.weight = sum.Total();
        neighbour.type = adds.back().type;
      }
    }
    list.push_back(neighbour);
  }
}

// The edges that began in open slices.
void LiveFold::AppendAdds(std::vector<Neighbor>& list) const {
  for (std::size_t i = 0; i < adds_.size();) {
    const std::size_t first = i;
    const std::size_t copies = keeps() ? 1 : AddsOf(adds_[i].neighbour, adds_[i].type).size();
    i += copies;
    if (is_merged_[first]) continue;
    const Touch& newest = adds_[i - 1];
    Neighbor neighbour{newest.neighbour, newest.type, newest.weight};
    if (parts_.duplicates == DuplicatesPolicy::kWeigh) {
      WeightSum sum;
      for (std::size_t copy = first; copy < i; ++copy) sum.Add(adds_[copy].weight);
      neighbour.weight = sum.Total();
    }
    list.push_back(neighbour);
  }
}

std::vector<Neighbor> LiveFold::ListOf(TailRole role, VertexId v) {
  removal_ = removes_vertices_ ? parts_.RemovalOf(v) : std::nullopt;
  Gather(role, v);
  NoteEnds();
  adds_.clear();
  for (const Touch& touch : touches_) {
    if (touch.operation == Operation::kAdd && Survives(touch)) adds_.push_back(touch);
  }
  std::ranges::sort(adds_, [this](const Touch& a, const Touch& b) {
    const auto key = [this](const Touch& add) {
      return std::tuple(add.neighbour, TypeOfIdentity(add.type), add.place);
    };
    return key(a) < key(b);
  });
  is_merged_.assign(adds_.size(), false);
  std::vector<Neighbor> list;
  if (parts_.base && v < parts_.base->id_limit()) {
    const MultiversionedView& base = *parts_.base;
    list.reserve((role == TailRole::kSource ? base.out_degree(v) : base.in_degree(v)) +
                 adds_.size());
    if (role == TailRole::kSource) {
      AppendBase(base.weighted_out(v), list);
    } else {
      AppendBase(base.weighted_in(v), list);
    }
  }
  AppendAdds(list);
  return list;
}

}  // namespace sash
