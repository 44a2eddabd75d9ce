// CsvRow: one row of CSV (RFC 4180), split into its fields.
//
// Fields are separated by one delimiter. A field that begins with a quote ends with one, and may
// contain delimiters, line breaks and doubled quotes; a quote anywhere else is an error. Blanks
// belong to the field. Outside quotes, one line break is allowed, at the end of the row.
//
// Without quotes, a quote is an ordinary character. With kBlanks (format_spec.h), runs of blanks
// and tabs separate fields; those at the beginning and the end of the row separate nothing, and a
// row of blanks has no fields.
//
// Thread safety: owned by one thread, because it has scratch space.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

class CsvRow {
 public:
  explicit CsvRow(char delimiter, bool quotes = true) : delimiter_(delimiter), quotes_(quotes) {}

  // Splits `row`, or returns why it is not a valid row (then fields() has no meaning).
  std::optional<std::string> Split(std::string_view row);

  // Splits at every delimiter; quotes are ordinary characters. The delimiter is not kBlanks.
  void SplitPlain(std::string_view row);

  // The fields without their quotes. They point into the last `row`, or into this object where
  // quotes were doubled.
  const std::vector<std::string_view>& fields() const { return fields_; }

 private:
  std::optional<std::string> SplitUnquoted(std::string_view row);
  std::optional<std::string> SplitAtBlanks(std::string_view row);
  std::optional<std::string> TakeQuoted(std::string_view row, std::size_t& at);
  std::optional<std::string> TakePlain(std::string_view row, std::size_t& at);
  bool Separates(char c) const;
  std::string FieldNumber() const { return std::to_string(fields_.size() + 1); }
  std::string LineBreakIn(std::string_view row) const;

  const char delimiter_;
  const bool quotes_;
  std::vector<std::string_view> fields_;
  std::string undoubled_;  // never grows while fields point into it
};

}  // namespace sash
