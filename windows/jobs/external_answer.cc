#include "windows/jobs/external_answer.h"

#include <cmath>
#include <limits>
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

}  // namespace

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
  return ExternalAnswer{.by_place = false, .sets = std::move(values).value()};
}

}  // namespace sash
