#include "windows/store/lists/slot_lives.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "windows/base/sanitizers.h"

// Lives may change while they are read. ThreadSanitizer accepts that of atomics only.
#if defined(__x86_64__) && !SASH_THREAD_SANITIZER
#define SASH_WIDE_COPIES __attribute__((target("avx512f,bmi2")))
#define SASH_HALF_WIDE_COPIES __attribute__((target("avx2,popcnt")))
// GCC 12 warns of its own intrinsics that use undefined registers (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#endif

namespace sash {

#ifdef SASH_WIDE_COPIES

namespace {

const bool copies_sixteen = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("bmi2");
const bool copies_eight = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");

// For each mask: the source lanes when the lanes of the mask are moved to the end, in their order.
// The other lanes may hold anything.
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

// The visible slots, a bit each, by their lives. An aligned life is read as a whole. If it changes
// meanwhile, the slot is visible in this view before and after.
struct ByLives {
  const std::uint32_t* lives;
  std::uint32_t view;

  // The bits of the slots from `first` on.
  SASH_HALF_WIDE_COPIES std::uint32_t Eight(std::uint32_t first) const {
    // kDead is the sign bit, so a live slot is greater than any death.
    const __m256i newest = _mm256_set1_epi32(static_cast<int>(view | SlotLives::kDead));
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lives + first));
    return static_cast<std::uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(some, newest))));
  }
  SASH_WIDE_COPIES std::uint32_t Sixteen(std::uint32_t first) const {
    return Visible(_mm512_loadu_si512(lives + first));
  }
  // The `count` slots before `end`, as the highest of 16 bits.
  SASH_WIDE_COPIES std::uint32_t Last(std::uint32_t end, std::uint32_t count) const {
    const auto there = static_cast<__mmask16>(0xFFFFu << (16 - count));
    // Lanes outside the mask are not read.
    return there & Visible(_mm512_maskz_loadu_epi32(
                       there, lives + (std::ptrdiff_t{end} - std::ptrdiff_t{16})));
  }

 private:
  SASH_WIDE_COPIES std::uint32_t Visible(__m512i some) const {
    const __m512i dead = _mm512_set1_epi32(static_cast<int>(SlotLives::kDead));
    return _mm512_cmpgt_epu32_mask(_mm512_xor_si512(some, dead),
                                   _mm512_set1_epi32(static_cast<int>(view)));
  }
};

// Stops when fewer than eight slots are left or fewer than eight neighbours are wanted.
template <typename By>
SASH_HALF_WIDE_COPIES void CopyEights(const By& by, const VertexId* neighbours, std::uint32_t& end,
                                      std::uint32_t& left, VertexId* to) {
  while (left >= 8 && end >= 8) {
    end -= 8;
    const std::uint32_t mask = by.Eight(end);
    const __m128i moves =
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kMovesToTheEnd[mask].data()));
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(neighbours + end));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (left - 8)),
                        _mm256_permutevar8x32_epi32(some, _mm256_cvtepu8_epi32(moves)));
    left -= static_cast<std::uint32_t>(std::popcount(mask));
  }
}

