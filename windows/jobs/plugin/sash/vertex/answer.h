// The answer of a program: a score, a set or a depth of each vertex, and how the run gets it.
//
// Thread safety: GiveAnswer() is for the thread of the run.
#ifndef SASH_VERTEX_ANSWER_H
#define SASH_VERTEX_ANSWER_H

#include <sash/kernel.h>
#include <sash/vertex/lists.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sash::program {

template <typename P>
concept GivesScores = requires(const P& p, const typename P::Value& value) {
  p.Score(value);
};
template <typename P>
concept GivesSets = requires(const P& p, const typename P::Value& value) {
  p.Set(value);
};
template <typename P>
concept GivesDepths = requires(const P& p, const typename P::Value& value) {
  p.Depth(value);
};

template <typename P>
constexpr std::uint32_t OutputOf() {
  static_assert(GivesScores<P> + GivesSets<P> + GivesDepths<P> == 1,
                "a program has one of Score(), Set() and Depth(), const, with a const Value&");
  return GivesScores<P> ? SASH_SCORES : GivesSets<P> ? SASH_SETS : SASH_DEPTHS;
}

// `values`: by place. Returns what sash_kernel::run returns.
template <typename P>
int GiveAnswer(const sash_run* run, const P& program, const Lists& lists,
               const std::vector<typename P::Value>& values) {
  const std::size_t limit = run->id_limit;
  if constexpr (GivesScores<P>) {
    std::vector<double> scores(limit);
    std::vector<std::uint8_t> has(limit);
    for (std::size_t place = 0; place < lists.size(); ++place) {
      const std::optional<double> score = program.Score(values[place]);
      if (score) scores[lists.id(place)] = *score;
      has[lists.id(place)] = score.has_value();
    }
    return run->put_scores(run, scores.data(), has.data(), limit);
  } else if constexpr (GivesSets<P>) {
    std::vector<std::uint32_t> sets(limit);
    for (std::size_t place = 0; place < lists.size(); ++place) {
      sets[lists.id(place)] = program.Set(values[place]);
    }
    return run->put_sets(run, sets.data(), limit);
  } else {
    std::vector<std::int32_t> depths(limit, -1);
    for (std::size_t place = 0; place < lists.size(); ++place) {
      depths[lists.id(place)] = program.Depth(values[place]);
    }
    return run->put_depths(run, depths.data(), limit);
  }
}

}  // namespace sash::program

#endif
