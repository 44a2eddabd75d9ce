#include "windows/jobs/external_answer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace sash {
namespace {

Error WrongAnswer(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

std::optional<Error> WhyNotAll(std::size_t values, const Advance& advance) {
  const std::uint64_t vertices = advance.provenance.vertices;
  if (values == vertices) return std::nullopt;
  return WrongAnswer("it has " + std::to_string(values) + " values for " +
                     std::to_string(vertices) + " vertices; give one for each vertex");
}

std::string QuotedKey(const VertexKey& key) {
  if (const auto* number = std::get_if<std::int64_t>(&key)) return std::to_string(*number);
  return "'" + std::get<std::string>(key) + "'";
}

template <typename Value>
Result<std::vector<Value>> ValuesById(const std::vector<KeyedValue<Value>>& given, Value missing,
                                      const Advance& advance, const VertexDictionary& keys) {
  std::vector<Value> values(
      VisitView(advance.view, [](const auto& graph) { return graph.id_limit(); }), missing);
  std::vector<bool> is_given(values.size());
  for (const KeyedValue<Value>& each : given) {
    const std::optional<VertexId> id = keys.Find(each.key);
    if (!id || !HasEdge(advance.view, *id)) {
      return WrongAnswer("key " + QuotedKey(each.key) + " is not in the window");
    }
    if (is_given[*id]) return WrongAnswer("key " + QuotedKey(each.key) + " is given twice");
    is_given[*id] = true;
    values[*id] = each.value;
  }
  if (std::optional<Error> why = WhyNotAll(given.size(), advance)) return *std::move(why);
  return values;
}

std::optional<Error> WhyNoSet(std::uint32_t number, const Advance& advance) {
  const std::uint64_t vertices = advance.provenance.vertices;
  if (number < vertices) return std::nullopt;
  return WrongAnswer("a set has the number " + std::to_string(number) +
                     "; it must be below the number of vertices (" + std::to_string(vertices) +
                     ")");
}

std::string RowText(std::size_t row) { return "row " + std::to_string(row); }

// The place of a row whose pair an earlier row has.
std::optional<std::size_t> RepeatedRow(const std::vector<std::pair<VertexId, VertexId>>& pairs) {
  std::vector<std::uint32_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::sort(order, {}, [&](std::uint32_t row) { return std::pair(pairs[row], row); });
  const auto found = std::ranges::adjacent_find(order, {}, [&](auto row) { return pairs[row]; });
  if (found == order.end()) return std::nullopt;
  return *std::next(found);
}

// All but the ids.
std::optional<Error> WhyNotRows(const ExternalRows& rows) {
  if (std::optional<Error> why = WhyTooManyRows(rows.pairs.size())) return why;
  if (!rows.scores.empty() && rows.scores.size() != rows.pairs.size()) {
    return WrongAnswer("it has " + std::to_string(rows.scores.size()) + " scores for " +
                       std::to_string(rows.pairs.size()) + " rows; give one for each row, or none");
  }
  for (std::size_t row = 0; row < rows.scores.size(); ++row) {
    if (std::isfinite(rows.scores[row])) continue;
    return WrongAnswer("the score of " + RowText(row) +
                       (std::isnan(rows.scores[row]) ? " is NaN" : " is infinite"));
  }
  if (const std::optional<std::size_t> row = RepeatedRow(rows.pairs)) {
    return WrongAnswer(RowText(*row) + " has a pair that an earlier row has");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> WhyTooManyRows(std::size_t rows) {
  if (rows <= ExternalAnswer::kMostRows) return std::nullopt;
  return WrongAnswer("it has " + std::to_string(rows) + " rows; " +
                     std::to_string(ExternalAnswer::kMostRows) + " is the most");
}

Result<ExternalAnswer> AnswerOf(ExternalRows rows, const Advance& advance) {
  if (std::optional<Error> why = WhyNotRows(rows)) return *std::move(why);
  const std::uint64_t vertices = advance.provenance.vertices;
  for (std::size_t row = 0; row < rows.pairs.size(); ++row) {
    for (const VertexId id : {rows.pairs[row].first, rows.pairs[row].second}) {
      if (id < vertices) continue;
      return WrongAnswer(RowText(row) + " names the id " + std::to_string(id) +
                         ", but the snapshot has " + std::to_string(vertices) + " vertices");
    }
  }
  return ExternalAnswer{.rows = std::move(rows)};
}

Result<ExternalAnswer> AnswerOf(const std::vector<PairedKeys>& pairs, std::vector<double> scores,
                                const Advance& advance, const VertexDictionary& keys) {
  if (std::optional<Error> why = WhyTooManyRows(pairs.size())) return *std::move(why);
  ExternalRows rows{.scores = std::move(scores)};
  rows.pairs.reserve(pairs.size());
  for (const PairedKeys& pair : pairs) {
    const std::optional<VertexId> source = keys.Find(pair.source);
    const std::optional<VertexId> target = keys.Find(pair.target);
    const bool has_source = source && HasEdge(advance.view, *source);
    if (!has_source || !target || !HasEdge(advance.view, *target)) {
      return WrongAnswer(RowText(rows.pairs.size()) + ": key " +
                         QuotedKey(has_source ? pair.target : pair.source) +
                         " is not in the window");
    }
    rows.pairs.emplace_back(*source, *target);
  }
  if (std::optional<Error> why = WhyNotRows(rows)) return *std::move(why);
  return ExternalAnswer{.by_place = false, .rows = std::move(rows)};
}

Result<ExternalAnswer> AnswerOf(std::vector<double> scores, const Advance& advance) {
  if (std::optional<Error> why = WhyNotAll(scores.size(), advance)) return *std::move(why);
  for (std::size_t place = 0; place < scores.size(); ++place) {
    if (!std::isinf(scores[place])) continue;
    return WrongAnswer("the score of the vertex with id " + std::to_string(place) + " is infinite");
  }
  return ExternalAnswer{.scores = std::move(scores)};
}

Result<ExternalAnswer> AnswerOf(std::vector<std::uint32_t> sets, const Advance& advance) {
  if (std::optional<Error> why = WhyNotAll(sets.size(), advance)) return *std::move(why);
  for (const std::uint32_t set : sets) {
    if (std::optional<Error> why = WhyNoSet(set, advance)) return *std::move(why);
  }
  return ExternalAnswer{.sets = std::move(sets)};
}

Result<ExternalAnswer> AnswerOf(const std::vector<KeyedValue<double>>& scores,
                                const Advance& advance, const VertexDictionary& keys) {
  for (const KeyedValue<double>& each : scores) {
    if (!std::isinf(each.value)) continue;
    return WrongAnswer("the score of " + QuotedKey(each.key) + " is infinite");
  }
  Result<std::vector<double>> values =
      ValuesById(scores, std::numeric_limits<double>::quiet_NaN(), advance, keys);
  if (!values) return values.error();
  return ExternalAnswer{.by_place = false, .scores = std::move(values).value()};
}

Result<ExternalAnswer> AnswerOf(const std::vector<KeyedValue<std::uint32_t>>& sets,
                                const Advance& advance, const VertexDictionary& keys) {
  Result<std::vector<std::uint32_t>> values = ValuesById(sets, std::uint32_t{0}, advance, keys);
  if (!values) return values.error();
  for (const KeyedValue<std::uint32_t>& each : sets) {
    if (std::optional<Error> why = WhyNoSet(each.value, advance)) return *std::move(why);
  }
  return ExternalAnswer{.by_place = false, .sets = std::move(values).value()};
}

}  // namespace sash