template <typename By>
SASH_WIDE_COPIES void CopySixteens(const By& by, const VertexId* all_neighbours, std::uint32_t& end,
                                   std::uint32_t& left, VertexId* to) {
  constexpr std::uint32_t kWide = 16;
  while (left >= kWide && end >= kWide) {
    end -= kWide;
    const std::uint32_t visible = by.Sixteen(end);
    const auto count = static_cast<std::uint32_t>(std::popcount(visible));
    // The last lanes hold the result; the lanes before them are overwritten by the next step. A
    // masked store would wait for the mask.
    const auto last = static_cast<__mmask16>(0xFFFFu << (kWide - count));
    const __m512i neighbours = _mm512_loadu_si512(&all_neighbours[end]);
    _mm512_storeu_si512(
        to + (left - kWide),
        _mm512_maskz_expand_epi32(
            last, _mm512_maskz_compress_epi32(static_cast<__mmask16>(visible), neighbours)));
    left -= count;
  }
  while (left > 0 && end > 0) {
    const std::uint32_t some = std::min(end, kWide);
    const auto there = static_cast<__mmask16>(0xFFFFu << (kWide - some));
    // The slot of lane 0. Lanes outside the mask are not read.
    const std::ptrdiff_t first = std::ptrdiff_t{end} - std::ptrdiff_t{kWide};
    std::uint32_t visible = by.Last(end, some);
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

template <typename By>
void CopyWide(const By& by, const VertexId* neighbours, std::uint32_t& end, std::uint32_t& left,
              VertexId* to) {
  if (copies_sixteen) {
    CopySixteens(by, neighbours, end, left, to);
  } else if (copies_eight) {
    CopyEights(by, neighbours, end, left, to);
  }
}

}  // namespace

// The same by bits.
struct SlotLives::ByBits {
  const SlotLives& lives;

  std::uint32_t Eight(std::uint32_t first) const { return lives.AliveBefore(first + 8, 8); }
  std::uint32_t Sixteen(std::uint32_t first) const { return lives.AliveBefore(first + 16, 16); }
  std::uint32_t Last(std::uint32_t end, std::uint32_t count) const {
    return lives.AliveBefore(end, count) << (16 - count);
  }
};

void SlotLives::CopyVisibleWide(const VertexId* neighbours, std::uint32_t& end, std::uint32_t& left,
                                SliceNumber view, VertexId* to) const {
  CopyWide(ByLives{lives_, view}, neighbours, end, left, to);
}
void SlotLives::CopyAliveWide(const VertexId* neighbours, std::uint32_t& end, std::uint32_t& left,
                              VertexId* to) const {
  CopyWide(ByBits{*this}, neighbours, end, left, to);
}

// Without the instruction, counting bits needs a call for each word.
struct SlotLives::CountsBits {
  SASH_HALF_WIDE_COPIES static void FindOldestAlive(const SlotLives& lives, std::uint32_t begin,
                                                    std::uint32_t& end, std::uint32_t& wanted) {
    lives.FindOldestAliveInline(begin, end, wanted);
  }
};

void SlotLives::FindOldestAlive(std::uint32_t begin, std::uint32_t& end,
                                std::uint32_t& wanted) const {
  if (copies_eight) return CountsBits::FindOldestAlive(*this, begin, end, wanted);
  FindOldestAliveInline(begin, end, wanted);
}

#else

void SlotLives::FindOldestAlive(std::uint32_t begin, std::uint32_t& end,
                                std::uint32_t& wanted) const {
  FindOldestAliveInline(begin, end, wanted);
}
void SlotLives::CopyVisibleWide(const VertexId*, std::uint32_t&, std::uint32_t&, SliceNumber,
                                VertexId*) const {}
void SlotLives::CopyAliveWide(const VertexId*, std::uint32_t&, std::uint32_t&, VertexId*) const {}

#endif

std::uint32_t SlotLives::CopyVisible(const VertexId* neighbours, std::uint32_t& end,
                                     std::uint32_t most, SliceNumber view, VertexId* to) const {
  // Every slot is copied, and a copy that is not visible is overwritten. A branch for each slot
  // would often be mispredicted.
  const auto copy_rest = [&](std::uint32_t& rest, std::uint32_t& left, const auto& is_visible) {
    while (left > 0 && rest > 0) {
      --rest;
      to[left - 1] = neighbours[rest];
      left -= is_visible(rest) ? 1 : 0;
    }
  };
  if (AllDiedBy(view)) {
    std::uint32_t rest = end;
    std::uint32_t left = most;
    CopyAliveWide(neighbours, rest, left, to);
    copy_rest(rest, left, [&](std::uint32_t slot) { return AliveBefore(slot + 1, 1) != 0; });
    if (AllDiedBy(view)) {
      end = rest;
      return most - left;
    }
  }
  std::uint32_t left = most;
  CopyVisibleWide(neighbours, end, left, view, to);
  copy_rest(end, left, [&](std::uint32_t slot) { return IsVisible(slot, view); });
  return most - left;
}

std::uint32_t SlotLives::SearchOldest(std::uint32_t begin, std::uint32_t end, std::uint32_t& wanted,
                                      SliceNumber view) const {
  if (AllDiedBy(view)) {
    std::uint32_t first = end;
    std::uint32_t lacking = wanted;
    FindOldestAlive(begin, first, lacking);
    if (AllDiedBy(view)) {
      wanted = lacking;
      return first;
    }
  }
  while (end > begin && wanted > 0) wanted -= IsVisible(--end, view) ? 1 : 0;
  return end;
}

bool SlotLives::ListDead(std::uint32_t begin, std::uint32_t end, std::uint32_t count,
                         SliceNumber view, std::uint32_t* to) const {
  if (!AllDiedBy(view)) return false;
  for (std::uint32_t left = count; begin < end;) {
    const std::uint32_t some = std::min(end - begin, kWord);
    std::uint32_t dead = DeadBits(begin) & (~0u >> (kWord - some));
    for (; dead != 0 && left > 0; dead &= dead - 1, --left) {
      *to++ = begin + static_cast<std::uint32_t>(std::countr_zero(dead));
    }
    begin += some;
  }
  return AllDiedBy(view);
}

void SlotLives::CopyDeaths(const SlotLives& from, std::uint32_t first, std::uint32_t count,
                           std::uint32_t to) {
  for (std::uint32_t done = 0; done < count;) {
    const std::uint32_t some = std::min(count - done, kWord);
    for (std::uint32_t dead = from.DeadBits(first + done) & (0xFFFF'FFFFu >> (kWord - some));
         dead != 0; dead &= dead - 1) {
      const std::uint32_t slot = to + done + static_cast<std::uint32_t>(std::countr_zero(dead));
      Kill(slot, Life(slot) & ~kDead);
    }
    done += some;
  }
}

}  // namespace sash
