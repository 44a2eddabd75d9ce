// DatedPairs: the pairs of vertices that have an edge, each with the dates of its edges: the
// numbers of the slices in which they came, from 0. DatedRows: the same by vertex, in both
// directions.
//
// Thread safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "windows/base/check.h"
#include "windows/base/ids.h"
#include "windows/kernels/edge_difference.h"

namespace sash {

using Date = std::uint32_t;

// Invariants
//   (1) `pairs` ascend by source, then target; each is there once. No pair is a self-loop.
//   (2) dates[starts[i]] to dates[starts[i + 1]] are those of pairs[i]: at least one, ascending,
//       each once.
struct DatedPairs {
  VertexId id_limit = 0;
  std::vector<VertexPair> pairs{};  // fewer than 2^32
  std::vector<std::uint64_t> starts{0};
  std::vector<Date> dates{};

  // Adds the pair behind all others, or a later date to the newest pair.
  void Append(VertexPair pair, Date date) {
    if (pairs.empty() || !(pairs.back() == pair)) {
      pairs.push_back(pair);
      starts.push_back(dates.size());
    } else if (dates.back() == date) {
      return;
    }
    dates.push_back(date);
    starts.back() = dates.size();
  }
};

class DatedRows {
 public:
  // The number of a pair: its place among the pairs.
  using PairNumber = std::uint32_t;

  // O(pairs + ids). `pairs` must outlive it.
  explicit DatedRows(const DatedPairs& pairs)
      : pairs_(pairs),
        out_(std::size_t{pairs.id_limit} + 1),
        in_(std::size_t{pairs.id_limit} + 1),
        incoming_(pairs.pairs.size()) {
    SASH_CHECK(pairs.pairs.size() < UINT32_MAX);
    for (const VertexPair& pair : pairs.pairs) {
      ++out_[pair.source + 1];
      ++in_[pair.target + 1];
    }
    for (std::size_t v = 0; v < pairs.id_limit; ++v) {
      out_[v + 1] += out_[v];
      in_[v + 1] += in_[v];
    }
    std::vector<PairNumber> places(in_.begin(), in_.end() - 1);
    for (PairNumber i = 0; i < incoming_.size(); ++i) {
      incoming_[places[pairs.pairs[i].target]++] = i;
    }
  }

  VertexId id_limit() const { return pairs_.id_limit; }
  const VertexPair& pair(PairNumber number) const { return pairs_.pairs[number]; }

  // The pairs that begin at v, [first, second): ascending by target.
  std::pair<PairNumber, PairNumber> Out(VertexId v) const { return {out_[v], out_[v + 1]}; }
  // The pairs that end at v, ascending by source.
  std::span<const PairNumber> In(VertexId v) const {
    return std::span(incoming_).subspan(in_[v], in_[v + 1] - in_[v]);
  }
  std::size_t OutDegree(VertexId v) const { return out_[v + 1] - out_[v]; }
  std::size_t InDegree(VertexId v) const { return in_[v + 1] - in_[v]; }

  std::span<const Date> Dates(PairNumber number) const {
    return std::span(pairs_.dates)
        .subspan(pairs_.starts[number], pairs_.starts[number + 1] - pairs_.starts[number]);
  }
  Date Newest(PairNumber number) const { return Dates(number).back(); }
  // The first date of the pair that is not before `from`.
  std::optional<Date> FirstFrom(PairNumber number, Date from) const {
    const std::span<const Date> dates = Dates(number);
    const auto found = std::ranges::lower_bound(dates, from);
    return found == dates.end() ? std::nullopt : std::optional(*found);
  }
  // The last date of the pair that is not after `until`.
  std::optional<Date> LastUntil(PairNumber number, Date until) const {
    const std::span<const Date> dates = Dates(number);
    const auto behind = std::ranges::upper_bound(dates, until);
    return behind == dates.begin() ? std::nullopt : std::optional(*(behind - 1));
  }

 private:
  const DatedPairs& pairs_;
  std::vector<PairNumber> out_;  // by id: the number of its first pair
  std::vector<PairNumber> in_;   // by id: the place of its first pair in incoming_
  std::vector<PairNumber> incoming_;
};

}  // namespace sash
