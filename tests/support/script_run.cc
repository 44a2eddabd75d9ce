#include "tests/support/script_run.h"

#include <algorithm>
#include <utility>

#include "tests/support/store_specs.h"
#include "tests/support/view_checks.h"
#include "tests/support/window_model.h"

namespace sash::testing {
namespace {

// A number that looks random and depends on nothing but its arguments (splitmix64).
std::uint64_t Scramble(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t x = seed + (number + 1) * 0x9E37'79B9'7F4A'7C15;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EB;
  return x ^ (x >> 31);
}

}  // namespace

ScriptRun::ScriptRun(const StoreSpec& spec, const StoreScript& script, const StoreMaker& make_store)
    : spec_(spec), script_(script), slices_(make_store(spec)) {
  windows_.resize(script.windows.size());
}

std::string ScriptRun::FirstDifference() {
  for (std::size_t pane = 0; pane < script_.panes.size(); ++pane) {
    OpenAndClose(pane);
    if (!script_.panes[pane].silent) {
      const SliceOperations& operations = script_.panes[pane].operations;
      id_limit_ = std::max(id_limit_, IdLimit(operations));
      slices_->Add(MakeSlice(panes_.size(), operations));
      panes_.push_back(pane);
      for (OpenWindow& window : windows_) {
        if (window.store) window.held.push_back(pane);
      }
    }
    for (std::size_t w = 0; w < windows_.size(); ++w) {
      if (!windows_[w].store || (pane + 1) % script_.windows[w].slide != 0) continue;
      const std::string difference = Advance(pane, w);
      if (!difference.empty()) return difference;
    }
    if (slices_->retained() != Retained()) {
      return "pane " + std::to_string(pane) + ": retained " + std::to_string(slices_->retained()) +
             " slices, expected " + std::to_string(Retained());
    }
  }
  // Windows keep alive what they read, and views do not need their windows.
  slices_.reset();
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    if (!windows_[w].store) continue;
    const std::string difference = Advance(script_.panes.size() + 1, w);
    if (!difference.empty()) return difference;
    windows_[w] = OpenWindow();
  }
  return ReadPinsAgain(publications_ + 1000);
}

std::size_t ScriptRun::Retained() const {
  std::size_t most = 0;
  for (const OpenWindow& window : windows_) most = std::max(most, window.held.size());
  return most;
}

void ScriptRun::OpenAndClose(std::size_t pane) {
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    if (script_.windows[w].closes == pane) windows_[w] = OpenWindow();
  }
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const ScriptWindow& window = script_.windows[w];
    if (window.opens != pane || window.closes <= pane) continue;
    const std::size_t with = std::min(window.opens_with, Retained());
    windows_[w].store = slices_->Open(with);
    windows_[w].held.assign(panes_.end() - static_cast<std::ptrdiff_t>(with), panes_.end());
  }
}

std::string ScriptRun::Advance(std::size_t pane, std::size_t window) {
  OpenWindow& open = windows_[window];
  while (!open.held.empty() && open.held.front() + script_.windows[window].length <= pane) {
    open.held.pop_front();
    open.store->AgeOutOldest();
  }
  std::vector<const SliceOperations*> held;
  for (const std::size_t p : open.held) held.push_back(&script_.panes[p].operations);
  std::vector<IdEdge> expected = ModelEdges(held, spec_.duplicates, spec_.identity);
  PublishedView published = open.store->Publish(id_limit_);
  ++publications_;
  const std::string where =
      "pane " + std::to_string(pane) + ", window " + std::to_string(window) + ": ";
  const std::string wrong = Wrong(published, expected);
  if (!wrong.empty()) return where + wrong;
  if (!pins_.empty()) {  // pins may be of any window
    for (const Pin* pin : {&pins_.front(), &pins_.back()}) {
      const std::string difference = WrongChanges(pin->published.view, published.view);
      if (!difference.empty()) return where + "since " + pin->where + difference;
    }
  }
  const std::uint64_t chance = Scramble(script_.seed, publications_);
  if (chance % 3 == 0) {
    pins_.push_back(
        {std::move(published), std::move(expected), publications_ + 1 + (chance >> 8) % 20, where});
  }
  return ReadPinsAgain(publications_);
}

std::string ScriptRun::ReadPinsAgain(std::size_t until) {
  for (const Pin& pin : pins_) {
    if (pin.until > until) continue;
    const std::string wrong = Wrong(pin.published, pin.expected);
    if (!wrong.empty()) return pin.where + "read again later: " + wrong;
  }
  std::erase_if(pins_, [&](const Pin& pin) { return pin.until <= until; });
  return "";
}

}  // namespace sash::testing
