// ColumnCursor: reads the values of one column of a row group, page by page: the inverse of
// ColumnChunk. The bytes may be damaged; every page has its CRC-32.
//
//   ColumnCursor cursor(column, place, bytes);
//   while (cursor.Next()) use(cursor.is_null(), cursor.number() or cursor.text());
//   if (const auto& failure = cursor.failure()) ...
//
// Thread safety: belongs to one thread.
//
// Invariants
//   (1) Memory holds the bytes of the chunk, one page, and the dictionary.
//   (2) After an error Next() is false.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/export/parquet/parquet_outline.h"
#include "windows/base/result.h"

namespace sash {

class ColumnCursor {
 public:
  // `bytes`: those of the chunk at `place`.
  ColumnCursor(const OutlinedColumn& column, const ChunkPlace& place, std::string bytes);
  // Texts point into it.
  ColumnCursor(const ColumnCursor&) = delete;
  ColumnCursor& operator=(const ColumnCursor&) = delete;

  // Goes to the next row. False: there is none, or the bytes are damaged.
  bool Next() {
    if (row_ + 1 < page_rows_) {
      ++row_;
      value_ += is_null_ ? 0 : 1;
    } else if (!NextPage()) {
      return false;
    }
    is_null_ = !present_.empty() && present_[row_] == 0;
    return true;
  }

  // About the row. The values are those of the column's type; REQUIRES: !is_null().
  bool is_null() const { return is_null_; }
  std::int64_t number() const { return numbers_[value_]; }  // a truth is 0 or 1
  double real() const { return std::bit_cast<double>(numbers_[value_]); }
  std::string_view text() const { return texts_[value_]; }  // valid until the next page

  // Why it ended early; nothing so far.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool NextPage();
  bool Fail(std::string_view why);
  // The bytes of the page's content, expanded.
  bool Expand(std::string_view packed, std::uint64_t raw_bytes);
  bool ReadPage(std::int64_t encoding, std::size_t rows);
  bool ReadLevels(std::string_view& body, std::size_t rows);
  bool ReadValues(std::int64_t encoding, std::string_view body, std::size_t values);
  bool ReadPlain(std::string_view body, std::size_t values);
  bool ReadByDictionary(std::string_view body, std::size_t values);

  const std::string name_;
  const ParquetType type_;
  const bool is_optional_;
  const bool is_compressed_;
  const std::string bytes_;
  std::string_view left_;        // of bytes_: the pages that follow
  std::uint64_t rows_left_ = 0;  // in them
  std::string body_;             // of the page
  std::vector<std::uint32_t> present_;  // by row: 1 has a value; empty: all have
  std::vector<std::int64_t> numbers_;   // the values of the page
  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t> places_;
  std::string dictionary_body_;
  std::vector<std::int64_t> dictionary_numbers_;
  std::vector<std::string_view> dictionary_texts_;
  std::size_t page_rows_ = 0;
  std::size_t row_ = 0;    // in the page
  std::size_t value_ = 0;  // of the row, or the next one if it has none
  bool is_null_ = false;
  std::optional<Error> failure_;
};

}  // namespace sash
