// ScriptRun: runs a script on a store and on the model.
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Every publication is compared with the model. About a third are compared again 1 to 20
//       publications later, or at the end, after windows and store are destroyed.
//   (2) The edges that came and left since two of the pinned publications, of any window, are
//       compared too.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/id_edge.h"
#include "tests/support/store_script.h"
#include "windows/store/window_store.h"

namespace sash::testing {

using StoreMaker = std::function<std::shared_ptr<SliceStore>(const StoreSpec&)>;

class ScriptRun {
 public:
  ScriptRun(const StoreSpec& spec, const StoreScript& script,
            const StoreMaker& make_store = MakeSliceStore);

  // Runs the script until store and model differ. "": they never did.
  std::string FirstDifference();

  std::size_t publications() const { return publications_; }

 private:
  struct OpenWindow {
    std::unique_ptr<WindowStore> store;  // null: not open
    std::deque<std::size_t> held;        // panes of the slices that it holds
  };
  struct Pin {
    PublishedView published;
    std::vector<IdEdge> expected;
    std::size_t until;  // the number of the publication after which it is compared again
    std::string where;
  };

  void OpenAndClose(std::size_t pane);
  std::string Advance(std::size_t pane, std::size_t window);
  std::string ReadPinsAgain(std::size_t until);
  std::size_t Retained() const;

  const StoreSpec spec_;
  const StoreScript& script_;
  std::shared_ptr<SliceStore> slices_;
  std::vector<OpenWindow> windows_;
  std::vector<std::size_t> panes_;  // panes with a slice, oldest first
  VertexId id_limit_ = 0;
  std::size_t publications_ = 0;
  std::vector<Pin> pins_;
};

}  // namespace sash::testing
