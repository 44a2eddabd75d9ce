// HeldCuts: the newest results beside the series of one job and window that a file contains:
// results that are not final, and results on earlier windows, which have no cut.
//
// A result of a cut is made again only by accident: when a restart reads up to the same cut. A
// result on an earlier window is made again only if a user asks for it again. So it is enough to
// know the newest ones.
//
// Thread safety: none; the owner serialises.
//
// Invariant: (1) at most kMost are known, the newest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace sash {

class HeldCuts {
 public:
  static constexpr std::size_t kMost = 1024;

  // Whether the file is known to contain the result of this window end and cut. O(kMost).
  bool Holds(std::int64_t position, const std::string& cut) const {
    return std::ranges::any_of(
        cuts_, [&](const auto& held) { return held.first == position && held.second == cut; });
  }

  void Add(std::int64_t position, std::string cut) {
    if (cuts_.size() == kMost) cuts_.pop_front();
    cuts_.emplace_back(position, std::move(cut));
  }
  void Add(const HeldCuts& others) {
    for (const auto& [position, cut] : others.cuts_) Add(position, cut);
  }

 private:
  std::deque<std::pair<std::int64_t, std::string>> cuts_;  // in the order of the file
};

}  // namespace sash
