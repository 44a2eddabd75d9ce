#include "daemon/http/external_rows.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/http/api_routes.h"
#include "windows/base/utf8.h"

namespace sash {
namespace {

using RowsJson = nlohmann::json;

Error WrongRows(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

constexpr std::size_t kMostShown = 80;  // bytes of a wrong value
constexpr const char* kForms =
    "the rows are neither an object with the lists `sources` and `targets` of ids (and `scores`), "
    "nor a list of objects with the keys `source` and `target` (and `score`)";

// The list; null: there is none.
const RowsJson* ListIn(const RowsJson& columns, const char* name) {
  const auto found = columns.find(name);
  return found != columns.end() && found->is_array() ? &*found : nullptr;
}

std::optional<VertexId> IdOf(const RowsJson& value) {
  if (!value.is_number_unsigned()) return std::nullopt;
  const auto id = value.get<std::uint64_t>();
  if (id > std::numeric_limits<VertexId>::max()) return std::nullopt;
  return static_cast<VertexId>(id);
}

std::string Shown(const RowsJson& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  return std::string(Beginning(value.dump(), kMostShown));
}

Error NotANumber(std::size_t row) {
  return WrongRows(fmt::format("the score of row {} is not a number", row));
}

Result<ExternalAnswer> ReadColumns(const RowsJson& columns, const Advance& advance) {
  const RowsJson* sources = ListIn(columns, "sources");
  const RowsJson* targets = ListIn(columns, "targets");
  const RowsJson* scores = ListIn(columns, "scores");
  const std::size_t members = scores == nullptr ? 2 : 3;
  if (sources == nullptr || targets == nullptr || columns.size() != members) {
    return WrongRows(kForms);
  }
  if (sources->size() != targets->size()) {
    return WrongRows(fmt::format("it has {} sources and {} targets; give one of each for each row",
                                 sources->size(), targets->size()));
  }
  if (std::optional<Error> why = WhyTooManyRows(sources->size())) return *std::move(why);
  ExternalRows rows;
  rows.pairs.reserve(sources->size());
  for (std::size_t row = 0; row < sources->size(); ++row) {
    const std::optional<VertexId> source = IdOf((*sources)[row]);
    const std::optional<VertexId> target = IdOf((*targets)[row]);
    if (!source || !target) {
      return WrongRows(fmt::format("the {} of row {} is not an id: {}",
                                   source ? "target" : "source", row,
                                   Shown((source ? *targets : *sources)[row])));
    }
    rows.pairs.emplace_back(*source, *target);
  }
  if (scores != nullptr) {
    rows.scores.reserve(scores->size());
    for (const RowsJson& score : *scores) {
      if (!score.is_number()) return NotANumber(rows.scores.size());
      rows.scores.push_back(score.get<double>());
    }
    if (rows.scores.empty() && !rows.pairs.empty()) {
      return WrongRows("it has no scores; give one for each row, or no `scores`");
    }
  }
  return AnswerOf(std::move(rows), advance);
}

// With string keys, a number is the same key as its text.
Result<VertexKey> KeyIn(const RowsJson& row, const char* name, KeyKind kind) {
  const auto found = row.find(name);
  if (found != row.end() && found->is_string()) {
    return ParseKey(name, found->get<std::string>(), kind);
  }
  if (found != row.end() && found->is_number_integer()) return ParseKey(name, found->dump(), kind);
  return WrongRows(fmt::format("`{}` is not a key", name));
}

Result<ExternalAnswer> ReadKeyed(const RowsJson& list, const Advance& advance,
                                 const VertexDictionary& keys) {
  if (std::optional<Error> why = WhyTooManyRows(list.size())) return *std::move(why);
  std::vector<PairedKeys> pairs;
  std::vector<double> scores;
  pairs.reserve(list.size());
  for (const RowsJson& row : list) {
    const std::size_t at = pairs.size();
    if (!row.is_object()) return WrongRows(kForms);
    Result<VertexKey> source = KeyIn(row, "source", keys.kind());
    if (!source) return WrongRows(fmt::format("row {}: {}", at, source.error().message));
    Result<VertexKey> target = KeyIn(row, "target", keys.kind());
    if (!target) return WrongRows(fmt::format("row {}: {}", at, target.error().message));
    const auto score = row.find("score");
    const bool has_score = score != row.end();
    if (row.size() != (has_score ? 3U : 2U)) {
      return WrongRows(fmt::format("row {} has another member than source, target and score", at));
    }
    if (at > 0 && has_score == scores.empty()) {
      return WrongRows(fmt::format("row {} {} a score; give one for each row, or none", at,
                                   has_score ? "has" : "does not have"));
    }
    if (has_score) {
      if (!score->is_number()) return NotANumber(at);
      scores.push_back(score->get<double>());
    }
    pairs.push_back({std::move(source).value(), std::move(target).value()});
  }
  return AnswerOf(pairs, std::move(scores), advance, keys);
}

}  // namespace

Result<ExternalAnswer> ReadRows(const nlohmann::json& rows, const Advance& advance,
                                const VertexDictionary& keys) {
  if (rows.is_object()) return ReadColumns(rows, advance);
  if (rows.is_array()) return ReadKeyed(rows, advance, keys);
  return WrongRows(kForms);
}

}  // namespace sash
