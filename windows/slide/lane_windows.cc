#include "windows/slide/lane_windows.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "windows/base/check.h"

namespace sash {

// The entry of the first of the filters.
std::optional<Position>& LaneWindows::JudgedFromOf(FilterBits filters) {
  const auto number = static_cast<std::size_t>(std::countr_zero(filters));
  if (number >= judged_from_.size()) judged_from_.resize(number + 1);
  return judged_from_[number];
}

void LaneWindows::SetFilters(std::shared_ptr<const FilterTexts> filters, FilterBits fresh,
                             FilterBits by_type, std::optional<Position> judged_from) {
  filters_ = std::move(filters);
  for (; fresh != 0; fresh &= fresh - 1) {
    const bool judges_all = (by_type >> std::countr_zero(fresh) & 1) != 0;
    JudgedFromOf(fresh) = judges_all ? std::nullopt : judged_from;
  }
}

void LaneWindows::JudgedFrom(FilterBits filters, Position position) {
  for (Member& member : members_) {
    const bool is_of = (member.window.filter() & filters) != 0 && !member.window.spec().leader();
    if (is_of) member.window.CompleteFrom(position);
  }
  for (; filters != 0; filters &= filters - 1) {
    std::optional<Position>& from = JudgedFromOf(filters);
    from = std::max(from, std::optional(position));
  }
}

void LaneWindows::LearnJudged() {
  judged_from_.clear();
  FilterBits seen = 0;
  for (const Member& member : members_) {
    const FilterBits filter = member.window.filter();
    if (filter == kNoFilter || member.window.spec().leader()) continue;
    std::optional<Position>& from = JudgedFromOf(filter);
    const std::optional<Position> complete = member.window.complete_from();
    from = (seen & filter) == 0 ? complete : std::min(from, complete);
    seen |= filter;
  }
}

void LaneWindows::Add(const WindowSpec& spec) {
  SASH_CHECK(FitsPane(spec, slicer_.pane()));
  const bool running = slicer_.closed_until() != std::numeric_limits<Position>::min();
  const Position end = running ? EndAfter(spec, slicer_.closed_until()) : 0;
  std::size_t wanted = retained_.size();
  if (spec.length) {
    while (wanted > 0 && retained_[retained_.size() - wanted].begin < end - *spec.length) --wanted;
  }
  StoreSpec store = spec.store();
  store.slots = slots_;
  const FilterBits filter = FilterOf(spec.filter(), *filters_);
  Opened opened = OpenStore(store, filter, wanted);
  const std::size_t first = retained_.size() - opened.held;
  std::optional<Position> complete_from = retained_.complete_from();
  if (first > 0) {
    const Position lacking = retained_[first - 1].end;
    complete_from = std::max(complete_from.value_or(lacking), lacking);
  }
  // A follower shows what its leader showed, whether that was judged as a whole or not.
  if (filter != kNoFilter && !spec.leader()) {
    complete_from = std::max(complete_from, JudgedFromOf(filter));
  }
  Member member{SlidingWindow(spec, std::move(opened.store), filter), std::move(opened.slices)};
  for (std::size_t i = first; i < retained_.size(); ++i) member.window.Note(retained_[i]);
  if (complete_from) member.window.CompleteFrom(*complete_from);
  if (running) member.window.BeginWith(end);
  members_.push_back(std::move(member));
}

void LaneWindows::Change(const WindowSpec& spec) {
  SASH_CHECK(Find(spec.name) != nullptr);
  RemoveFollowers(spec.name);
  Add(spec);
  Member& before = *Find(spec.name);
  std::swap(before, members_.back());
  before.window.Succeed(members_.back().window);
  before.spent = members_.back().spent;
  RemoveMember(members_.end() - 1);
}

void LaneWindows::Remove(std::string_view name) {
  RemoveFollowers(name);
  Member* const member = Find(name);
  SASH_CHECK(member != nullptr);
  RemoveMember(members_.begin() + (member - members_.data()));
}

void LaneWindows::RemoveFollowers(std::string_view leader) {
  for (std::size_t i = members_.size(); i-- > 0;) {
    if (members_[i].window.spec().leader() != leader) continue;
    RemoveMember(members_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

bool LaneWindows::has_filters() const {
  return std::ranges::any_of(stores_,
                             [](const SharedStore& store) { return store.filter != kNoFilter; });
}

LaneWindows::Member* LaneWindows::Find(std::string_view name) {
  const auto member = std::ranges::find_if(
      members_, [&](const Member& one) { return one.window.spec().name == name; });
  return member == members_.end() ? nullptr : &*member;
}

void LaneWindows::RemoveMember(std::vector<Member>::iterator member) {
  takes_of_removed_ += member->window.takes();
  members_.erase(member);
  std::erase_if(stores_, [&](const SharedStore& store) {
    return std::ranges::none_of(members_,
                                [&](const Member& other) { return other.slices == store.slices; });
  });
  ReleaseUnheld();
}

void LaneWindows::Compare(std::string_view name, const std::set<std::uint32_t>& every) {
  Member& leader = *Find(name);
  const WindowSpec spec = leader.window.spec();
  // The window can rebuild its newest result by itself, except in two cases: it skips empty
  // windows, so it may have passed ends since that result; or its axis is events and it can be
  // empty: then only its slices know the times of the result.
  const bool tells_itself = spec.empty_windows == EmptyWindows::kOnce &&
                            (spec.by != WindowAxis::kEvents || !spec.removals);
  leader.recalled_for = tells_itself && every.contains(1) ? 1 : 0;
  std::set<std::uint32_t> lacking = every;
  lacking.erase(leader.recalled_for);
  for (std::size_t i = members_.size(); i-- > 0;) {
    const WindowSpec& other = members_[i].window.spec();
    const bool follows = other.leader() == name && !other.is_historian();
    if (!follows || lacking.erase(members_[i].recalled_for) > 0) continue;
    RemoveMember(members_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (const std::uint32_t each : lacking) {
    const std::optional<WindowSpec> follower = FollowerOf(spec, each);
    if (!follower) continue;
    Add(*follower);
    members_.back().window.BeginToFollow();
    members_.back().recalled_for = each;
  }
}

std::vector<LaneWindows::Member>::const_iterator LaneWindows::FindHistorian(
    std::string_view leader) const {
  return std::ranges::find_if(members_, [&](const Member& one) {
    return one.history != nullptr && one.window.spec().leader() == leader;
  });
}

std::shared_ptr<WindowHistory> LaneWindows::HistoryOf(std::string_view name) const {
  const auto historian = FindHistorian(name);
  return historian == members_.end() ? nullptr : historian->history;
}

void LaneWindows::Retain(std::string_view name, std::int64_t retain) {
  Find(name)->window.Retain(retain);
  const WindowSpec spec = Find(name)->window.spec();
  const auto before = FindHistorian(name);
  std::vector<WindowHistory::Past> known;
  if (before != members_.end()) {
    if (retain > 0 && before->window.spec() == HistorianOf(spec)) return;
    known = before->history->List();
  }
  const auto place = before - members_.begin();
  const bool is_replaced = before != members_.end();
  if (retain > 0) {
    Add(HistorianOf(spec));
    Member& added = members_.back();
    added.window.BeginToFollow();
    added.history = std::make_shared<WindowHistory>(
        std::static_pointer_cast<const SliceArchive>(added.slices), retain);
    added.history->Restore(std::move(known));
  }
  if (is_replaced) RemoveMember(members_.begin() + place);
}

void LaneWindows::ShowLive(std::string_view name, bool live) {
  Member& member = *Find(name);
  member.is_live = live;
  if (!live) member.live_base.reset();
}

bool LaneWindows::is_live() const { return std::ranges::any_of(members_, &Member::is_live); }

LiveBase& LaneWindows::LiveBaseOf(Member& member) {
  if (!member.live_base) {
    const std::size_t held = member.window.slice_count();
    std::vector<const RetainedSlice*> slices;
    for (std::size_t i = retained_.size() - held; i < retained_.size(); ++i) {
      slices.push_back(&retained_[i]);
    }
    member.live_base.emplace(member.slices->Open(held), slices);
  }
  return *member.live_base;
}

void LaneWindows::ReleaseUnheld() {
  for (Member& member : members_) {
    if (member.live_base) member.live_base->KeepNewest(member.window.slice_count());
  }
  std::size_t most = 0;
  std::size_t published = 0;
  for (const Member& member : members_) {
    most = std::max(most, member.window.slice_count());
    if (!member.window.spec().is_historian()) {
      published = std::max(published, member.window.slice_count());
    }
  }
  retained_.KeepNewest(most, published);
}

std::uint64_t LaneWindows::takes() const {
  std::uint64_t takes = takes_of_removed_;
  for (const Member& member : members_) takes += member.window.takes();
  return takes;
}

std::vector<StoreStatus> LaneWindows::Stores(WindowAxis axis) const {
  std::vector<StoreStatus> statuses;
  for (const SharedStore& store : stores_) {
    StoreStatus status{axis, store.spec, {}, store.slices->shared_memory()};
    for (const Member& member : members_) {
      if (member.slices != store.slices) continue;
      const WindowSpec& spec = member.window.spec();
      if (!spec.leader() || spec.is_historian()) {
        status.windows.emplace_back(spec.leader().value_or(spec.name));
      }
      status.memory += member.window.own_memory();
      if (member.live_base) status.memory += member.live_base->own_memory();
    }
    for (const Member& member : members_) {
      if (member.slices == store.slices && member.history) {
        status.memory.history += member.history->bytes();
      }
    }
    status.memory.views += store.slices->view_bytes();
    statuses.push_back(std::move(status));
  }
  return statuses;
}

}  // namespace sash
