#include "daemon/http/external_values.h"

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "daemon/http/api_routes.h"
#include "daemon/http/external_rows.h"
#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using ReportJson =
    nlohmann::json;  // not ordered: finding a member of a large ordered object is slow

Error WrongReport(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

// The message without the name of the exception, which the library puts in front in brackets.
std::string_view WhatIsWrong(std::string_view message) {
  const std::size_t name = message.starts_with('[') ? message.find("] ") : std::string_view::npos;
  return name == std::string_view::npos ? message : message.substr(name + 2);
}

Result<ReportJson> ParsedReport(const std::string& body) try {
  if (IsNestedTooDeeply(body)) return WrongReport(std::string(kNestedTooDeeply));
  ReportJson json = ReportJson::parse(body);
  if (json.is_object()) return json;
  return WrongReport("it is not a JSON object with `scores`, `sets`, `rows` or `error`");
} catch (const ReportJson::exception& error) {
  if (body.find("NaN") != std::string::npos || body.find("Infinity") != std::string::npos) {
    return WrongReport(
        "it has a number that is NaN or infinite, which JSON cannot express; null means that a "
        "vertex has no score");
  }
  return WrongReport(fmt::format("it is not JSON: {}", WhatIsWrong(error.what())));
}

// Reads one value; the same reader reads all values of an answer.
struct ScoreReader {
  std::optional<double> operator()(const ReportJson& value) const {
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) return std::nullopt;
    return value.get<double>();
  }
  static constexpr const char* kForm = "a number, or null";
};

struct SetReader {
  std::optional<std::uint32_t> operator()(const ReportJson& value) {
    if (!value.is_number_integer() && !value.is_string()) return std::nullopt;
    return numbers.try_emplace(value.dump(), static_cast<std::uint32_t>(numbers.size()))
        .first->second;
  }
  static constexpr const char* kForm = "a whole number or a text that names a set";
  std::unordered_map<std::string, std::uint32_t> numbers{};
};

template <typename Value, typename Reader>
Result<ExternalAnswer> ReadValues(const ReportJson& values, Reader reader, const ExternalWork& work,
                                  const VertexDictionary& keys) {
  if (values.is_array()) {
    std::vector<Value> by_place;
    by_place.reserve(values.size());
    for (const ReportJson& value : values) {
      const std::optional<Value> read = reader(value);
      if (!read) {
        return WrongReport(
            fmt::format("the value of id {} is not {}", by_place.size(), Reader::kForm));
      }
      by_place.push_back(*read);
    }
    return AnswerOf(std::move(by_place), *work.advance);
  }
  if (!values.is_object()) return WrongReport("the values are neither a list nor an object by key");
  std::vector<KeyedValue<Value>> by_key;
  by_key.reserve(values.size());
  for (const auto& [text, value] : values.items()) {
    Result<VertexKey> key = ParseKey("key", text, keys.kind());
    if (!key) return key.error();
    const std::optional<Value> read = reader(value);
    if (!read) return WrongReport(fmt::format("the value of '{}' is not {}", text, Reader::kForm));
    by_key.push_back({std::move(key).value(), *read});
  }
  return AnswerOf(by_key, *work.advance, keys);
}

Result<ExternalAnswer> ReadAnswer(ExternalAnswers returns, const ReportJson& values,
                                  const ExternalWork& work, const VertexDictionary& keys) {
  switch (returns) {
    case ExternalAnswers::kSets:
      return ReadValues<std::uint32_t>(values, SetReader(), work, keys);
    case ExternalAnswers::kRows:
      return ReadRows(values, *work.advance, keys);
    case ExternalAnswers::kScores:
      break;
  }
  return ReadValues<double>(values, ScoreReader(), work, keys);
}

}  // namespace

Result<WorkerReport> ReadWorkerReport(const std::string& body, const ExternalWork& work,
                                      const VertexDictionary& keys) {
  const Result<ReportJson> json = ParsedReport(body);
  if (!json) return json.error();
  const auto error = json.value().find("error");
  if (error != json.value().end() && error->is_string() && json.value().size() == 1) {
    const auto why = error->get<std::string>();
    return WorkerReport{.error = why.empty() ? "no reason was given" : why};
  }
  const ExternalAnswers returns = std::get<ExternalParameters>(work.job.parameters).returns;
  const auto values = json.value().find(std::string(ChoiceWord(returns)));
  if (values == json.value().end() || json.value().size() != 1) {
    return WrongReport(
        fmt::format("it must have one member, `{}` or `error`; job '{}' has "
                    "`returns: {}`",
                    ChoiceWord(returns), work.job.name, ChoiceWord(returns)));
  }
  Result<ExternalAnswer> answer = ReadAnswer(returns, *values, work, keys);
  if (!answer) return answer.error();
  return WorkerReport{.answer = std::move(answer).value()};
}

}  // namespace sash
