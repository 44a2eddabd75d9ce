// Parameter: what the program knows of one parameter of a kernel. A kind lists its parameters as
// rows (RowsOf() beside its struct); configuration files, the JSON Schema and results read and
// write every kernel's parameters by these rows.
//
// Thread safety: values.
//
// Invariants
//   (1) The default of a parameter is the value that the struct is made with. A list without a word
//       has none: configurations must give it.
//   (2) Configurations, results and messages list parameters in the order of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "windows/ingest/vertex_key.h"

namespace sash {

enum class TraversalDirection : std::uint8_t { kOut, kIn, kBoth };
enum class StrengthDirection : std::uint8_t { kOut, kIn, kBoth, kNet };
enum class PathMeasure : std::uint8_t { kHops, kWeight };
enum class HitsRanking : std::uint8_t { kAuthorities, kHubs };
enum class ExternalAnswers : std::uint8_t { kScores, kSets, kRows };

struct WholeBounds {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

enum class RealBounds : std::uint8_t { kFromZero, kFromZeroToBelowOne, kAboveZero };

struct Parameter {
  std::string_view name;
  std::string_view about;  // whole sentences, for editors and for the reference
  std::variant<std::monostate, WholeBounds, RealBounds> bounds{};  // of a number
  std::string_view word{};  // configurations write it for 0 or for an empty list; none: ""
  // Results show the parameter only where this parameter (mostly the same one) is neither false nor
  // 0 nor empty; "": always.
  std::string_view shown_with{};
};

// A parameter of the kind `Kind`, bound to its member.
template <typename Kind>
struct ParameterRow {
  using Member = std::variant<bool Kind::*, int Kind::*, double Kind::*, TraversalDirection Kind::*,
                              StrengthDirection Kind::*, PathMeasure Kind::*, HitsRanking Kind::*,
                              ExternalAnswers Kind::*, std::vector<VertexKey> Kind::*>;
  Member member;
  Parameter parameter;
};
template <typename Kind>
using ParameterRows = std::vector<ParameterRow<Kind>>;

// The value of a parameter in a struct of parameters, which owns it.
using ParameterValue =
    std::variant<bool*, int*, double*, TraversalDirection*, StrengthDirection*, PathMeasure*,
                 HitsRanking*, ExternalAnswers*, std::vector<VertexKey>*>;
using ConstParameterValue =
    std::variant<const bool*, const int*, const double*, const TraversalDirection*,
                 const StrengthDirection*, const PathMeasure*, const HitsRanking*,
                 const ExternalAnswers*, const std::vector<VertexKey>*>;

// Whether it is false, 0 or empty.
bool IsNothing(const ConstParameterValue& value);

// The word that stands for the value; "" if configurations and results show the value itself.
std::string_view WordFor(const Parameter& parameter, const ConstParameterValue& value);

// Why values that are right one by one are wrong together.
struct ParameterFault {
  std::string_view parameter;
  std::string_view why;  // completes "`parameter` ..."
};

// Kinds without parameters, and kinds whose parameters do not depend on each other.
template <typename Kind>
requires std::is_empty_v<Kind> ParameterRows<Kind> RowsOf(const Kind& /*kind*/) { return {}; }
template <typename Kind>
std::optional<ParameterFault> FaultOf(const Kind& /*kind*/) {
  return std::nullopt;
}

// Rows that several kinds have.
template <typename Kind>
ParameterRow<Kind> RootsRow() {
  return {&Kind::roots,
          {"roots",
           "Where it starts: vertex keys, or integers with `keys: integer`. All start together. A "
           "root that is not in the window reaches nothing."}};
}
template <typename Kind>
ParameterRow<Kind> DirectionRow() {
  return {&Kind::direction, {"direction", "Along out-edges, in-edges or both."}};
}
template <typename Kind>
ParameterRow<Kind> MostIterationsRow(std::string_view about) {
  return {&Kind::max_iterations, {"max_iterations", about, WholeBounds{1, 1'000'000}}};
}
template <typename Kind>
ParameterRow<Kind> WarmStartRow(std::string_view about) {
  return {&Kind::warm_start, {.name = "warm_start", .about = about, .shown_with = "warm_start"}};
}
template <typename Kind>
ParameterRow<Kind> CheckEveryRow(std::string_view about) {
  return {&Kind::check_every,
          {.name = "check_every",
           .about = about,
           .bounds = WholeBounds{0, 1'000'000},
           .shown_with = "warm_start"}};
}

// A parameter that is one of several words, such as "out".
template <typename Value>
concept ParameterChoice = std::is_enum_v<Value>;

// The words of a choice, in the order of its values.
std::span<const std::string_view> ChoiceWords(TraversalDirection choice);
std::span<const std::string_view> ChoiceWords(StrengthDirection choice);
std::span<const std::string_view> ChoiceWords(PathMeasure choice);
std::span<const std::string_view> ChoiceWords(HitsRanking choice);
std::span<const std::string_view> ChoiceWords(ExternalAnswers choice);

template <ParameterChoice Choice>
std::string_view ChoiceWord(Choice choice) {
  return ChoiceWords(choice)[static_cast<std::size_t>(choice)];
}

}  // namespace sash
