#include "windows/store/weight_chains.h"

#include <algorithm>
#include <limits>

#include "windows/base/check.h"

namespace sash {

ChainId WeightChains::Begin() {
  if (!free_.empty()) {
    const ChainId chain = free_.back();
    free_.pop_back();
    return chain;
  }
  SASH_CHECK(chains_.size() < std::numeric_limits<ChainId>::max());
  chains_.emplace_back();
  return static_cast<ChainId>(chains_.size() - 1);
}

void WeightChains::Add(ChainId chain, Weight contribution, SliceNumber birth, ChainCopies& slice) {
  ++chains_[chain].copies;
  if (contribution.is_integer()) {
    slice.Add(chain, contribution.integer());
    return;
  }
  slice.Add(chain, 0);
  chains_[chain].reals.push_back({birth, contribution.AsDouble()});
  ++real_copies_;
}

void WeightChains::Add(ChainId chain, const ExactSum& contribution, SliceNumber birth,
                       ChainCopies& slice) {
  WideInteger left = contribution.integers;
  do {
    const WideInteger part = std::clamp<WideInteger>(left, std::numeric_limits<std::int64_t>::min(),
                                                     std::numeric_limits<std::int64_t>::max());
    Add(chain, Weight::Integer(static_cast<std::int64_t>(part)), birth, slice);
    left -= part;
  } while (left != 0);
  for (const double real : contribution.reals) Add(chain, Weight::Real(real), birth, slice);
}

void WeightChains::Reserve(ChainId chain, Totals& window) {
  if (chain < window.sums_.size()) return;
  window.totals_.Reserve(std::size_t{chain} + 1);
  window.sums_.resize(window.totals_.size());
}

void WeightChains::Refresh(ChainId chain, SliceNumber oldest, Totals& window) const {
  WeightSum sum(window.sums_[chain]);
  for (const RealCopy& copy : chains_[chain].reals) {
    if (copy.birth >= oldest) sum.Add(Weight::Real(copy.weight));
  }
  window.totals_.At(chain) = sum.Total();
}

void WeightChains::Count(const ChainCopies& slice, std::size_t first, SliceNumber oldest,
                         Totals& window) const {
  for (std::size_t i = first; i < slice.size(); ++i) {
    const ChainId chain = slice.chain(i);
    Reserve(chain, window);
    window.sums_[chain] += slice.integer(i);
    if (i + 1 == slice.size() || slice.chain(i + 1) != chain) Refresh(chain, oldest, window);
  }
}

void WeightChains::AgeOut(const ChainCopies& slice, SliceNumber oldest, Totals& window) const {
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const ChainId chain = slice.chain(i);
    Reserve(chain, window);
    window.sums_[chain] -= slice.integer(i);
    Refresh(chain, oldest, window);
  }
}

void WeightChains::Release(const ChainCopies& slice, SliceNumber birth) {
  for (std::size_t i = 0; i < slice.size(); ++i) {
    Chain& chain = chains_[slice.chain(i)];
    if (--chain.copies == 0) {
      real_copies_ -= chain.reals.size();
      chain = Chain();
      free_.push_back(slice.chain(i));
    } else if (!chain.reals.empty() && chain.reals.front().birth <= birth) {
      const auto left = std::ranges::upper_bound(chain.reals, birth, {}, &RealCopy::birth);
      real_copies_ -= static_cast<std::size_t>(left - chain.reals.begin());
      chain.reals.erase(chain.reals.begin(), left);
    }
  }
}

std::size_t WeightChains::bytes() const {
  return chains_.capacity() * sizeof(Chain) + free_.capacity() * sizeof(ChainId) +
         real_copies_ * sizeof(RealCopy);
}

}  // namespace sash
