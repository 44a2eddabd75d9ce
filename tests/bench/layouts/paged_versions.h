// PagedVersions: LLAMA's multiversioned array (thesis §4.2.1), reduced to what the prototypes need:
// a table of pages that versions share; a page is copied at most once between two publications.
//
// Thread safety: one thread.
//
// Invariants
//   (1) A published Version never changes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace sash::bench {

template <typename T, unsigned kPageBits>
class PagedVersions {
 public:
  static constexpr std::size_t kPageSize = std::size_t{1} << kPageBits;
  using Page = std::array<T, kPageSize>;

  class Version {
   public:
    // Entries that were never written are T().
    T operator[](std::size_t i) const {
      const std::size_t page = i >> kPageBits;
      return page < pages_.size() && pages_[page] ? (*pages_[page])[i & (kPageSize - 1)] : T();
    }
    // Only for entries that were written.
    const T& Written(std::size_t i) const { return (*pages_[i >> kPageBits])[i & (kPageSize - 1)]; }
    std::size_t table_bytes() const { return pages_.capacity() * sizeof(pages_[0]); }

   private:
    friend class PagedVersions;
    std::vector<std::shared_ptr<Page>> pages_;
  };

  T operator[](std::size_t i) const { return newest_[i]; }

  void Reserve(std::size_t size) {
    const std::size_t pages = (size + kPageSize - 1) >> kPageBits;
    if (pages <= newest_.pages_.size()) return;
    newest_.pages_.resize(pages);
    is_own_.resize(pages, false);
  }

  // For writing, below the reserved size.
  T& At(std::size_t i) {
    const std::size_t page = i >> kPageBits;
    if (!is_own_[page]) TakePage(page);
    return (*newest_.pages_[page])[i & (kPageSize - 1)];
  }

  Version Publish() {
    for (const std::size_t page : own_) is_own_[page] = false;
    own_.clear();
    return newest_;
  }

  // The bytes of one version.
  std::size_t bytes() const {
    std::size_t written = 0;
    for (const auto& page : newest_.pages_) written += page ? 1 : 0;
    return written * sizeof(Page) + newest_.table_bytes();
  }

  // The bytes of the pages that `version` has and `next` does not.
  static std::size_t OwnPageBytes(const Version& version, const Version& next) {
    std::size_t own = 0;
    for (std::size_t page = 0; page < version.pages_.size(); ++page) {
      if (version.pages_[page] && version.pages_[page] != next.pages_[page]) ++own;
    }
    return own * sizeof(Page);
  }

 private:
  void TakePage(std::size_t page) {
    auto& shared = newest_.pages_[page];
    shared = shared ? std::make_shared<Page>(*shared) : std::make_shared<Page>();
    is_own_[page] = true;
    own_.push_back(page);
  }

  Version newest_;
  std::vector<bool> is_own_;      // by page: written since the last publication
  std::vector<std::size_t> own_;  // those pages
};

}  // namespace sash::bench
