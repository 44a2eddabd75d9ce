#include "daemon/http/work_queue.h"

#include <memory>
#include <utility>

namespace sash {

void WorkQueue::Push(Work work) {
  auto item = std::make_unique<Item>(Item{std::move(work)});
  item->next = newest_.load(std::memory_order_relaxed);
  while (!newest_.compare_exchange_weak(item->next, item.get(), std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
  (void)item.release();
  ++changes_;
  changes_.notify_one();
}

WorkQueue::Work WorkQueue::Take() {
  for (;;) {
    const std::uint32_t seen = changes_;
    if (is_stopping_) return {};
    if (oldest_ == nullptr) Fetch();
    if (oldest_ != nullptr) {
      const std::unique_ptr<Item> item(std::exchange(oldest_, oldest_->next));
      return std::move(item->work);
    }
    changes_.wait(seen);
  }
}

void WorkQueue::Stop() {
  is_stopping_ = true;
  ++changes_;
  changes_.notify_one();
}

void WorkQueue::Drop() {
  do {
    while (oldest_ != nullptr) delete std::exchange(oldest_, oldest_->next);
    Fetch();
  } while (oldest_ != nullptr);
}

void WorkQueue::Fetch() {
  Item* item = newest_.exchange(nullptr, std::memory_order_acquire);
  while (item != nullptr) {
    Item* const before = std::exchange(item->next, oldest_);
    oldest_ = std::exchange(item, before);
  }
}

}  // namespace sash
