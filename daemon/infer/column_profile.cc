#include "daemon/infer/column_profile.h"

#include <algorithm>
#include <array>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/number_text.h"

namespace sash {
namespace {

constexpr std::array<std::string_view, 17> kNullWords = {
    "NULL", "Null", "null", "\\N", "N/A",     "n/a",    "NA",   "NaN",      "nan",
    "None", "none", "nil",  "-",   "(empty)", "(null)", "<NA>", "undefined"};

// Leading zeros would be lost, so such a number is text.
bool IsKey(const SampledValue& value, bool is_json) {
  if (is_json && value.kind != SampledKind::kInteger) return false;
  if (!ParseInteger(value.text).ok()) return false;
  const std::string_view digits =
      std::string_view(value.text).substr(value.text.starts_with('-') ? 1 : 0);
  return digits == "0" || !digits.starts_with('0');
}

bool HasDecimalComma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
  return SpellingOf(text.substr(0, comma)).has_value() &&
         std::ranges::all_of(text.substr(comma + 1), IsDigit);
}

// 1,234,567.80
bool HasGroups(std::string_view text) {
  const std::size_t end = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, end);
  const std::size_t last = whole.rfind(',');
  if (last == std::string_view::npos || last == 0 || whole.size() - last != 4) return false;
  if (end < text.size() && !std::ranges::all_of(text.substr(end + 1), IsDigit)) return false;
  return std::ranges::all_of(whole.substr(whole.starts_with('-') ? 1 : 0),
                             [](char c) { return IsDigit(c) || c == ','; });
}

// An integer as a table of doubles writes it: 12.0.
bool IsWhole(std::string_view text) {
  const std::size_t point = text.find('.');
  return point != std::string_view::npos && point + 1 < text.size() &&
         text.find_first_not_of('0', point + 1) == std::string_view::npos;
}

bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool IsAddress(std::string_view text) {
  const auto has_only = [text](std::string_view others) {
    return std::ranges::all_of(text, [others](char c) {
      return IsHexDigit(c) || others.find(c) != std::string_view::npos;
    });
  };
  if (std::ranges::count(text, '.') == 3 && text.size() >= 7 && text.size() <= 15) {
    return std::ranges::all_of(text, [](char c) { return IsDigit(c) || c == '.'; });
  }
  const auto colons = std::ranges::count(text, ':');
  if (colons == 5 || colons == 7 || text.find("::") != std::string_view::npos) {
    return text.size() <= 45 && has_only(":.");
  }
  if (text.size() == 42 && text.starts_with("0x")) return has_only("x");
  const std::size_t at = text.find('@');
  return at != std::string_view::npos && at > 0 && text.find('.', at) != std::string_view::npos &&
         text.find(' ') == std::string_view::npos;
}

void CountValue(const SampledValue& value, bool is_json, ColumnProfile& profile) {
  ++profile.present;
  profile.distinct.insert(value.text);
  profile.mean_length += static_cast<double>(value.text.size());
  if (value.kind == SampledKind::kText) ++profile.texts;
  if (value.kind == SampledKind::kTruth) ++profile.truths;
  if (IsKey(value, is_json)) ++profile.keys;
  if (SpellingOf(value.text) || HasDecimalComma(value.text) || HasGroups(value.text)) {
    ++profile.numerals;
    if (value.text.starts_with('-')) ++profile.negatives;
    const bool is_real = value.text.find_first_of(".eE") != std::string::npos;
    if (is_real && (is_json || !IsWhole(value.text))) ++profile.fractions;
  }
  if (IsAddress(value.text)) ++profile.addresses;
  static const OperationReader operations{OperationWords()};
  if (!value.text.empty() && operations.Read(value.text)) ++profile.operations;
}

bool IsNull(const std::string& text, const std::vector<std::string>& known) {
  return IsNullWord(text) || std::ranges::find(known, text) != known.end();
}

ColumnProfile Profile(const SampleTable& table, std::size_t place,
                      const std::vector<std::string>& known_nulls) {
  const SampledField& field = table.fields[place];
  ColumnProfile profile;
  profile.field = place;
  profile.words = table.is_json ? WordsOfPointer(field.name) : WordsOf(field.name);
  profile.records = field.values.size();
  std::vector<std::string> texts;
  for (const SampledValue& value : field.values) {
    if (value.kind == SampledKind::kAbsent || value.text.empty()) {
      if (value.kind == SampledKind::kList) ++profile.lists;
      continue;
    }
    if (value.kind == SampledKind::kText && IsNull(value.text, known_nulls)) {
      if (std::ranges::find(profile.nulls, value.text) == profile.nulls.end()) {
        profile.nulls.push_back(value.text);
      }
      continue;
    }
    CountValue(value, table.is_json, profile);
    texts.push_back(value.text);
  }
  if (profile.present > 0) profile.mean_length /= static_cast<double>(profile.present);
  if (profile.truths == 0 && profile.lists == 0) {
    const bool are_numbers = table.is_json && profile.texts == 0;
    profile.time = GuessTime(texts, profile.words, are_numbers);
  }
  return profile;
}

}  // namespace

bool IsNullWord(std::string_view text) {
  return std::ranges::find(kNullWords, text) != kNullWords.end();
}

std::vector<ColumnProfile> ProfileColumns(const SampleTable& table,
                                          const std::vector<std::string>& known_nulls) {
  std::vector<ColumnProfile> profiles;
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    profiles.push_back(Profile(table, i, known_nulls));
  }
  return profiles;
}

}  // namespace sash
