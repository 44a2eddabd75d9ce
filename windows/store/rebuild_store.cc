#include "windows/store/rebuild_store.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/ingest/passing_part.h"
#include "windows/store/counted_graph.h"
#include "windows/store/visible_edges.h"

namespace sash {

class RebuildStore::Window final : public WindowStore {
 public:
  Window(std::shared_ptr<RebuildStore> store, std::size_t slices)
      : store_(std::move(store)), held_(slices) {
    store_->windows_.push_back(this);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() override {
    std::erase(store_->windows_, this);
    store_->ForgetUnheld();
  }

  void SliceAdded() { ++held_; }
  std::size_t held() const { return held_; }

  void AgeOutOldest() override {
    SASH_CHECK(held_ > 0);
    --held_;
    store_->ForgetUnheld();
  }

  PublishedView Publish(VertexId id_limit) override {
    const std::vector<std::shared_ptr<const Slice>> slices(
        store_->slices_.end() - static_cast<std::ptrdiff_t>(held_), store_->slices_.end());
    const EdgeList edges = VisibleEdges(slices, store_->duplicates_, id_limit, store_->identity_);
    const auto [graph, bytes] = MakeCountedGraph(CsrGraph(edges, id_limit), store_->alive_bytes_);
    published_ = graph;
    published_bytes_ = bytes;
    return {graph, graph->edge_count(), graph->vertices().size()};
  }

  // The newest graph, while a view holds it.
  MemoryUse own_memory() const override {
    return {.lists = published_.expired() ? 0 : published_bytes_};
  }

 private:
  const std::shared_ptr<RebuildStore> store_;
  std::size_t held_;  // the newest slices of the store
  std::weak_ptr<const CsrGraph> published_;
  std::size_t published_bytes_ = 0;
};

// Edges are put in order when a view is made of them.
void RebuildStore::Add(std::shared_ptr<const Slice> slice) {
  BeginEntering();
  event_bytes_ += slice->bytes();
  slices_.push_back(std::move(slice));
  for (Window* window : windows_) window->SliceAdded();
  ForgetUnheld();
}

// It has the events themselves.
bool RebuildStore::CanCopyFor(const StoreSpec&) const { return true; }

void RebuildStore::CopyPassing(const NumberedTypeFilters& filters,
                               const std::vector<std::shared_ptr<Slice>>& parts) {
  const std::size_t first = slices_.size() - parts.size();
  for (std::size_t i = 0; i < parts.size(); ++i)
    TakePassing(*slices_[first + i], filters, *parts[i]);
}

std::unique_ptr<WindowStore> RebuildStore::Open(std::size_t slices) {
  SASH_CHECK(slices <= slices_.size());
  return std::make_unique<Window>(shared_from_this(), slices);
}

void RebuildStore::ForgetUnheld() {
  std::size_t most = 0;
  for (const Window* window : windows_) most = std::max(most, window->held());
  for (; slices_.size() > most; slices_.pop_front()) event_bytes_ -= slices_.front()->bytes();
}

std::size_t RebuildStore::view_bytes() const {
  const std::size_t alive = *alive_bytes_;
  std::size_t newest = 0;
  for (const Window* window : windows_) newest += window->own_memory().total();
  return alive - std::min(alive, newest);
}

}  // namespace sash
