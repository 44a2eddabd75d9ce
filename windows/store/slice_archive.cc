#include "windows/store/slice_archive.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"
#include "windows/ingest/passing_part.h"
#include "windows/store/counted_graph.h"
#include "windows/store/visible_edges.h"

namespace sash {

class SliceArchive::Window final : public WindowStore {
 public:
  Window(std::shared_ptr<SliceArchive> archive, std::size_t slices)
      : archive_(std::move(archive)), held_(slices) {
    archive_->windows_.push_back(this);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() override {
    std::erase(archive_->windows_, this);
    archive_->ForgetUnheld();
  }

  void SliceAdded() { ++held_; }
  std::size_t held() const { return held_; }

  void AgeOutOldest() override {
    SASH_CHECK(held_ > 0);
    --held_;
    archive_->ForgetUnheld();
  }
  PublishedView Publish(VertexId) override { return {.view = EmptyView()}; }
  MemoryUse own_memory() const override { return {}; }

 private:
  const std::shared_ptr<SliceArchive> archive_;
  std::size_t held_;  // the newest slices
};

void SliceArchive::Add(std::shared_ptr<const Slice> slice) {
  BeginEntering();
  auto archived = std::make_shared<const ArchivedSlice>(slice, duplicates_, identity_);
  {
    const MutexLock lock(mutex_);
    bytes_ += archived->bytes();
    newest_ = slice->id.value;
    slices_.push_back(std::move(archived));
  }
  for (Window* window : windows_) window->SliceAdded();
  ForgetUnheld();
}

std::unique_ptr<WindowStore> SliceArchive::Open(std::size_t slices) {
  SASH_CHECK(slices <= size());
  return std::make_unique<Window>(shared_from_this(), slices);
}

// Where edges of different types never become one, and never end each other.
bool SliceArchive::CanCopyFor(const StoreSpec& spec) const {
  return spec.removes_by_type() && spec.duplicates == duplicates_ && spec.identity == identity_;
}

void SliceArchive::CopyPassing(const NumberedTypeFilters& filters,
                               const std::vector<std::shared_ptr<Slice>>& parts) {
  const Slices slices = Find(newest(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    TakePassing(*slices[i]->Unpack(), filters, *parts[i]);
  }
}

void SliceArchive::ForgetUnheld() {
  std::size_t most = 0;
  for (const Window* window : windows_) most = std::max(most, window->held());
  Slices forgotten;  // freed without the lock
  const MutexLock lock(mutex_);
  if (!held_from_.empty()) most = std::max(most, std::size_t{newest_ + 1 - *held_from_.begin()});
  for (; slices_.size() > most; slices_.pop_front()) {
    bytes_ -= slices_.front()->bytes();
    forgotten_until_ = slices_.front()->end();
    forgotten.push_back(std::move(slices_.front()));
  }
}

MemoryUse SliceArchive::shared_memory() const {
  const MutexLock lock(mutex_);
  return {.history = bytes_};
}

std::uint64_t SliceArchive::newest() const {
  const MutexLock lock(mutex_);
  return newest_;
}

std::size_t SliceArchive::size() const {
  const MutexLock lock(mutex_);
  return slices_.size();
}

SliceArchive::Slices SliceArchive::Find(std::uint64_t newest, std::size_t count) const {
  const MutexLock lock(mutex_);
  if (!HasWindow(newest, count)) return {};
  const auto end = slices_.end() - static_cast<std::ptrdiff_t>(newest_ - newest);
  return {end - static_cast<std::ptrdiff_t>(count), end};
}

std::shared_ptr<const void> SliceArchive::Hold(std::uint64_t newest, std::size_t count) const {
  // The slices themselves go at the next call of ForgetUnheld().
  const auto release = [self = shared_from_this()](const std::uint64_t* oldest) {
    {
      const MutexLock lock(self->mutex_);
      self->held_from_.erase(self->held_from_.find(*oldest));
    }
    delete oldest;
  };
  const MutexLock lock(mutex_);
  if (!HasWindow(newest, count)) return nullptr;
  const std::uint64_t oldest = newest + 1 - count;
  held_from_.insert(oldest);
  return std::shared_ptr<const std::uint64_t>(new std::uint64_t(oldest), release);
}

std::optional<SliceArchive::Slices> SliceArchive::Between(Position begin, Position end) const {
  const MutexLock lock(mutex_);
  if (forgotten_until_ && begin < std::min(*forgotten_until_, end)) return std::nullopt;
  Slices found;
  for (const auto& slice : slices_) {
    if (slice->begin() < end && slice->end() > begin) found.push_back(slice);
  }
  return found;
}

namespace {

std::vector<std::shared_ptr<const Slice>> Unpacked(const SliceArchive::Slices& archived) {
  std::vector<std::shared_ptr<const Slice>> slices;
  slices.reserve(archived.size());
  for (const auto& slice : archived) slices.push_back(slice->Unpack());
  return slices;
}

}  // namespace

std::optional<SliceArchive::DatedWindow> SliceArchive::DatedWindowOf(
    std::uint64_t newest, std::size_t count, VertexId id_limit,
    std::optional<double> least_weight) const {
  const Slices archived = Find(newest, count);
  if (archived.size() < count) return std::nullopt;
  DatedWindow window{
      .edges = DatedEdges(Unpacked(archived), duplicates_, id_limit, identity_, least_weight)};
  for (const auto& slice : archived) window.ends.push_back(slice->end());
  return window;
}

std::shared_ptr<const CsrGraph> SliceArchive::WindowOf(std::uint64_t newest, std::size_t count,
                                                       VertexId id_limit) const {
  const Slices archived = Find(newest, count);
  if (archived.size() < count) return nullptr;
  const EdgeList edges = VisibleEdges(Unpacked(archived), duplicates_, id_limit, identity_);
  return MakeCountedGraph(CsrGraph(edges, id_limit), alive_bytes_).graph;
}

}  // namespace sash
