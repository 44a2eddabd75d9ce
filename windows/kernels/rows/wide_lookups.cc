#include "windows/kernels/rows/wide_lookups.h"

#include "windows/kernels/rows/fetch_ahead.h"

#if defined(__x86_64__)
// GCC 12 warns of registers that its own intrinsics leave undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>

#define SASH_WIDE_LOOKUPS __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))

namespace sash::wide {
namespace {

SASH_WIDE_LOOKUPS inline __m512d LookUp(__mmask8 which, __m256i entries, const double* values) {
  return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), which, entries, values, 8);
}
SASH_WIDE_LOOKUPS inline __m512d LookUp(__mmask8 which, __m256i entries, const float* values) {
  return _mm512_cvtps_pd(_mm256_mmask_i32gather_ps(_mm256_setzero_ps(), which, entries, values, 4));
}
SASH_WIDE_LOOKUPS inline __m512d LookUp(__mmask8 which, __m256i entries, const Bfloat16* values) {
  // Each value is read with the next one, which is in the upper half and is shifted out.
  const __m256i pairs =
      _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), which, entries, values, 2);
  return _mm512_cvtps_pd(_mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16)));
}

SASH_WIDE_LOOKUPS inline __m256i Load(__mmask8 which, const std::uint32_t* entries) {
  return _mm256_maskz_loadu_epi32(which, entries);
}
SASH_WIDE_LOOKUPS inline __m256i Load(__mmask8 which, const std::uint16_t* entries) {
  return _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(which, entries));
}

SASH_WIDE_LOOKUPS inline double Fold(__m512d lanes) {
  const __m256d fours =
      _mm256_add_pd(_mm512_castpd512_pd256(lanes), _mm512_extractf64x4_pd(lanes, 1));
  const __m128d pairs = _mm_add_pd(_mm256_castpd256_pd128(fours), _mm256_extractf128_pd(fours, 1));
  return _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
}

template <typename Entry, typename Number>
SASH_WIDE_LOOKUPS inline double SumOf(const Entry* entries, std::uint32_t count,
                                      const Number* values) {
  FetchAhead(entries);
  __m512d lanes = _mm512_setzero_pd();
  for (; count >= 8; count -= 8, entries += 8) {
    FetchAhead(entries);
    lanes = _mm512_add_pd(lanes, LookUp(0xFF, Load(0xFF, entries), values));
  }
  if (count > 0) {
    const auto which = static_cast<__mmask8>((1u << count) - 1);
    lanes = _mm512_add_pd(lanes, LookUp(which, Load(which, entries), values));
  }
  return Fold(lanes);
}

template <typename Number>
SASH_WIDE_LOOKUPS void SumEach(std::span<const RowRun> runs, const Number* values, double* sums) {
  for (const RowRun& run : runs) *sums++ = SumOf(run.entries, run.count, values);
}
template <typename Number>
SASH_WIDE_LOOKUPS void SumEach(std::span<const SplitList> lists, const Number* values,
                               double* sums) {
  for (const SplitList& list : lists) {
    *sums++ = SumOf(list.low, list.low_count, values) + SumOf(list.entries, list.count, values);
  }
}
template <typename Number>
SASH_WIDE_LOOKUPS void SumEach(std::span<const EqualLists> lists, const Number* values,
                               double* sums) {
  for (const EqualLists& equal : lists) {
    const std::uint32_t* list = equal.entries;
    for (std::uint32_t i = 0; i < equal.count; ++i, list += equal.length) {
      *sums++ = SumOf(list, equal.length, values);
    }
  }
}

}  // namespace

bool HasWideLookups() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
bool GainsByWideLookups() { return HasWideLookups() && __builtin_cpu_is("intel"); }

template <typename Lists, typename Number>
void Sum(std::span<const Lists> lists, const Number* values, double* sums) {
  SumEach(lists, values, sums);
}

SASH_WIDE_LOOKUPS void Translate(std::span<const std::uint32_t> from, const std::uint32_t* numbers,
                                 std::uint32_t* to) {
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

}  // namespace sash::wide

#else

namespace sash::wide {

bool HasWideLookups() { return false; }
bool GainsByWideLookups() { return false; }
template <typename Lists, typename Number>
void Sum(std::span<const Lists>, const Number*, double*) {}
void Translate(std::span<const std::uint32_t>, const std::uint32_t*, std::uint32_t*) {}

}  // namespace sash::wide

#endif

namespace sash::wide {

template void Sum(std::span<const RowRun>, const double*, double*);
template void Sum(std::span<const RowRun>, const float*, double*);
template void Sum(std::span<const RowRun>, const Bfloat16*, double*);
template void Sum(std::span<const SplitList>, const double*, double*);
template void Sum(std::span<const SplitList>, const float*, double*);
template void Sum(std::span<const SplitList>, const Bfloat16*, double*);
template void Sum(std::span<const EqualLists>, const double*, double*);
template void Sum(std::span<const EqualLists>, const float*, double*);
template void Sum(std::span<const EqualLists>, const Bfloat16*, double*);

}  // namespace sash::wide
