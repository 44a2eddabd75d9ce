#include "windows/store/edge_block.h"

#include <algorithm>
#include <bit>
#include <cstddef>

// Lives may change while they are read; ThreadSanitizer knows that of atomics alone.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define SASH_WIDE_COPIES __attribute__((target("avx512f,bmi2")))
// GCC 12 takes its own registers of any content for a mistake (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#endif

namespace sash {

#ifdef SASH_WIDE_COPIES

bool EdgeBlock::CopiesWide() {
  static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi2");
  return can;
}

// An aligned life is read as a whole, and one that changes meanwhile is visible before and after.
SASH_WIDE_COPIES void EdgeBlock::CopyVisibleWide(std::uint32_t& end, std::uint32_t& left,
                                                 SliceNumber view, VertexId* to) const {
  const __m512i dead = _mm512_set1_epi32(static_cast<int>(kDead));
  const __m512i newest = _mm512_set1_epi32(static_cast<int>(view));
  while (left >= kWide && end >= kWide) {
    end -= kWide;
    const __m512i lives = _mm512_xor_si512(_mm512_loadu_si512(&lives_[end]), dead);
    const __mmask16 visible = _mm512_cmpgt_epu32_mask(lives, newest);
    const auto count = static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(visible)));
    // The last lanes count; those before them are written over by what comes next. A masked store
    // would wait for the mask.
    const auto last = static_cast<__mmask16>(0xFFFFu << (kWide - count));
    const __m512i neighbours = _mm512_loadu_si512(&neighbours_[end]);
    _mm512_storeu_si512(
        to + (left - kWide),
        _mm512_maskz_expand_epi32(last, _mm512_maskz_compress_epi32(visible, neighbours)));
    left -= count;
  }
  while (left > 0 && end > 0) {
    const std::uint32_t some = std::min(end, kWide);
    const auto there = static_cast<__mmask16>(0xFFFFu << (kWide - some));
    // The slot of lane 0; of lanes that are not there nothing is read.
    const std::ptrdiff_t first = std::ptrdiff_t{end} - std::ptrdiff_t{kWide};
    const __m512i lives = _mm512_xor_si512(_mm512_maskz_loadu_epi32(there, lives_ + first), dead);
    std::uint32_t visible = _mm512_mask_cmpgt_epu32_mask(there, lives, newest);
    auto count = static_cast<std::uint32_t>(std::popcount(visible));
    end -= some;
    if (count > left) {
      visible = _pdep_u32(~0u << (count - left), visible);
      count = left;
      end = static_cast<std::uint32_t>(first + std::countr_zero(visible));
    }
    left -= count;
    const __m512i neighbours = _mm512_maskz_loadu_epi32(there, neighbours_ + first);
    _mm512_mask_storeu_epi32(
        to + left, static_cast<__mmask16>((1u << count) - 1),
        _mm512_maskz_compress_epi32(static_cast<__mmask16>(visible), neighbours));
  }
}

#else

bool EdgeBlock::CopiesWide() { return false; }
void EdgeBlock::CopyVisibleWide(std::uint32_t&, std::uint32_t&, SliceNumber, VertexId*) const {}

#endif

void EdgeBlock::CopyWeights(const EdgeBlock& from, std::uint32_t first, std::uint32_t count,
                            std::uint32_t to) {
  if (!from.weights_) {
    std::fill_n(&weights_[to], count, 1);
  } else {
    std::copy_n(&from.weights_[first], count, &weights_[to]);
  }
  if (!reals_) return;
  if (!from.reals_) {
    std::fill_n(&reals_[to], count, false);
  } else {
    std::copy_n(&from.reals_[first], count, &reals_[to]);
  }
}

}  // namespace sash
