#include "connectors/export/parquet/column_chunk.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "connectors/export/parquet/packed_bits.h"
#include "connectors/export/parquet/packed_numbers.h"
#include "windows/base/check.h"
#include "windows/base/checksum.h"

namespace sash {
namespace {

constexpr std::size_t kMostTextBytes = 1 << 20;

void AppendLength(std::size_t length, std::string& out) {
  const auto number = static_cast<std::uint32_t>(length);
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

// Reads the texts of a page, each after its length.
template <typename Visit>
void VisitTexts(std::string_view texts, const Visit& visit) {
  while (!texts.empty()) {
    std::uint32_t length = 0;
    std::memcpy(&length, texts.data(), sizeof length);
    visit(texts.substr(sizeof length, length));
    texts.remove_prefix(sizeof length + length);
  }
}

// Readers may expect at least one bit.
unsigned PlaceWidth(std::size_t values) {
  return values < 2 ? 1U : static_cast<unsigned>(std::bit_width(values - 1));
}

std::string_view BytesOf(std::span<const std::int64_t> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

ColumnChunk::ColumnChunk(ParquetColumn column, std::uint64_t page_rows, ZstdPacker& packer)
    : column_(std::move(column)), packer_(packer), numbers_(page_rows), places_(page_rows) {
  if (column_.is_optional) levels_.resize(page_rows);
}

void ColumnChunk::PutText(std::string_view text) {
  if (texts_.size() > kMostTextBytes) EndPage();
  AppendLength(text.size(), texts_);
  texts_ += text;
  ++values_;
  PutLevel(1);
}

void ColumnChunk::TakeStatistics() {
  ColumnStatistics& statistics = facts_.statistics;
  statistics.TakeNulls(rows_ - values_);
  const auto numbers = std::span(numbers_).first(values_);
  switch (column_.type) {
    case ParquetType::kInteger:
    case ParquetType::kMicros:
      return statistics.TakeIntegers(numbers);
    case ParquetType::kReal:
      return statistics.TakeReals(numbers);
    case ParquetType::kText:
      return VisitTexts(texts_, [&](std::string_view text) { statistics.TakeText(text); });
    case ParquetType::kTruth:
      return;  // readers gain nothing
    case ParquetType::kWord:
      break;
  }
  if (numbers.empty()) return;
  const auto [least, greatest] = std::ranges::minmax(numbers);
  statistics.TakeText(column_.words[static_cast<std::size_t>(least)]);
  statistics.TakeText(column_.words[static_cast<std::size_t>(greatest)]);
}

// The places of the page's values. False: a dictionary does not pay, from this page on.
bool ColumnChunk::EncodeByDictionary() {
  if (values_ == 0) return false;  // the next page decides
  const bool is_first = use_ == DictionaryUse::kUndecided;
  use_ = DictionaryUse::kEnded;
  const std::size_t most = is_first ? values_ / 4 : ValueDictionary::kMost;
  for (std::size_t i = 0; i < values_; ++i) {
    const std::optional<std::uint32_t> place = dictionary_.PlaceOf(numbers_[i]);
    if (!place || *place >= most) {
      if (is_first) dictionary_.Clear();
      return false;
    }
    places_[i] = *place;
  }
  use_ = DictionaryUse::kUsed;
  return true;
}

// Appends the values of the page to `body_`.
ParquetEncoding ColumnChunk::EncodeValues() {
  const auto numbers = std::span(numbers_).first(values_);
  const auto places = std::span(places_).first(values_);
  const std::size_t begin = body_.size();
  const auto put_places = [&](std::size_t values) {
    const unsigned width = PlaceWidth(values);
    body_ += static_cast<char>(width);
    AppendRuns(places, width, body_);
    return ParquetEncoding::kPlaces;
  };
  if (column_.type == ParquetType::kText) {
    body_ += texts_;
    return ParquetEncoding::kPlain;
  }
  if (column_.type == ParquetType::kTruth) {
    constexpr std::size_t kByte = 8;
    std::ranges::copy(numbers, places_.begin());
    const std::size_t whole = (values_ + kByte - 1) / kByte * kByte;
    places_.resize(std::max(places_.size(), whole));
    std::fill(places_.begin() + static_cast<std::ptrdiff_t>(values_),
              places_.begin() + static_cast<std::ptrdiff_t>(whole), 0U);
    PackBits(places_.data(), whole, 1, body_);
    return ParquetEncoding::kPlain;
  }
  if (column_.type == ParquetType::kWord) {
    std::ranges::copy(numbers, places_.begin());
    return put_places(column_.words.size());
  }
  const bool is_first = use_ == DictionaryUse::kUndecided;
  const bool has_places = use_ != DictionaryUse::kEnded && EncodeByDictionary();
  if (has_places) put_places(dictionary_.values().size());
  if (column_.type == ParquetType::kReal) {
    if (has_places) return ParquetEncoding::kPlaces;
    body_ += BytesOf(numbers);
    return ParquetEncoding::kPlain;
  }
  deltas_.clear();
  AppendDeltas(numbers, deltas_);
  // The dictionary counts as a part of the first page; later pages use it without cost.
  const std::size_t extra = is_first ? dictionary_.values().size() * sizeof(std::int64_t) : 0;
  if (has_places && body_.size() - begin + extra <= deltas_.size()) return ParquetEncoding::kPlaces;
  body_.resize(begin);
  if (has_places) {
    use_ = DictionaryUse::kEnded;
    if (is_first) dictionary_.Clear();
  }
  const bool are_smaller = deltas_.size() < numbers.size_bytes();
  body_ += are_smaller ? std::string_view(deltas_) : BytesOf(numbers);
  return are_smaller ? ParquetEncoding::kDeltas : ParquetEncoding::kPlain;
}

void ColumnChunk::EndPage() {
  if (rows_ == 0) return;
  TakeStatistics();
  body_.clear();
  if (column_.is_optional) {
    std::string levels;
    AppendRuns(std::span(levels_).first(rows_), 1, levels);
    AppendLength(levels.size(), body_);
    body_ += levels;
    facts_.encodings.insert(ParquetEncoding::kRuns);
  }
  const ParquetEncoding encoding = EncodeValues();
  facts_.encodings.insert(encoding);
  AppendPage({.values = rows_, .encoding = encoding}, pages_);
  facts_.rows += rows_;
  rows_ = values_ = 0;
  texts_.clear();
}

void ColumnChunk::AppendPage(const PageHeader& header, std::string& to) {
  constexpr std::size_t kLeastGain = 20;
  if (!is_compressed_ || *is_compressed_) packer_.Pack(body_, packed_);
  if (!is_compressed_) {
    is_compressed_ = packed_.size() + body_.size() / kLeastGain < body_.size();
  }
  const std::string& bytes = *is_compressed_ ? packed_ : body_;
  PageHeader whole = header;
  whole.raw_bytes = body_.size();
  whole.bytes = bytes.size();
  whole.checksum = Crc32(bytes);
  const std::string text = whole.Text();
  to += text;
  to += bytes;
  facts_.raw_bytes += text.size() + body_.size();
}

std::string ColumnChunk::DictionaryPage() {
  body_.clear();
  std::size_t values = dictionary_.values().size();
  if (column_.type == ParquetType::kWord) {
    values = column_.words.size();
    for (const std::string_view word : column_.words) {
      AppendLength(word.size(), body_);
      body_ += word;
    }
  } else {
    body_ += BytesOf(dictionary_.values());
  }
  std::string page;
  AppendPage({.is_dictionary = true, .values = values}, page);
  facts_.encodings.insert(ParquetEncoding::kPlain);
  return page;
}

std::pair<std::string, ChunkFacts> ColumnChunk::End(std::uint64_t begin) {
  EndPage();
  SASH_CHECK(is_compressed_.has_value());
  std::string bytes;
  facts_.begin = begin;
  if (facts_.encodings.contains(ParquetEncoding::kPlaces)) {
    bytes = DictionaryPage();
    facts_.dictionary_at = begin;
  }
  facts_.data_at = begin + bytes.size();
  bytes += pages_;
  facts_.bytes = bytes.size();
  facts_.is_compressed = *is_compressed_;
  pages_.clear();
  dictionary_.Clear();
  use_ = DictionaryUse::kUndecided;
  is_compressed_.reset();
  return {std::move(bytes), std::exchange(facts_, {})};
}

}  // namespace sash
