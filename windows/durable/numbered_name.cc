#include "windows/durable/numbered_name.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace sash {

std::string NumberedName(std::string_view prefix, std::uint64_t number) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(number));
  return std::string(prefix) + digits;
}

std::optional<std::uint64_t> NumberIn(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [behind, error] = std::from_chars(digits.data(), end, number, 16);
  if (error != std::errc() || behind != end || NumberedName(prefix, number) != name) {
    return std::nullopt;
  }
  return number;
}

Result<std::vector<std::uint64_t>> NumbersIn(const Folder& folder, NumberOfName number_of) {
  const Result<std::vector<std::string>> names = folder.List();
  if (!names) return names.error();
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names.value()) {
    if (const auto number = number_of(name)) numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace sash
