#include "windows/slide/window_recall.h"

#include <algorithm>

#include "windows/slide/sliding_fold.h"

namespace sash {

void WindowRecall::Watch(std::size_t place, SliceStore& slices, WindowStore* whole) {
  const WindowState& window = state_.windows[place];
  const SlidingWindow::State& from = window.state;
  const bool keeps_emptiness = window.spec.leader() && window.spec.by == WindowAxis::kEvents;
  if (!from.published_until || from.only_joined || from.slices == 0) return;
  if (from.in_silence && !keeps_emptiness) return;
  const Position published = *from.published_until;
  if (published > state_.slicer.closed_until) return;
  // If it has passed more ends since, it has aged out slices, unless it is a follower.
  const auto passed = static_cast<std::uint64_t>(from.next_end.value_or(published)) -
                      static_cast<std::uint64_t>(published);
  if (!window.spec.leader() && passed != static_cast<std::uint64_t>(window.spec.slide)) return;
  watched_.push_back({place, &slices, whole, published, state_.retained - from.slices});
  std::ranges::sort(watched_, {}, &Watched::end);
}

void WindowRecall::AddAll(SliceStore& store, SliceStore::Slices slices, std::uint64_t first) {
  for (const Watched& watched : watched_) {
    if (watched.slices != &store || recalled_.contains(watched.place)) continue;
    const auto behind =
        std::ranges::find_if(slices, [&](const auto& slice) { return slice->end > watched.end; });
    const bool more_may_come = behind == slices.end() && first + slices.size() < state_.retained;
    if (more_may_come) break;  // later windows have not ended either
    SliceStore::Slices rest(behind, slices.end());
    slices.erase(behind, slices.end());
    first += slices.size();
    if (!slices.empty()) store.AddAll(std::move(slices));
    slices = std::move(rest);
    if (first > watched.begin) recalled_.emplace(watched.place, Publish(watched, first));
  }
  if (!slices.empty()) store.AddAll(std::move(slices));
}

WindowRecall::Recalled WindowRecall::Publish(const Watched& watched, std::uint64_t behind) const {
  SlidingFold<RetainedSlice, WindowTotal> account;
  for (std::uint64_t i = watched.begin; i < behind; ++i) account.PushNewest(retained_[i]);
  if (watched.whole != nullptr) return {watched.whole->Publish(id_limit_()), account.Sum()};
  return {watched.slices->Open(behind - watched.begin)->Publish(id_limit_()), account.Sum()};
}

std::optional<WindowRecall::Recalled> WindowRecall::Take(std::size_t place) {
  const auto found = recalled_.find(place);
  if (found == recalled_.end()) return std::nullopt;
  return std::move(found->second);
}

}  // namespace sash
