#include "daemon/infer/endpoint_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sash {
namespace {

// A pair needs so much: two names of a side, or values that both fields share.
constexpr double kEnoughPoints = 10;
constexpr std::size_t kFewRecords = 50;  // too few to judge the variety of values
constexpr std::size_t kRepeats = 5;      // so many equal values are hardly an accident
constexpr std::size_t kMostCandidates = 40;

enum class Side : std::uint8_t { kSource, kTarget };

// How well a field may be a vertex, whichever of the two.
class Vertex {
 public:
  Vertex(const ColumnProfile& profile, bool is_json) : profile_(profile) {
    Say(profile.words.entity, "its name is that of a thing");
    if (profile.words.quantity > 0) Say(-profile.words.quantity, "its name is that of a property");
    if (profile.time) Say(profile.words.time > 0 ? -10 : -6, "its values are times");
    if (profile.records >= kFewRecords) {
      JudgeVariety();
    } else if (profile.words.words.empty() && profile.present >= kRepeats &&
               profile.distinct.size() == 1) {
      Say(-8, "all its values are equal");
    }
    if (profile.presence() < 0.2) Say(-4, "few records have it");
    if (profile.mean_length > 60) Say(-5, "its values are long texts");
    if (IsIntegerKey(is_json) && profile.negatives > 0) Say(-4, "some of its values are negative");
  }

  // Values that the source reads as a key.
  static bool IsPossible(const ColumnProfile& profile, bool is_json) {
    if (profile.present == 0 || profile.truths > 0 || profile.lists > 0) return false;
    if (profile.fractions * 2 > profile.present) return false;
    if (!is_json) return true;
    // A few broken records do not matter.
    return profile.texts * 3 >= profile.present * 2 || profile.keys * 3 >= profile.present * 2;
  }

  bool IsIntegerKey(bool is_json) const {
    return is_json ? profile_.keys > profile_.texts : profile_.are_integers();
  }
  double score() const { return score_; }
  const std::string& reasons() const { return reasons_; }

 private:
  void JudgeVariety() {
    if (profile_.distinct.size() == 1) return Say(-8, "all its values are equal");
    if (profile_.distinct.size() <= 8 && profile_.variety() < 0.02) {
      Say(-4, fmt::format("it has only {} different values", profile_.distinct.size()));
    }
    if (profile_.variety() == 1 && profile_.words.row > 0) {
      Say(-8, "its values name the records");
    } else if (profile_.variety() == 1) {
      Say(-3, "each of its values is there once");
    } else if (profile_.words.row > 0) {
      Say(-profile_.words.row, "its name is that of a record");
    }
  }
  void Say(double score, std::string_view reason) {
    if (score == 0) return;
    score_ += score;
    reasons_ += fmt::format("{}{}", reasons_.empty() ? "" : "; ", reason);
  }

  const ColumnProfile& profile_;
  double score_ = 0;
  std::string reasons_;
};

int SideScore(const NameWords& words, Side side) {
  const int own = side == Side::kSource ? words.source : words.target;
  const int other = side == Side::kSource ? words.target : words.source;
  return own > 0 ? own : -other;
}

// The share of the smaller set of values that the other has too.
double Overlap(const ColumnProfile& a, const ColumnProfile& b) {
  const ColumnProfile& fewer = a.distinct.size() <= b.distinct.size() ? a : b;
  const ColumnProfile& more = &fewer == &a ? b : a;
  if (fewer.distinct.empty()) return 0;
  const auto shared = std::ranges::count_if(
      fewer.distinct, [&](std::string_view value) { return more.distinct.contains(value); });
  return static_cast<double>(shared) / static_cast<double>(fewer.distinct.size());
}

// Whether nearly all values are addresses, of hosts, people or accounts.
bool HoldsAddresses(const ColumnProfile& profile) {
  return profile.present > 0 && profile.addresses * 10 >= profile.present * 9;
}

// Ids of two kinds of things: equal numbers are not the same vertex.
bool AreDifferentThings(const ColumnProfile& a, const ColumnProfile& b) {
  return !a.words.thing.empty() && !b.words.thing.empty() && a.words.thing != b.words.thing;
}

struct Pair {
  std::size_t source = 0;
  std::size_t target = 0;
  double score = 0;
  std::string reason{};
};

class PairJudge {
 public:
  PairJudge(const SampleTable& table, const std::vector<ColumnProfile>& profiles)
      : table_(table), profiles_(profiles) {
    for (const ColumnProfile& profile : profiles) {
      vertices_.emplace_back(profile, table.is_json);
      if (profile.present > 0 && !first_) {
        first_ = profile.field;
      } else if (profile.present > 0 && !second_) {
        second_ = profile.field;
      }
      if (!Vertex::IsPossible(profile, table.is_json)) continue;
      possible_.push_back(profile.field);
    }
    // Every field with every other: only the most likely ones of a record of hundreds of fields.
    std::ranges::stable_sort(possible_,
                             [this](std::size_t a, std::size_t b) { return Best(a) > Best(b); });
    possible_.resize(std::min(possible_.size(), kMostCandidates));
    std::ranges::sort(possible_);
  }

