#include "windows/kernels/row_sums.h"

#include <bit>

#if defined(__x86_64__)
#define SASH_WIDE_LOOKUPS __attribute__((target("avx512f,avx512vl,avx512dq")))
// GCC 12 takes its own registers of any content for a mistake (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#endif

namespace sash {
namespace {

bool HasWideLookups() {
#ifdef SASH_WIDE_LOOKUPS
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq");
#else
  return false;
#endif
}

bool uses_wide_lookups = HasWideLookups();

// Unrolled, so that lanes are registers; sorted rows let the processor foresee where a row ends.
template <typename Number>
double Sum(const RowRun& run, const Number* values) {
  double lanes[8] = {};
  const std::uint32_t* entries = run.entries;
  std::uint32_t left = run.count;
  for (; left >= 8; left -= 8, entries += 8) {
    for (int k = 0; k < 8; ++k) lanes[k] += static_cast<double>(values[entries[k]]);
  }
#pragma GCC unroll 7
  for (std::uint32_t k = 0; k < 7; ++k) {
    if (k == left) break;
    lanes[k] += static_cast<double>(values[entries[k]]);
  }
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

#ifdef __SSE2__

// Four floats: a Bfloat16 is the upper half of one, so what is looked up goes there unchanged.
template <int kFloat>
void Put(const Bfloat16& value, __m128i& floats) {
  floats = _mm_insert_epi16(floats, std::bit_cast<std::int16_t>(value), 2 * kFloat + 1);
}
__m128i LookUpFour(const std::uint32_t* entries, const Bfloat16* values) {
  __m128i floats = _mm_setzero_si128();
  Put<0>(values[entries[0]], floats);
  Put<1>(values[entries[1]], floats);
  Put<2>(values[entries[2]], floats);
  Put<3>(values[entries[3]], floats);
  return floats;
}
__m128i LookUpSome(const std::uint32_t* entries, std::uint32_t count, const Bfloat16* values) {
  __m128i floats = _mm_setzero_si128();
  if (count > 0) Put<0>(values[entries[0]], floats);
  if (count > 1) Put<1>(values[entries[1]], floats);
  if (count > 2) Put<2>(values[entries[2]], floats);
  return floats;
}

struct FourLanes {
  void Add(__m128i floats) {
    const __m128 four = _mm_castsi128_ps(floats);
    first = _mm_add_pd(first, _mm_cvtps_pd(four));
    second = _mm_add_pd(second, _mm_cvtps_pd(_mm_movehl_ps(four, four)));
  }
  __m128d first = _mm_setzero_pd();
  __m128d second = _mm_setzero_pd();
};

double Sum(const RowRun& run, const Bfloat16* values) {
  FourLanes low;
  FourLanes high;
  const std::uint32_t* entries = run.entries;
  std::uint32_t left = run.count;
  for (; left >= 8; left -= 8, entries += 8) {
    low.Add(LookUpFour(entries, values));
    high.Add(LookUpFour(entries + 4, values));
  }
  if (left >= 4) {
    low.Add(LookUpFour(entries, values));
    high.Add(LookUpSome(entries + 4, left - 4, values));
  } else {
    low.Add(LookUpSome(entries, left, values));
  }
  const __m128d lanes =
      _mm_add_pd(_mm_add_pd(low.first, high.first), _mm_add_pd(low.second, high.second));
  return _mm_cvtsd_f64(_mm_add_sd(lanes, _mm_unpackhi_pd(lanes, lanes)));
}

#endif

template <typename Number>
void SumNarrow(std::span<const RowRun> runs, const Number* values, double* sums) {
  for (const RowRun& run : runs) {
    __builtin_prefetch((&run)[kRunsAhead].entries);
    *sums++ = Sum(run, values);
  }
}

#ifdef SASH_WIDE_LOOKUPS

SASH_WIDE_LOOKUPS inline __m512d LookUp(__mmask8 which, __m256i entries, const double* values) {
  return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), which, entries, values, 8);
}
SASH_WIDE_LOOKUPS inline __m512d LookUp(__mmask8 which, __m256i entries, const float* values) {
  return _mm512_cvtps_pd(_mm256_mmask_i32gather_ps(_mm256_setzero_ps(), which, entries, values, 4));
}
SASH_WIDE_LOOKUPS inline __m512d LookUp(__mmask8 which, __m256i entries, const Bfloat16* values) {
  // Each with the next behind it, which is in the upper half: shifted out.
  const __m256i pairs =
      _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), which, entries, values, 2);
  return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16)));
}

