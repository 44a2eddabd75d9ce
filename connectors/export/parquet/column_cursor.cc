#include "connectors/export/parquet/column_cursor.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "connectors/export/parquet/page_header.h"
#include "connectors/export/parquet/thrift_reader.h"
#include "connectors/export/parquet/unpacked_numbers.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

// A page has a mebibyte of keys, and one key more, or 32,768 numbers.
constexpr std::uint64_t kMostPageBytes = 64 << 20;
// Rows without a value, and runs of equal ones, take no bytes: a few bytes can state any number.
constexpr std::uint64_t kMostPageRows = 1 << 20;

// Takes a number of four bytes from the front.
std::optional<std::uint32_t> TakeLength(std::string_view& bytes) {
  std::uint32_t length = 0;
  if (bytes.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  return length;
}

bool TakeTexts(std::string_view bytes, std::size_t size, std::vector<std::string_view>& texts) {
  texts.clear();
  for (std::size_t i = 0; i < size; ++i) {
    const std::optional<std::uint32_t> length = TakeLength(bytes);
    if (!length || *length > bytes.size()) return false;
    texts.push_back(bytes.substr(0, *length));
    bytes.remove_prefix(*length);
  }
  return true;
}

}  // namespace

ColumnCursor::ColumnCursor(const OutlinedColumn& column, const ChunkPlace& place, std::string bytes)
    : name_(column.name),
      type_(column.type),
      is_optional_(column.is_optional),
      is_compressed_(place.is_compressed),
      bytes_(std::move(bytes)),
      left_(bytes_),
      rows_left_(place.rows) {}

bool ColumnCursor::Fail(std::string_view why) {
  failure_ =
      Error{ErrorCode::kCorruption, "read the column '" + name_ + "': " + std::string(why)};
  rows_left_ = 0;
  page_rows_ = 0;
  return false;
}

bool ColumnCursor::Expand(std::string_view packed, std::uint64_t raw_bytes) {
  if (raw_bytes > kMostPageBytes) return Fail("a page is too large");
  if (!is_compressed_) {
    body_ = packed;
    return packed.size() == raw_bytes || Fail("a page has another size than it states");
  }
  body_.resize(raw_bytes);
  const std::size_t size =
      ZSTD_decompress(body_.data(), body_.size(), packed.data(), packed.size());
  return (ZSTD_isError(size) == 0 && size == raw_bytes) || Fail("a page cannot be expanded");
}

bool ColumnCursor::NextPage() {
  constexpr std::int64_t kDataPage = 0;
  constexpr std::int64_t kDictionaryPage = 2;
  page_rows_ = 0;
  while (rows_left_ > 0) {
    ThriftReader reader(left_);
    const std::optional<ThriftStruct> header = reader.Struct();
    const std::int64_t raw_bytes = header ? header->Number(2).value_or(-1) : -1;
    const std::int64_t bytes = header ? header->Number(3).value_or(-1) : -1;
    const std::optional<std::int64_t> kind = header ? header->Number(1) : std::nullopt;
    if (raw_bytes < 0 || bytes < 0 || !kind ||
        static_cast<std::uint64_t>(bytes) > reader.rest().size()) {
      return Fail("the header of a page is damaged");
    }
    const std::string_view packed = reader.rest().substr(0, static_cast<std::size_t>(bytes));
    left_ = reader.rest().substr(packed.size());
    const std::optional<std::int64_t> checksum = header->Number(4);
    if (checksum && static_cast<std::uint32_t>(*checksum) != Crc32(packed)) {
      return Fail("a page is damaged: its CRC-32 differs");
    }
    if (!Expand(packed, static_cast<std::uint64_t>(raw_bytes))) return false;
    const bool is_dictionary = *kind == kDictionaryPage;
    const ThriftStruct* const facts =
        is_dictionary ? header->Struct(7) : *kind == kDataPage ? header->Struct(5) : nullptr;
    if (facts == nullptr) return Fail("a page is of a kind that is not read");
    const std::int64_t values = facts->Number(1).value_or(-1);
    const std::int64_t encoding = facts->Number(2).value_or(-1);
    const std::uint64_t most = is_dictionary ? kMostPageBytes : std::min(rows_left_, kMostPageRows);
    if (values < 0 || static_cast<std::uint64_t>(values) > most) {
      return Fail("a page has more rows than its row group, or than a page may have");
    }
    if (!is_dictionary) {
      if (values == 0) continue;
      return ReadPage(encoding, static_cast<std::size_t>(values));
    }
    if (!ReadPlain(body_, static_cast<std::size_t>(values))) {
      return failure_ ? false : Fail("its dictionary is damaged");
    }
    // Texts point into the body, whose bytes do not move.
    dictionary_numbers_.swap(numbers_);
    dictionary_texts_.swap(texts_);
    if (type_ == ParquetType::kText) {
      dictionary_body_ = body_;
      if (!TakeTexts(dictionary_body_, static_cast<std::size_t>(values), dictionary_texts_)) {
        return Fail("its dictionary is damaged");
      }
    }
  }
  return false;
}

