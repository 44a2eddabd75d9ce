#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "connectors/codec/csv_row.h"
#include "connectors/codec/row_splitter.h"

namespace sash {
namespace {

using Fields = std::vector<std::string>;

// A simple writer: it quotes a field if this is necessary, and sometimes if it is not.
std::string WriteField(const std::string& field, char delimiter, bool quote) {
  if (!quote && field.find_first_of(std::string("\"\r\n") + delimiter) == std::string::npos) {
    return field;
  }
  std::string written = "\"";
  for (const char c : field) written += c == '"' ? std::string("\"\"") : std::string(1, c);
  return written + "\"";
}

std::string RandomField(std::mt19937& random, char delimiter) {
  const std::string alphabet = std::string("ab \"\"\n\r\xC3\xA4;,\t") + delimiter;
  std::string field(random() % 7, ' ');
  for (char& c : field) c = alphabet[random() % alphabet.size()];
  return field;
}

std::vector<Fields> ReadBack(const std::string& file, char delimiter, std::mt19937& random) {
  RowSplitter splitter(RowSyntax::kCsv, delimiter);
  CsvRow row(delimiter);
  std::vector<Fields> rows;
  const auto drain = [&] {
    while (const auto found = splitter.Next()) {
      const auto why = row.Split(found->text);
      EXPECT_EQ(why, std::nullopt) << *why << " in " << found->text;
      rows.emplace_back(row.fields().begin(), row.fields().end());
    }
  };
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t block = 1 + random() % 40;
    splitter.Feed(std::string_view(file).substr(at, block));
    at += block;
    drain();
  }
  splitter.Finish();
  drain();
  return rows;
}

TEST(CsvRoundTripTest, WhatIsWrittenIsReadBack) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const char delimiter = ",;\t|"[random() % 4];
    const std::string line_break = random() % 2 == 0 ? "\n" : "\r\n";
    const std::size_t columns = 2 + random() % 4;
    std::vector<Fields> written;
    std::string file;
    for (std::size_t i = random() % 20; i > 0; --i) {
      Fields fields;
      for (std::size_t column = 0; column < columns; ++column) {
        fields.push_back(RandomField(random, delimiter));
        if (column > 0) file += delimiter;
        file += WriteField(fields.back(), delimiter, random() % 3 == 0);
      }
      written.push_back(std::move(fields));
      file += line_break;
      if (random() % 5 == 0) file += line_break;
    }
    if (!file.empty() && random() % 2 == 0) file.resize(file.size() - line_break.size());
    EXPECT_EQ(ReadBack(file, delimiter, random), written) << file;
  }
}

}  // namespace
}  // namespace sash
