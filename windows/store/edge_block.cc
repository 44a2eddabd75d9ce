#include "windows/store/edge_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "windows/base/sanitizers.h"

// Lives may change while they are read; ThreadSanitizer knows that of atomics alone.
#if defined(__x86_64__) && !SASH_THREAD_SANITIZER
#define SASH_WIDE_COPIES __attribute__((target("avx512f,bmi2")))
#define SASH_HALF_WIDE_COPIES __attribute__((target("avx2,popcnt")))
// GCC 12 takes its own registers of any content for a mistake (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#endif

namespace sash {

#ifdef SASH_WIDE_COPIES

namespace {

const bool copies_sixteen = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi2");
const bool copies_eight = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");

// Where the last lanes come from when those of a mask are moved to the end, in their order. The lanes
// before them may be any.
constexpr std::array<std::array<std::uint8_t, 8>, 256> MovesToTheEnd() {
  std::array<std::array<std::uint8_t, 8>, 256> moves{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned to = 8;
    for (unsigned lane = 8; lane-- > 0;) {
      if ((mask >> lane & 1) != 0) moves[mask][--to] = static_cast<std::uint8_t>(lane);
    }
  }
  return moves;
}
alignas(64) constexpr std::array<std::array<std::uint8_t, 8>, 256> kMovesToTheEnd = MovesToTheEnd();

// As long as eight slots are there and eight neighbours are wanted.
SASH_HALF_WIDE_COPIES void CopyEights(const VertexId* neighbours, const std::uint32_t* lives,
                                      std::uint32_t& end, std::uint32_t& left, std::uint32_t view,
                                      VertexId* to) {
  // The bit of the dead is the sign: who is alive is above any slice of the dead.
  const __m256i newest = _mm256_set1_epi32(static_cast<int>(view | EdgeBlock::kDead));
  while (left >= 8 && end >= 8) {
    end -= 8;
    const auto load = [end](const std::uint32_t* column) SASH_HALF_WIDE_COPIES {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column + end));
    };
    const __m256i is_visible = _mm256_cmpgt_epi32(load(lives), newest);
    const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(is_visible)));
    const __m128i moves =
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kMovesToTheEnd[mask].data()));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (left - 8)),
                        _mm256_permutevar8x32_epi32(load(neighbours), _mm256_cvtepu8_epi32(moves)));
    left -= static_cast<std::uint32_t>(std::popcount(mask));
  }
}

// An aligned life is read as a whole, and one that changes meanwhile is visible before and after.
SASH_WIDE_COPIES void CopySixteens(const VertexId* all_neighbours, const std::uint32_t* all_lives,
                                   std::uint32_t& end, std::uint32_t& left, std::uint32_t view,
                                   VertexId* to) {
  constexpr std::uint32_t kWide = 16;
  const __m512i dead = _mm512_set1_epi32(static_cast<int>(EdgeBlock::kDead));
  const __m512i newest = _mm512_set1_epi32(static_cast<int>(view));
  while (left >= kWide && end >= kWide) {
    end -= kWide;
    const __m512i lives = _mm512_xor_si512(_mm512_loadu_si512(&all_lives[end]), dead);
    const __mmask16 visible = _mm512_cmpgt_epu32_mask(lives, newest);
    const auto count = static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(visible)));
    // The last lanes count; those before them are written over by what comes next. A masked store
    // would wait for the mask.
    const auto last = static_cast<__mmask16>(0xFFFFu << (kWide - count));
    const __m512i neighbours = _mm512_loadu_si512(&all_neighbours[end]);
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
    const __m512i lives =
        _mm512_xor_si512(_mm512_maskz_loadu_epi32(there, all_lives + first), dead);
    std::uint32_t visible = _mm512_mask_cmpgt_epu32_mask(there, lives, newest);
    auto count = static_cast<std::uint32_t>(std::popcount(visible));
    end -= some;
    if (count > left) {
      visible = _pdep_u32(~0u << (count - left), visible);
      count = left;
      end = static_cast<std::uint32_t>(first + std::countr_zero(visible));
    }
    left -= count;
    const __m512i neighbours = _mm512_maskz_loadu_epi32(there, all_neighbours + first);
    _mm512_mask_storeu_epi32(
        to + left, static_cast<__mmask16>((1u << count) - 1),
        _mm512_maskz_compress_epi32(static_cast<__mmask16>(visible), neighbours));
  }
}

}  // namespace

bool EdgeBlock::CopiesWide() { return copies_sixteen || copies_eight; }

void EdgeBlock::CopyVisibleWide(std::uint32_t& end, std::uint32_t& left, SliceNumber view,
                                VertexId* to) const {
  const auto copy = copies_sixteen ? CopySixteens : CopyEights;
  copy(neighbours_, lives_, end, left, view, to);
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