bool ColumnCursor::ReadPage(std::int64_t encoding, std::size_t rows) {
  std::string_view body = body_;
  present_.clear();
  if (is_optional_ && !ReadLevels(body, rows)) return Fail("the levels of a page are damaged");
  const std::size_t values =
      is_optional_ ? static_cast<std::size_t>(std::ranges::count(present_, 1U)) : rows;
  if (!ReadValues(encoding, body, values)) {
    return failure_ ? false : Fail("the values of a page are damaged");
  }
  rows_left_ -= rows;
  page_rows_ = rows;
  row_ = 0;
  value_ = 0;
  return true;
}

bool ColumnCursor::ReadLevels(std::string_view& body, std::size_t rows) {
  const std::optional<std::uint32_t> length = TakeLength(body);
  if (!length || *length > body.size()) return false;
  if (!ReadRuns(body.substr(0, *length), 1, rows, present_)) return false;
  body.remove_prefix(*length);
  return true;
}

bool ColumnCursor::ReadValues(std::int64_t encoding, std::string_view body, std::size_t values) {
  switch (static_cast<ParquetEncoding>(encoding)) {
    case ParquetEncoding::kPlain:
      return ReadPlain(body, values);
    case ParquetEncoding::kPlaces:
      return ReadByDictionary(body, values);
    case ParquetEncoding::kDeltas:
      return type_ == ParquetType::kInteger && ReadDeltas(body, values, numbers_);
    case ParquetEncoding::kRuns:
      break;
  }
  return Fail("a page has an encoding that is not read");
}

bool ColumnCursor::ReadPlain(std::string_view body, std::size_t values) {
  if (type_ == ParquetType::kText) return TakeTexts(body, values, texts_);
  if (type_ == ParquetType::kTruth) {
    constexpr std::size_t kByte = 8;
    if (values > body.size() * kByte) return false;
    numbers_.resize(values);
    for (std::size_t i = 0; i < values; ++i) {
      numbers_[i] = static_cast<unsigned char>(body[i / kByte]) >> (i % kByte) & 1;
    }
    return true;
  }
  if (values > body.size() / sizeof(std::int64_t)) return false;
  numbers_.resize(values);
  if (values > 0) std::memcpy(numbers_.data(), body.data(), values * sizeof(std::int64_t));
  return true;
}

bool ColumnCursor::ReadByDictionary(std::string_view body, std::size_t values) {
  if (body.empty()) return values == 0;
  const auto width = static_cast<unsigned char>(body.front());
  if (!ReadRuns(body.substr(1), width, values, places_)) return false;
  const bool are_texts = type_ == ParquetType::kText;
  const std::size_t known = are_texts ? dictionary_texts_.size() : dictionary_numbers_.size();
  if (std::ranges::any_of(places_, [&](std::uint32_t place) { return place >= known; })) {
    return false;
  }
  numbers_.clear();
  texts_.clear();
  for (const std::uint32_t place : places_) {
    if (are_texts) {
      texts_.push_back(dictionary_texts_[place]);
    } else {
      numbers_.push_back(dictionary_numbers_[place]);
    }
  }
  return true;
}

}  // namespace sash
