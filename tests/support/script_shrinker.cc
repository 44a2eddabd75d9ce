#include "tests/support/script_shrinker.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sash::testing {
namespace {

class Shrinker {
 public:
  Shrinker(StoreScript script, const std::function<bool(const StoreScript&)>& fails, int attempts)
      : script_(std::move(script)), fails_(fails), attempts_(attempts) {}

  StoreScript Run() {
    do {
      smaller_ = false;
      DropChunks(script_.windows.size(), [](StoreScript& script, std::size_t i, std::size_t n) {
        EraseFrom(script.windows, i, n);
      });
      DropChunks(script_.panes.size(), [](StoreScript& script, std::size_t i, std::size_t n) {
        EraseFrom(script.panes, i, n);
      });
      DropChunks(Operations(script_), DropOperations);
      SimplifyWindows();
      SimplifyWeights();
    } while (smaller_ && attempts_ > 0);
    return script_;
  }

 private:
  template <typename T>
  static void EraseFrom(std::vector<T>& list, std::size_t i, std::size_t n) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(i);
    list.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(n, list.size() - i)));
  }

  static std::size_t Operations(const StoreScript& script) {
    std::size_t count = 0;
    for (const ScriptPane& pane : script.panes) count += pane.operations.size();
    return count;
  }

  // Drops operations [i, i + n), counted through all panes.
  static void DropOperations(StoreScript& script, std::size_t i, std::size_t n) {
    std::size_t number = 0;
    for (ScriptPane& pane : script.panes) {
      std::erase_if(pane.operations, [&](const StoreOperation&) {
        const std::size_t own = number++;
        return own >= i && own < i + n;
      });
    }
  }

  bool Try(StoreScript candidate) {
    if (attempts_ <= 0) return false;
    --attempts_;
    if (!fails_(candidate)) return false;
    script_ = std::move(candidate);
    smaller_ = true;
    return true;
  }

  // Tries drop(script, i, n) for ranges of `count` elements: first halves, at last single elements.
  template <typename Drop>
  void DropChunks(std::size_t count, const Drop& drop) {
    for (std::size_t n = std::max<std::size_t>(count / 2, 1); count > 0; n /= 2) {
      for (std::size_t end = count; end > 0;) {
        const std::size_t begin = end > n ? end - n : 0;
        StoreScript candidate = script_;
        drop(candidate, begin, end - begin);
        if (Try(std::move(candidate))) count -= end - begin;
        end = begin;
      }
      if (n <= 1) return;
    }
  }

  void SimplifyWindows() {
    for (std::size_t w = 0; w < script_.windows.size(); ++w) {
      const auto with = [&](auto change) {
        StoreScript candidate = script_;
        if (change(candidate.windows[w])) Try(std::move(candidate));
      };
      with([](ScriptWindow& window) { return std::exchange(window.slide, 1) != 1; });
      with([](ScriptWindow& window) { return std::exchange(window.opens, 0) != 0; });
      with([](ScriptWindow& window) {
        return std::exchange(window.closes, ScriptWindow::kNever) != ScriptWindow::kNever;
      });
      with([](ScriptWindow& window) { return std::exchange(window.opens_with, 0) != 0; });
      with([](ScriptWindow& window) { return window.opens_with > 0 && window.opens_with-- > 0; });
      const std::size_t panes = std::max<std::size_t>(script_.panes.size(), 1);
      with([&](ScriptWindow& window) { return std::exchange(window.length, panes) > panes; });
      with([](ScriptWindow& window) { return window.length > 1 && window.length-- > 1; });
    }
  }

  void SimplifyWeights() {
    StoreScript candidate = script_;
    bool changed = false;
    for (ScriptPane& pane : candidate.panes) {
      for (StoreOperation& operation : pane.operations) {
        changed = changed || operation.weight != Weight();
        operation.weight = Weight();
      }
    }
    if (changed) Try(std::move(candidate));
  }

  StoreScript script_;
  const std::function<bool(const StoreScript&)>& fails_;
  int attempts_;
  bool smaller_ = false;
};

}  // namespace

StoreScript Shrink(StoreScript script, const std::function<bool(const StoreScript&)>& fails,
                   int attempts) {
  return Shrinker(std::move(script), fails, attempts).Run();
}

}  // namespace sash::testing
