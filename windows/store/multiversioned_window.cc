#include "windows/store/multiversioned_window.h"

#include <algorithm>
#include <utility>

#include "windows/base/check.h"

namespace sash {
namespace {

// Copying a table of this number of pages takes longer than waking the second thread.
constexpr std::size_t kPagesWorthTwoThreads = 512;

}  // namespace

MultiversionedWindow::MultiversionedWindow(std::shared_ptr<MultiversionedStore> store,
                                           std::size_t slices)
    : store_(std::move(store)), held_(slices), degrees_(store_->alive_bytes_) {
  CountRetained();
  store_->edges_.windows().push_back(this);
}

MultiversionedWindow::~MultiversionedWindow() {
  std::erase(store_->edges_.windows(), this);
  store_->ReleaseUnheld();
}

void MultiversionedWindow::CountRetained() {
  SliceRecords& records = store_->edges_.records();
  for (std::size_t i = records.size() - held_; i < records.size(); ++i) {
    degrees_.Reserve(records.id_limit());
    SliceRecord& record = records.at(i);
    const auto out = [this](VertexId v) { degrees_.out.Prefetch(v); };
    record.out.ForEachAlive(out, [&](VertexId v, std::uint32_t n) { OutEdgesEntered(v, n); });
    const auto in = [this](VertexId v) { degrees_.in.Prefetch(v); };
    record.in.ForEachAlive(in, [&](VertexId v, std::uint32_t n) { InEdgesEntered(v, n); });
  }
}

void MultiversionedWindow::AgeOutOldest() {
  SASH_CHECK(held_ > 0);
  SliceRecords& records = store_->edges_.records();
  SliceRecord& record = records.at(records.size() - held_);
  std::uint64_t aged = 0;
  const auto out = [&] {
    record.out.ForEachAlive([&](VertexId v) { degrees_.out.Prefetch(v); },
                            [&](VertexId v, std::uint32_t n) {
                              degrees_.out.Subtract(v, n);
                              aged += n;
                            });
  };
  const auto in = [&] {
    record.in.ForEachAlive([&](VertexId v) { degrees_.in.Prefetch(v); },
                           [&](VertexId v, std::uint32_t n) { degrees_.in.Subtract(v, n); });
  };
  store_->second_thread_.CallBoth(record.touched() >= kWorthTwoThreads, out, in);
  if (counts_ends()) KeepLeft(record);
  edges_ -= aged;
  aged_out_ += aged;
  --held_;
  store_->ReleaseUnheld();
}

PublishedView MultiversionedWindow::Publish(VertexId id_limit) {
  MultiversionedView::Parts parts{.out = {},
                                  .in = {},
                                  .degrees = {},
                                  .newest_slice = store_->edges_.records().newest(),
                                  .oldest_slice = oldest(),
                                  .aged_out = aged_out_,
                                  .alive = store_->alive_bytes_,
                                  .only_replaced = only_replaced(),
                                  .none_die = !store_->edges_.out().is_mortal(),
                                  .on_disk = store_->spec_.slots != nullptr};
  if (counts_ends()) {
    parts.out_slices = Known(&SliceRecord::out, left_out_);
    parts.in_slices = Known(&SliceRecord::in, left_in_);
  }
  degrees_.CountVertices();
  store_->second_thread_.CallBoth(
      degrees_.page_count() >= kPagesWorthTwoThreads,
      [&] {
        parts.out = store_->edges_.out().Publish();
        parts.degrees.out = degrees_.out.Publish();
      },
      [&] {
        parts.in = store_->edges_.in().Publish();
        parts.degrees.in = degrees_.in.Publish();
      });
  if (store_->spec_.duplicates == DuplicatesPolicy::kWeigh)
    parts.chains = store_->chains_.Publish();
  auto view = std::make_shared<const MultiversionedView>(std::move(parts), id_limit, edges_,
                                                         degrees_.vertex_count());
  return {std::move(view), edges_, degrees_.vertex_count()};
}

bool MultiversionedWindow::only_replaced() const { return !store_->spec_.removals; }

void MultiversionedWindow::KeepLeft(const SliceRecord& record) {
  const auto keep = [&](const TouchedVertices& touched, std::vector<CountedSlice>& left) {
    if (left.size() == kMostKnownSlices) left.erase(left.begin());
    left.push_back(touched.Counted(record.number));
  };
  keep(record.out, left_out_);
  keep(record.in, left_in_);
}

RecentSlices MultiversionedWindow::Known(TouchedVertices SliceRecord::*direction,
                                        const std::vector<CountedSlice>& left) const {
  SliceRecords& records = store_->edges_.records();
  RecentSlices known{.left = left};
  const std::size_t count = std::min(held_, kMostKnownSlices);
  for (std::size_t i = records.size() - count; i < records.size(); ++i) {
    const SliceRecord& record = records.at(i);
    known.entered.push_back((record.*direction).Counted(record.number));
  }
  return known;
}

MemoryUse MultiversionedWindow::own_memory() const {
  MemoryUse use{.vertex_tables = degrees_.bytes(),
                .touched = AllocatedBytes(left_out_) + AllocatedBytes(left_in_)};
  const SliceRecords& records = store_->edges_.records();
  for (const std::vector<CountedSlice>* const left : {&left_out_, &left_in_}) {
    for (const CountedSlice& slice : *left) {
      const bool is_in_records = !records.empty() && slice.number >= records.oldest();
      if (!is_in_records) use.touched += BytesOf(slice);
    }
  }
  return use;
}

}  // namespace sash
