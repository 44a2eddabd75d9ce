// MultiversionedArray: a large array whose versions all stay readable (LLAMA's LAMA, thesis
// §4.2.1).
//
// Elements lie in pages of 2^kPageBits; a version is an indirection table of pages. Versions share
// the pages that did not change. A page that was never written is the zero page (T()), which costs
// nothing.
//
// Thread safety: a Version is immutable and may be read by any thread; the array itself belongs to
// one thread.
//
// Invariants
//   (1) A published Version never changes.
//   (2) A page is copied at most once between two publications, and only when it is written.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "windows/base/allocated_bytes.h"
#include "windows/store/counted_bytes.h"

namespace sash {

template <typename T, unsigned kPageBits = 9>
class MultiversionedArray {
 public:
  static constexpr std::size_t kPageSize = std::size_t{1} << kPageBits;
  using Page = std::array<T, kPageSize>;

 private:
  struct CountedPage {
    CountedPage() = default;
    CountedPage(const Page& copied, CountedBytes bytes)
        : elements(copied), counted(std::move(bytes)) {}
    Page elements{};
    CountedBytes counted{};
  };

 public:
  static constexpr std::size_t kPageBytes = kSharedBytes<CountedPage>;

  // With `alive`, pages and the tables of versions are counted for as long as they exist.
  explicit MultiversionedArray(std::shared_ptr<AliveBytes> alive = nullptr)
      : alive_(std::move(alive)) {}

  class Version {
   public:
    const T& operator[](std::size_t i) const { return pages_[i >> kPageBits]->elements[i & kMask]; }
    // Elements from here on were never written; reading them is an error.
    std::size_t size() const { return pages_.size() << kPageBits; }
    std::size_t page_count() const { return pages_.size(); }
    const Page& page(std::size_t i) const { return pages_[i]->elements; }
    // `i` may be beyond page_count().
    const Page& page_or_zeros(std::size_t i) const {
      return i < pages_.size() ? page(i) : Zero()->elements;
    }
    bool is_zero_page(std::size_t i) const { return pages_[i] == Zero(); }

   private:
    friend class MultiversionedArray;
    std::vector<std::shared_ptr<CountedPage>> pages_;  // written only through the array, by (1)
    CountedBytes counted_;                             // the table; not the array's own
  };

  const T& operator[](std::size_t i) const { return head_[i]; }
  std::size_t size() const { return head_.size(); }

  // Makes elements up to `size` readable.
  void Reserve(std::size_t size) {
    const std::size_t pages = (size + kPageSize - 1) >> kPageBits;
    if (pages <= head_.pages_.size()) return;
    head_.pages_.resize(pages, Zero());
    is_own_.resize(pages, false);
  }

  std::size_t page_count() const { return head_.page_count(); }

  // Fetches ahead all that At(i) will copy.
  void PrefetchPage(std::size_t i) const {
    constexpr std::size_t kLine = 64;
    const auto* const bytes = reinterpret_cast<const std::byte*>(&head_.page(i >> kPageBits));
    for (std::size_t j = 0; j < sizeof(Page); j += kLine) __builtin_prefetch(bytes + j);
  }

  // The page reads as zeros again. Its memory is freed when no version has the page.
  void Clear(std::size_t page) {
    if (!head_.is_zero_page(page)) --written_;
    head_.pages_[page] = Zero();
    is_own_[page] = false;
  }

  // The pages written since the last publication; one may be there more than once.
  const std::vector<std::size_t>& written_pages() const { return own_; }
  bool is_own(std::size_t page) const { return is_own_[page]; }
  const Page& page(std::size_t i) const { return head_.page(i); }

  // Clears those of them that hold only zeros.
  void ClearZeroPages() {
    static const Page zeros{};
    for (const std::size_t page : own_) {
      if (is_own_[page] && head_.page(page) == zeros) Clear(page);
    }
  }

  // For writing; copies the page if a published version may hold it. O(1) amortised.
  T& At(std::size_t i) {
    const std::size_t page = i >> kPageBits;
    if (!is_own_[page]) {
      if (head_.is_zero_page(page)) ++written_;
      head_.pages_[page] =
          std::make_shared<CountedPage>(head_.page(page), CountedBytes(alive_, kPageBytes));
      is_own_[page] = true;
      own_.push_back(page);
    }
    return head_.pages_[page]->elements[i & kMask];
  }

  // Freezes the present elements. The cost is a copy of the indirection table: one pointer a page.
  Version Publish() {
    for (const std::size_t page : own_) is_own_[page] = false;
    own_.clear();
    Version version = head_;
    version.counted_ = CountedBytes(alive_, AllocatedBytes(version.pages_));
    return version;
  }

  // The bytes of the newest version alone, and the part of them that versions may share. O(1).
  std::size_t bytes() const {
    return versioned_bytes() + AllocatedBytes(head_.pages_) +
           AllocatedBytes(is_own_.capacity() / 8);
  }
  std::size_t versioned_bytes() const { return written_ * kPageBytes; }

 private:
  static constexpr std::size_t kMask = kPageSize - 1;
  static const std::shared_ptr<CountedPage>& Zero() {
    static const std::shared_ptr<CountedPage> zero = std::make_shared<CountedPage>();
    return zero;
  }

  const std::shared_ptr<AliveBytes> alive_;
  Version head_;
  std::size_t written_ = 0;       // pages that are not the zero page
  std::vector<bool> is_own_;      // by page: written since the last publication
  std::vector<std::size_t> own_;  // those pages
};

}  // namespace sash
