#include "windows/store/multiversioned_store.h"

#include <algorithm>

#include "windows/base/check.h"

namespace sash {
namespace {

VertexId IdLimit(const Slice& slice) {
  VertexId limit = 0;
  for (const VertexId v : slice.sources) limit = std::max(limit, v + 1);
  for (const VertexId v : slice.targets) limit = std::max(limit, v + 1);
  return limit;
}

// How many vertices have no edge but those of `table`, which is in `own`: they enter or leave the
// window with it.
std::size_t CountAlone(const EdgeTable& table, const FragmentChain& own,
                       const FragmentChain& other) {
  std::size_t alone = 0;
  for (std::uint32_t f = 0; f < table.fragment_count(); ++f) {
    const VertexId v = table.vertex(f);
    if (own.degree(v) == table.length(f) && other.degree(v) == 0) ++alone;
  }
  return alone;
}

}  // namespace

// Invariant: vertex_count_ counts the vertices whose out- or in-degree is not 0.
class MultiversionedStore::Window final : public WindowStore {
 public:
  explicit Window(std::shared_ptr<MultiversionedStore> store) : store_(std::move(store)) {
    store_->windows_.push_back(this);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() override { std::erase(store_->windows_, this); }

  void Add(const Slice& slice) {
    const VertexId limit = IdLimit(slice);
    out_.Add(slice, EdgeDirection::kOut, limit);
    vertex_count_ += CountAlone(out_.newest(), out_, in_);
    in_.Add(slice, EdgeDirection::kIn, limit);
    vertex_count_ += CountAlone(in_.newest(), in_, out_);
    edge_count_ += slice.size();
    ++held_;
  }

  void AgeOutOldest() override {
    edge_count_ -= out_.oldest().edge_count();
    vertex_count_ -= CountAlone(out_.oldest(), out_, in_);
    out_.AgeOutOldest();
    vertex_count_ -= CountAlone(in_.oldest(), in_, out_);
    in_.AgeOutOldest();
    --held_;
  }

  PublishedView Publish(VertexId id_limit) override {
    const auto view = std::make_shared<const MultiversionedView>(
        out_.Publish(), in_.Publish(), id_limit, edge_count_, vertex_count_);
    return {view, edge_count_, vertex_count_};
  }

  MemoryUse own_memory() const override {
    return {.lists = out_.table_bytes() + in_.table_bytes(),
            .vertex_tables = out_.vertex_bytes() + in_.vertex_bytes()};
  }

  std::size_t held() const { return held_; }

 private:
  const std::shared_ptr<MultiversionedStore> store_;
  FragmentChain out_;
  FragmentChain in_;
  std::uint64_t edge_count_ = 0;
  std::size_t vertex_count_ = 0;
  std::size_t held_ = 0;
};

void MultiversionedStore::Add(std::shared_ptr<const Slice> slice) {
  retained_ = 0;
  for (Window* window : windows_) {
    window->Add(*slice);
    retained_ = std::max(retained_, window->held());
  }
}

std::unique_ptr<WindowStore> MultiversionedStore::Open(std::size_t slices) {
  SASH_CHECK(slices == 0);
  return std::make_unique<Window>(shared_from_this());
}

}  // namespace sash
