#include "daemon/infer/csv_header.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/number_text.h"
#include "daemon/infer/name_words.h"

namespace sash {
namespace {

bool LooksLikeValue(std::string_view field) {
  const auto digits = std::ranges::count_if(field, IsDigit);
  return SpellingOf(field).has_value() || field.empty() ||
         (digits >= 6 && std::ranges::count(field, ' ') <= 2);
}

// The letters of a text, each run of other characters as one mark: user1 and user27 are alike.
std::string ShapeOf(std::string_view text) {
  std::string shape;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter) {
      shape += c;
    } else if (shape.empty() || shape.back() != '#') {
      shape += '#';
    }
  }
  return shape;
}

}  // namespace

CsvFields FieldsOf(std::string_view line, char delimiter, bool quotes) {
  CsvRow row(delimiter, quotes);
  if (row.Split(line)) return {};
  return {row.fields().begin(), row.fields().end()};
}

bool AreNames(const CsvFields& names) {
  std::size_t known = 0;
  for (const std::string& name : names) {
    if (!WordsOf(name).IsKnown()) continue;
    if (name.size() > 1) return true;
    ++known;
  }
  return known == names.size();
}

bool IsHeader(const CsvFields& first, const std::vector<CsvFields>& rows) {
  const auto has_no_name = [&first](std::size_t i) {
    return first[i].empty() && (i == 0 || i + 1 == first.size());
  };
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (!has_no_name(i) && LooksLikeValue(first[i])) return false;
  }
  struct Column {
    std::set<std::string> values;
    std::size_t numbers = 0;
    std::size_t alike = 0;  // values of the shape of the first row's
  };
  std::vector<Column> columns(first.size());
  std::set<std::string> values;  // of all columns
  std::size_t count = 0;
  for (const CsvFields& fields : rows) {
    if (fields.size() != first.size()) continue;
    ++count;
    values.insert(fields.begin(), fields.end());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (LooksLikeValue(fields[i])) ++columns[i].numbers;
      if (ShapeOf(fields[i]) == ShapeOf(first[i])) ++columns[i].alike;
      columns[i].values.insert(fields[i]);
    }
  }
  constexpr std::size_t kFewRows = 20;
  bool repeats = false;  // some column has values more than once
  bool has_numbers = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (has_no_name(i)) continue;
    if (values.contains(first[i]) || columns[i].alike * 2 > count) return false;
    has_numbers = has_numbers || (count > 0 && columns[i].numbers * 10 >= count * 9);
    repeats = repeats || columns[i].values.size() * 2 <= count;
  }
  return AreNames(first) || has_numbers || (count >= kFewRows && repeats);
}

}  // namespace sash
