// StoredSlice: reads the edges of an exported slice, in the order of its rows.
//
//   Result<StoredSlice> slice = StoredSlice::Open(folder, facts);
//   while (const SliceRow* row = slice.value().Next()) ...
//   if (const auto& failure = slice.value().failure()) ...
//
// Thread safety: belongs to one thread.
//
// Invariant: (1) a row is returned only if all of its values are valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "connectors/export/parquet/parquet_table.h"
#include "connectors/export/slices/slice_facts.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"
#include "windows/base/weight.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/edge_id.h"

namespace sash {

// An edge of a slice. Texts are valid until the next row.
struct SliceRow {
  std::string_view source{};  // with integer keys: unused
  std::string_view target{};
  std::int64_t source_number = 0;  // with text keys: unused
  std::int64_t target_number = 0;
  Operation operation = Operation::kAdd;
  Weight weight{};
  std::string_view type{};  // empty: no type
  EventTime time{};
  std::string_view topic{};
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::uint32_t place = 0;
  EdgeId id{};
  bool is_duplicate = false;
  FilterBits passes = 0;  // by place in SliceFacts::filters
};

class StoredSlice {
 public:
  // `folder`: the descriptor of the folder of slices, which outlives it. Errors as
  // ParquetTable::Open(); kCorruption: a column is missing, and which.
  static Result<StoredSlice> Open(int folder, const SliceFacts& facts);

  // The next row; null at the end, or after an error.
  const SliceRow* Next();
  // Why it ended early; nothing so far.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  StoredSlice(ParquetTable table, std::vector<std::size_t> places, const SliceFacts& facts)
      : table_(std::move(table)),
        places_(std::move(places)),
        filters_(facts.filters.size()),
        keys_(facts.keys) {}

  bool NextGroup();
  bool AdvanceColumns();
  bool TakeKeys();
  bool TakeWeight();
  bool TakePlace();
  bool TakeId();
  bool Fail(std::string_view why);

  ParquetTable table_;
  std::vector<std::size_t> places_;  // of the columns, in the order of StoredColumn
  std::size_t filters_;
  KeyKind keys_;
  ParquetTable::Columns columns_;
  std::size_t next_group_ = 0;
  std::uint64_t rows_left_ = 0;  // in the group
  SliceRow row_;
  std::optional<Error> failure_;
};

}  // namespace sash