  std::vector<RoleCandidate> Candidates(Side side) const {
    std::vector<RoleCandidate> candidates;
    for (const std::size_t field : possible_) {
      const int named = SideScore(profiles_[field].words, side);
      std::string reasons = named > 0   ? "its name says so"
                            : named < 0 ? "its name says the other side"
                                        : "its name says neither side";
      if (!vertices_[field].reasons().empty()) reasons += "; " + vertices_[field].reasons();
      candidates.push_back({field, named + vertices_[field].score(), std::move(reasons)});
    }
    std::ranges::stable_sort(candidates, std::greater(), &RoleCandidate::score);
    return candidates;
  }

  std::optional<Pair> BestPair() const {
    std::optional<Pair> best;
    for (const std::size_t source : possible_) {
      for (const std::size_t target : possible_) {
        if (source == target || !AreOfOneKind(source, target)) continue;
        Pair pair = Judge(source, target);
        if (!best || pair.score > best->score) best = std::move(pair);
      }
    }
    return best;
  }

  bool IsInteger(std::size_t field) const { return vertices_[field].IsIntegerKey(table_.is_json); }

 private:
  double Best(std::size_t field) const {
    const NameWords& words = profiles_[field].words;
    return std::max({words.source, words.target, words.side > 0 ? 6 : 0}) +
           vertices_[field].score();
  }

  // In CSV every value may be text; in JSON a key is written as text or as a number.
  bool AreOfOneKind(std::size_t a, std::size_t b) const {
    return !table_.is_json || IsInteger(a) == IsInteger(b);
  }

  Pair Judge(std::size_t source, std::size_t target) const {
    const ColumnProfile& from = profiles_[source];
    const ColumnProfile& to = profiles_[target];
    Pair pair{.source = source, .target = target};
    const auto say = [&pair](double score, std::string_view reason) {
      pair.score += score;
      if (!reason.empty()) {
        pair.reason += fmt::format("{}{}", pair.reason.empty() ? "" : "; ", reason);
      }
    };
    say(vertices_[source].score() + vertices_[target].score(), "");
    const int names = SideScore(from.words, Side::kSource) + SideScore(to.words, Side::kTarget);
    const bool are_named = from.words.source > 0 || to.words.target > 0;
    say(names, are_named ? "their names say the sides" : "");
    const bool are_alike = !from.words.words.empty() && from.words.stem == to.words.stem;
    if (are_alike && from.words.side == 1 && to.words.side == 2) {
      say(12, "their names differ by 1 and 2");
    } else if (are_alike) {
      say(4, "their names are alike");
    }
    const double overlap = Overlap(from, to);
    // Two names of sides say more than common values: banks are fewer than their accounts.
    constexpr int kSideWord = 10;
    const bool are_both = from.words.source >= kSideWord && to.words.target >= kSideWord;
    const bool are_things = AreDifferentThings(from, to);
    if (overlap > 0 && !are_things) {
      say((are_both ? 2 : 6) * overlap,
          fmt::format("they share {:.0f} % of their values", 100 * overlap));
    }
    // Texts name people and things better than their numbers do.
    const bool are_sides = from.words.source >= kSideWord || to.words.target >= kSideWord;
    if (IsInteger(source) && IsInteger(target) && are_named && !are_sides) say(-6, "");
    if (IsInteger(source) != IsInteger(target)) say(-3, "");
    if (table_.fields[source].name.empty()) {
      if (HoldsAddresses(from) && HoldsAddresses(to)) say(14, "both hold addresses");
      if (source == first_ && target == second_) {
        say(10, "they are the first two columns, as in a list of edges");
      }
    }
    if (source < target) say(1, "");
    say(-0.01 * static_cast<double>(source + target), "");  // of equal pairs, the first
    return pair;
  }

  const SampleTable& table_;
  const std::vector<ColumnProfile>& profiles_;
  std::vector<Vertex> vertices_;
  std::vector<std::size_t> possible_;
  std::optional<std::size_t> first_;  // of the fields that have values
  std::optional<std::size_t> second_;
};

}  // namespace

void GuessEndpoints(const SampleTable& table, const std::vector<ColumnProfile>& profiles,
                    EdgeGuess& guess) {
  const PairJudge judge(table, profiles);
  guess.sources = judge.Candidates(Side::kSource);
  guess.targets = judge.Candidates(Side::kTarget);
  std::optional<Pair> best = judge.BestPair();
  if (!best || best->score < kEnoughPoints) return;
  guess.source = best->source;
  guess.target = best->target;
  guess.pair_reason = std::move(best->reason);
  if (!judge.IsInteger(best->source) || !judge.IsInteger(best->target)) return;
  const ColumnProfile& from = profiles[best->source];
  const ColumnProfile& to = profiles[best->target];
  if (AreDifferentThings(from, to)) {
    guess.source_prefix = from.words.thing + ":";
    guess.target_prefix = to.words.thing + ":";
  } else {
    guess.keys = KeyKind::kInteger;
  }
}

}  // namespace sash
