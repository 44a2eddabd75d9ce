// MultiversionedArray: a large array of which every version stays readable (LLAMA's LAMA,
// thesis §4.2.1).
//
// Elements lie in pages of 2^kPageBits; a version is an indirection table of pages. Versions share
// the pages that did not change. A page never written is the zero page (T()), which costs nothing.
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

namespace sash {

template <typename T, unsigned kPageBits = 9>
class MultiversionedArray {
 public:
  static constexpr std::size_t kPageSize = std::size_t{1} << kPageBits;
  using Page = std::array<T, kPageSize>;

  class Version {
   public:
    const T& operator[](std::size_t i) const { return (*pages_[i >> kPageBits])[i & kMask]; }
    // Elements from here on were never written; reading them is an error.
    std::size_t size() const { return pages_.size() << kPageBits; }
    std::size_t page_count() const { return pages_.size(); }
    const Page& page(std::size_t i) const { return *pages_[i]; }
    bool is_zero_page(std::size_t i) const { return pages_[i] == Zero(); }

   private:
    friend class MultiversionedArray;
    std::vector<std::shared_ptr<Page>> pages_;  // written only through the array, by (1)
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

  // The page reads as zeros again, and takes no memory once no version has it.
  void Clear(std::size_t page) {
    head_.pages_[page] = Zero();
    is_own_[page] = false;
  }

  // For writing; copies the page if a published version may hold it. O(1) amortised.
  T& At(std::size_t i) {
    const std::size_t page = i >> kPageBits;
    if (!is_own_[page]) {
      head_.pages_[page] = std::make_shared<Page>(*head_.pages_[page]);
      is_own_[page] = true;
      own_.push_back(page);
    }
    return (*head_.pages_[page])[i & kMask];
  }

  // Freezes what is there. Costs the indirection table: one pointer a page.
  Version Publish() {
    for (const std::size_t page : own_) is_own_[page] = false;
    own_.clear();
    return head_;
  }

  std::size_t bytes() const {  // of the newest version alone
    std::size_t written = 0;
    for (const auto& page : head_.pages_) written += page == Zero() ? 0 : 1;
    return written * sizeof(Page) + head_.pages_.capacity() * sizeof(std::shared_ptr<Page>);
  }

 private:
  static constexpr std::size_t kMask = kPageSize - 1;
  static const std::shared_ptr<Page>& Zero() {
    static const std::shared_ptr<Page> zero = std::make_shared<Page>();
    return zero;
  }

  Version head_;
  std::vector<bool> is_own_;      // by page: written since the last publication
  std::vector<std::size_t> own_;  // those pages
};

}  // namespace sash
