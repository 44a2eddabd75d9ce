#include "daemon/infer/edge_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "daemon/infer/endpoint_guess.h"

namespace sash {
namespace {

constexpr double kUsual = 0.5;  // a proposed time or weight is in at least this share of records

bool IsEndpoint(const EdgeGuess& guess, std::size_t field) {
  return guess.source == field || guess.target == field;
}

// Where the time of day is in another field than the date.
void JoinTimeOfDay(const SampleTable& table, const std::vector<ColumnProfile>& profiles,
                   EdgeGuess& guess) {
  const auto texts = [&](std::size_t field) {
    std::vector<std::string> found;
    for (const SampledValue& value : table.fields[field].values) {
      if (value.kind != SampledKind::kAbsent && !IsNullWord(value.text))
        found.push_back(value.text);
    }
    return found;
  };
  const std::size_t date = *guess.time;
  const std::string& format = guess.time_guess->how.time_format;
  if (format.empty() || format.find("%H") != std::string::npos ||
      format.find("%I") != std::string::npos) {
    return;
  }
  for (const ColumnProfile& profile : profiles) {
    const bool may_be = profile.field != date && !profile.time && profile.texts > 0 &&
                        profile.mean_length >= 4 && profile.mean_length <= 16;
    if (!may_be || IsEndpoint(guess, profile.field)) continue;
    if (auto joined = GuessJoinedTime(texts(date), texts(profile.field))) {
      guess.time_of_day = profile.field;
      guess.time_guess = std::move(joined);
      return;
    }
  }
}

// A field that is named like a time, and is written in a way that is not tried.
void RemarkUnreadTime(const SampleTable& table, const ColumnProfile& profile, EdgeGuess& guess) {
  constexpr int kNamed = 8;
  const bool may_be = profile.words.time >= kNamed && !profile.time && profile.present > 0 &&
                      profile.truths + profile.lists == 0;
  if (!may_be || IsEndpoint(guess, profile.field)) return;
  const SampledField& field = table.fields[profile.field];
  const auto first = std::ranges::find_if(field.values, [](const SampledValue& value) {
    return value.kind != SampledKind::kAbsent && !value.text.empty() && !IsNullWord(value.text);
  });
  if (first == field.values.end()) return;
  guess.remarks.push_back(fmt::format(
      "{} is named like a time, but most of its values are not written in a way that is tried "
      "here, such as \"{}\". If they are the times of the edges, map it as time and give "
      "source.time.format (connectors/README.md, Times).",
      field.label, first->text));
}

void GuessTimeField(const SampleTable& table, const std::vector<ColumnProfile>& profiles,
                    EdgeGuess& guess) {
  for (const ColumnProfile& profile : profiles) {
    if (!profile.time || IsEndpoint(guess, profile.field)) continue;
    double score = profile.words.time + 4 * profile.time->share;
    if (profile.time->how.time_unit == TimeUnit::kStep) score -= 3;
    if (profile.presence() < kUsual) score -= 8;
    guess.times.push_back({profile.field, score, profile.time->reason});
  }
  std::ranges::stable_sort(guess.times, std::greater(), &RoleCandidate::score);
  if (guess.times.empty() || guess.times.front().score < 0) {
    for (const ColumnProfile& profile : profiles) RemarkUnreadTime(table, profile, guess);
    return;
  }
  guess.time = guess.times.front().field;
  guess.time_guess = profiles[*guess.time].time;
  JoinTimeOfDay(table, profiles, guess);
}

// Steps are numbers, which may count something else.
bool HoldsTimes(const ColumnProfile& profile) {
  return profile.time && profile.time->how.time_unit != TimeUnit::kStep;
}

// Whether the source reads these numbers is decided later, by a trial.
void GuessWeight(const SampleTable& table, const std::vector<ColumnProfile>& profiles,
                 EdgeGuess& guess) {
  constexpr int kNamed = 6;
  const auto filled = std::ranges::count_if(
      profiles, [](const ColumnProfile& profile) { return profile.present > 0; });
  for (const ColumnProfile& profile : profiles) {
    const bool is_used = IsEndpoint(guess, profile.field) || guess.time == profile.field ||
                         guess.time_of_day == profile.field;
    if (is_used || profile.present == 0 || profile.truths + profile.lists > 0) continue;
    const SampledField& field = table.fields[profile.field];
    const bool is_third = field.name.empty() && profile.numerals * 4 >= profile.present * 3 &&
                          !HoldsTimes(profile) && filled <= 4;
    const double score = is_third ? kNamed : profile.words.weight;
    if (score < kNamed || HoldsTimes(profile) || profile.presence() < kUsual) continue;
    if (profile.numerals * 2 < profile.present) continue;
    if (profile.negatives > 0) {
      guess.remarks.push_back(fmt::format(
          "{} may be the weight, but it has negative values, which most jobs do not expect.",
          field.label));
      continue;
    }
    guess.weights.push_back(
        {profile.field, score, is_third ? "the numbers after the two keys" : "its name says so"});
  }
  std::ranges::stable_sort(guess.weights, std::greater(), &RoleCandidate::score);
}

// Words that other systems use.
bool IsOperationWord(std::string_view word) {
  constexpr std::array<std::string_view, 17> kWords = {
      "c", "u",      "d",      "r",      "C",      "U",      "D",      "I",  "+",
      "-", "insert", "INSERT", "update", "UPDATE", "delete", "DELETE", "add"};
  return std::ranges::find(kWords, word) != kWords.end();
}

void GuessOperation(const SampleTable& table, const std::vector<ColumnProfile>& profiles,
                    EdgeGuess& guess) {
  for (const ColumnProfile& profile : profiles) {
    if (IsEndpoint(guess, profile.field) || profile.present == 0) continue;
    if (profile.operations == profile.present) {
      guess.operation = profile.field;
      return;
    }
    constexpr std::size_t kMostWords = 8;
    if (!profile.words.operation || profile.distinct.size() > kMostWords) continue;
    std::vector<std::string_view> words(profile.distinct.begin(), profile.distinct.end());
    if (!std::ranges::any_of(words, IsOperationWord)) continue;
    std::ranges::sort(words);
    std::string list;
    for (const std::string_view word : words)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", word);
    guess.remarks.push_back(fmt::format(
        "{0} looks like an operation ({1}). Give the words that add and remove, such as "
        "operation: {{from: {2}, add: [c], remove: [d]}}; without them, every record "
        "is read as an add.",
        table.fields[profile.field].label, list, table.fields[profile.field].reference));
  }
}

}  // namespace

EdgeGuess GuessEdge(const SampleTable& table, const std::vector<ColumnProfile>& profiles) {
  EdgeGuess guess;
  GuessEndpoints(table, profiles, guess);
  GuessTimeField(table, profiles, guess);
  GuessWeight(table, profiles, guess);
  GuessOperation(table, profiles, guess);
  return guess;
}

}  // namespace sash