SASH_WIDE_LOOKUPS inline double Fold(__m512d lanes) {
  const __m256d fours =
      _mm256_add_pd(_mm512_castpd512_pd256(lanes), _mm512_extractf64x4_pd(lanes, 1));
  const __m128d pairs = _mm_add_pd(_mm256_castpd256_pd128(fours), _mm256_extractf128_pd(fours, 1));
  return _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
}

template <typename Number>
SASH_WIDE_LOOKUPS void SumWide(std::span<const RowRun> runs, const Number* values, double* sums) {
  for (const RowRun& run : runs) {
    __builtin_prefetch((&run)[kRunsAhead].entries);
    const std::uint32_t* entries = run.entries;
    std::uint32_t left = run.count;
    __m512d lanes = _mm512_setzero_pd();
    for (; left >= 8; left -= 8, entries += 8) {
      const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entries));
      lanes = _mm512_add_pd(lanes, LookUp(0xFF, eight, values));
    }
    if (left > 0) {
      const auto which = static_cast<__mmask8>((1u << left) - 1);
      lanes = _mm512_add_pd(lanes, LookUp(which, _mm256_maskz_loadu_epi32(which, entries), values));
    }
    *sums++ = Fold(lanes);
  }
}

SASH_WIDE_LOOKUPS void TranslateWide(std::span<const std::uint32_t> from,
                                     const std::uint32_t* numbers, std::uint32_t* to) {
  std::size_t i = 0;
  for (; i + 16 <= from.size(); i += 16) {
    _mm512_storeu_si512(to + i,
                        _mm512_i32gather_epi32(_mm512_loadu_si512(from.data() + i), numbers, 4));
  }
  if (i == from.size()) return;
  const auto which = static_cast<__mmask16>((1u << (from.size() - i)) - 1);
  const __m512i entries = _mm512_maskz_loadu_epi32(which, from.data() + i);
  _mm512_mask_storeu_epi32(
      to + i, which,
      _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), which, entries, numbers, 4));
}

#endif

// Wide lookups take indices for signed.
[[maybe_unused]] bool MayLookUpWide(std::size_t size) {
  return uses_wide_lookups && size <= std::size_t{1} << 31;
}

template <typename Number>
void SumAny(std::span<const RowRun> runs, std::span<const Number> values, double* sums) {
#ifdef SASH_WIDE_LOOKUPS
  if (MayLookUpWide(values.size())) return SumWide(runs, values.data(), sums);
#endif
  SumNarrow(runs, values.data(), sums);
}

}  // namespace

void SumRuns(std::span<const RowRun> runs, std::span<const double> values, double* sums) {
  SumAny(runs, values, sums);
}
void SumRuns(std::span<const RowRun> runs, std::span<const float> values, double* sums) {
  SumAny(runs, values, sums);
}
void SumRuns(std::span<const RowRun> runs, std::span<const Bfloat16> values, double* sums) {
  SumAny(runs, values, sums);
}

void Translate(std::span<const std::uint32_t> from, std::span<const std::uint32_t> numbers,
               std::uint32_t* to) {
#ifdef SASH_WIDE_LOOKUPS
  if (MayLookUpWide(numbers.size())) return TranslateWide(from, numbers.data(), to);
#endif
  for (const std::uint32_t entry : from) *to++ = numbers[entry];
}

bool UsesWideLookups() { return uses_wide_lookups; }
void UseWideLookups(bool wanted) { uses_wide_lookups = wanted && HasWideLookups(); }

}  // namespace sash
