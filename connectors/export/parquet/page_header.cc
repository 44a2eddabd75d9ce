#include "connectors/export/parquet/page_header.h"

#include "connectors/export/parquet/compact_thrift.h"

namespace sash {

std::string PageHeader::Text() const {
  constexpr std::int32_t kDataPage = 0;
  constexpr std::int32_t kDictionaryPage = 2;
  std::string text;
  CompactThrift thrift(text);
  thrift.I32(1, is_dictionary ? kDictionaryPage : kDataPage);
  thrift.I32(2, static_cast<std::int32_t>(raw_bytes)).I32(3, static_cast<std::int32_t>(bytes));
  thrift.I32(4, static_cast<std::int32_t>(checksum));
  thrift.BeginStruct(is_dictionary ? 7 : 5);
  thrift.I32(1, static_cast<std::int32_t>(values)).I32(2, static_cast<std::int32_t>(encoding));
  if (!is_dictionary) {
    // Levels, of rows without a value and of lists.
    thrift.I32(3, static_cast<std::int32_t>(ParquetEncoding::kRuns));
    thrift.I32(4, static_cast<std::int32_t>(ParquetEncoding::kRuns));
  }
  thrift.EndStruct().EndStruct();
  return text;
}

}  // namespace sash
