#include "windows/kernels/rows/row_sums.h"

#include <bit>

#include "windows/kernels/rows/fetch_ahead.h"
#include "windows/kernels/rows/wide_lookups.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace sash {
namespace {

bool uses_wide_lookups = wide::GainsByWideLookups();

// Unrolled, so that lanes are registers; sorted rows let the processor predict where a row ends.
template <typename Entry, typename Number>
double Sum(const Entry* entries, std::uint32_t left, const Number* values) {
  double lanes[8] = {};
  for (; left >= 8; left -= 8, entries += 8) {
    FetchAhead(entries);
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

// Four floats. A Bfloat16 is the upper half of a float, so a value is put there unchanged.
template <int kFloat>
void Put(const Bfloat16& value, __m128i& floats) {
  floats = _mm_insert_epi16(floats, std::bit_cast<std::int16_t>(value), 2 * kFloat + 1);
}
template <typename Entry>
__m128i LookUpFour(const Entry* entries, const Bfloat16* values) {
  __m128i floats = _mm_setzero_si128();
  Put<0>(values[entries[0]], floats);
  Put<1>(values[entries[1]], floats);
  Put<2>(values[entries[2]], floats);
  Put<3>(values[entries[3]], floats);
  return floats;
}
template <typename Entry>
__m128i LookUpSome(const Entry* entries, std::uint32_t count, const Bfloat16* values) {
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

template <typename Entry>
double Sum(const Entry* entries, std::uint32_t left, const Bfloat16* values) {
  FourLanes low;
  FourLanes high;
  for (; left >= 8; left -= 8, entries += 8) {
    FetchAhead(entries);
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
    FetchAhead(run.entries);
    *sums++ = Sum(run.entries, run.count, values);
  }
}
template <typename Number>
void SumNarrow(std::span<const SplitList> lists, const Number* values, double* sums) {
  for (const SplitList& list : lists) {
    *sums++ = Sum(list.low, list.low_count, values) + Sum(list.entries, list.count, values);
  }
}
template <typename Number>
void SumNarrow(std::span<const EqualLists> lists, const Number* values, double* sums) {
  for (const EqualLists& equal : lists) {
    const std::uint32_t* list = equal.entries;
    for (std::uint32_t i = 0; i < equal.count; ++i, list += equal.length) {
      FetchAhead(list);
      *sums++ = Sum(list, equal.length, values);
    }
  }
}

bool LooksUpWide(std::size_t size) { return uses_wide_lookups && size <= wide::kMostValues; }

template <typename Lists, typename Number>
void SumAny(std::span<const Lists> lists, std::span<const Number> values, double* sums) {
  if (LooksUpWide(values.size())) return wide::Sum(lists, values.data(), sums);
  SumNarrow(lists, values.data(), sums);
}

}  // namespace

template <typename Number>
void SumRuns(std::span<const RowRun> runs, std::span<const Number> values, double* sums) {
  SumAny(runs, values, sums);
}
template <typename Number>
void SumLists(std::span<const SplitList> lists, std::span<const Number> values, double* sums) {
  SumAny(lists, values, sums);
}
template <typename Number>
void SumLists(std::span<const EqualLists> lists, std::span<const Number> values, double* sums) {
  SumAny(lists, values, sums);
}

#define SASH_SUMS_OF(Number)                                                            \
  template void SumRuns(std::span<const RowRun>, std::span<const Number>, double*);     \
  template void SumLists(std::span<const SplitList>, std::span<const Number>, double*); \
  template void SumLists(std::span<const EqualLists>, std::span<const Number>, double*)
SASH_SUMS_OF(double);
SASH_SUMS_OF(float);
SASH_SUMS_OF(Bfloat16);
#undef SASH_SUMS_OF

void Translate(std::span<const std::uint32_t> from, std::span<const std::uint32_t> numbers,
               std::uint32_t* to) {
  if (LooksUpWide(numbers.size())) return wide::Translate(from, numbers.data(), to);
  for (const std::uint32_t entry : from) *to++ = numbers[entry];
}

bool UsesWideLookups() { return uses_wide_lookups; }
void UseWideLookups(bool wanted) { uses_wide_lookups = wanted && wide::HasWideLookups(); }

}  // namespace sash
