// Claims about filters: an error names a place in the text; an expression has the same answer for
// the same record; its negation has the other answer; && and || with a constant have the answer
// that the constant decides, whatever the expression has.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/filter/filter_run.h"
#include "connectors/codec/filter/filter_tree.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

using Verdict = FilterRun::Verdict;

// "line L, column C: ...", and both are in the text.
void CheckError(std::string_view text, std::string_view message) {
  SASH_CHECK(message.starts_with("line "));
  const std::size_t comma = message.find(", column ");
  const std::size_t colon = message.find(": ");
  SASH_CHECK(comma != std::string_view::npos && colon != std::string_view::npos && comma < colon);
  SASH_CHECK(colon + 2 < message.size());
  const auto number = [](std::string_view digits) {
    return std::strtoul(std::string(digits).c_str(), nullptr, 10);
  };
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  const std::size_t line = number(message.substr(5, comma - 5));
  SASH_CHECK(line >= 1 && line <= lines);
  const std::size_t column = number(message.substr(comma + 9, colon - comma - 9));
  SASH_CHECK(column >= 1 && column <= text.size() + 1);
}

// One value for each field, as `choices` says.
std::vector<FilterValue> DrawValues(const std::vector<FilterField>& fields, Choices& choices) {
  using Kind = FilterValue::Kind;
  static constexpr std::string_view kNumerals[] = {"0",   "1",   "-1",     "9223372036854775807",
                                                   "1.5", "1e9", "1e-400", "9223372036854775808"};
  std::vector<FilterValue> values;
  for (const FilterField& field : fields) {
    if (field.from == FilterField::From::kPartition) {
      values.push_back(FilterValue::Integer(3));
      continue;
    }
    const bool is_text = field.from != FilterField::From::kPointer;
    switch (choices.Below(is_text ? 2 : 6)) {
      case 0:
        values.push_back(FilterValue::Null());
        break;
      case 1:
        values.push_back(FilterValue::Text(choices.Line()));
        break;
      case 2:
        values.push_back(FilterValue::Bool(choices.Below(2) == 1));
        break;
      case 3:
        values.push_back(FilterValue::Numeral(kNumerals[choices.Below(std::size(kNumerals))]));
        break;
      case 4:
        values.push_back(FilterValue::Of(Kind::kObject));
        break;
      default:
        values.push_back(FilterValue::Of(Kind::kArray));
    }
  }
  return values;
}

// Nothing when the expression is beyond a limit. `values` are those of the inner expression.
std::optional<Verdict> AnswerTo(const std::string& text, FilterFields fields,
                                const std::vector<FilterValue>& values) {
  Result<FilterTree> tree = FilterTree::Parse(text, fields);
  if (!tree.ok()) return std::nullopt;
  FilterRun run(std::make_shared<const FilterTree>(std::move(tree).value()));
  const Verdict verdict = run.Judge(values);
  if (verdict == Verdict::kFails) CheckError(text, run.WhyFailed());
  return verdict;
}

}  // namespace

void JudgeExpression(std::string_view input) {
  Choices choices(input);
  const auto fields = static_cast<FilterFields>(choices.Below(3));
  const bool of_lines = choices.Below(2) == 1;  // else the expression is one line
  std::string text(choices.Line());
  if (of_lines) std::ranges::replace(text, ';', '\n');
  Result<FilterTree> tree = FilterTree::Parse(text, fields);
  if (!tree.ok()) return CheckError(text, tree.error().message);
  const std::vector<FilterValue> values = DrawValues(tree.value().fields, choices);
  const std::optional<Verdict> verdict = AnswerTo(text, fields, values);
  SASH_CHECK(verdict && verdict == AnswerTo(text, fields, values));

  const auto negated = AnswerTo("!(" + text + ")", fields, values);
  const Verdict opposite = *verdict == Verdict::kPasses     ? Verdict::kFiltered
                           : *verdict == Verdict::kFiltered ? Verdict::kPasses
                                                            : Verdict::kFails;
  SASH_CHECK(!negated || negated == opposite);
  const auto has = [&](const std::string& whole, Verdict wanted) {
    const auto answer = AnswerTo(whole, fields, values);
    SASH_CHECK(!answer || answer == wanted);
  };
  has("(" + text + ") || true", Verdict::kPasses);
  has("true || (" + text + ")", Verdict::kPasses);
  has("(" + text + ") && false", Verdict::kFiltered);
  has("false && (" + text + ")", Verdict::kFiltered);
  has("(" + text + ") && true", *verdict);
  has("false || (" + text + ")", *verdict);
  has("true ? (" + text + ") : false", *verdict);
}

}  // namespace sash::fuzz
