#include "connectors/codec/wide_numbers.h"

#include <charconv>
#include <functional>
#include <system_error>

#include "connectors/codec/number_text.h"

namespace sash {
namespace {

bool IsWide(std::string_view number) {
  const auto spelling = SpellingOf(number);
  if (!spelling || !spelling->is_json) return false;
  if (!spelling->is_integer) return !ParseReal(number).ok();
  if (ParseInteger(number).ok()) return false;
  std::uint64_t value = 0;
  return std::from_chars(number.data(), number.data() + number.size(), value).ec != std::errc();
}

// Drawn from the record itself, so that nobody can write one which makes the search long.
std::int64_t ChooseStandIn(std::string_view record) {
  constexpr std::uint64_t kLeast = 100'000'000'000'000'000;
  std::uint64_t seed = std::hash<std::string_view>()(record);
  for (;; seed = seed * 6364136223846793005u + 1442695040888963407u) {
    const std::uint64_t candidate = kLeast + seed % (8 * kLeast);
    if (record.find(std::to_string(candidate)) == std::string_view::npos) {
      return static_cast<std::int64_t>(candidate);
    }
  }
}

// The end of the string whose opening quote is at `at`.
std::size_t StringEnd(std::string_view record, std::size_t at) {
  for (++at; at < record.size(); ++at) {
    if (record[at] == '\\') {
      ++at;
    } else if (record[at] == '"') {
      return at + 1;
    }
  }
  return record.size();
}

}  // namespace

std::optional<std::int64_t> ReplaceWideNumbers(std::string_view record, std::string& rewritten) {
  constexpr std::string_view kNumberCharacters = "0123456789+-.eE";
  std::optional<std::int64_t> stand_in;
  std::size_t copied = 0;
  rewritten.clear();
  for (std::size_t at = 0; at < record.size();) {
    const char c = record[at];
    if (c == '"') {
      at = StringEnd(record, at);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      const std::size_t end =
          std::min(record.find_first_not_of(kNumberCharacters, at), record.size());
      if (IsWide(record.substr(at, end - at))) {
        if (!stand_in) stand_in = ChooseStandIn(record);
        rewritten.append(record.substr(copied, at - copied)).append(std::to_string(*stand_in));
        copied = end;
      }
      at = end;
    } else {
      ++at;
    }
  }
  rewritten.append(record.substr(copied));
  return stand_in;
}

}  // namespace sash
