// The table of a closed slice: a row for each accepted edge event.
//
// Thread safety: pure, except for the file.
#pragma once

#include <memory>
#include <stop_token>
#include <string_view>

#include "connectors/export/parquet/parquet_column.h"
#include "connectors/export/parquet/parquet_file.h"
#include "connectors/export/slices/slice_facts.h"
#include "windows/ingest/id_pin.h"
#include "windows/ingest/slice.h"
#include "windows/ingest/slice_logs.h"
#include "windows/ingest/vertex_dictionary.h"

namespace sash {

// A closed slice. While `ids` is held, its ids keep their keys.
struct ExportedSlice {
  std::shared_ptr<const Slice> slice{};
  std::shared_ptr<const SliceLogs> logs{};
  std::shared_ptr<const IdPin> ids{};
  std::shared_ptr<const FilterTexts> filters{};  // by number: that of the bits in the logs
};

struct SliceTableTask {
  const ExportedSlice& slice;
  const VertexDictionary& keys;
  const PartitionTable& partitions;
  int folder;                  // the descriptor
  std::string_view file_name;  // which does not exist yet
  const std::stop_token& stop;
  ParquetFile::MakeRoom make_room;
};

// Writes the table durably, and fills in the manifest's statements about the rows. After an error
// the file is not whole.
Status WriteSliceTable(const SliceTableTask& task, SliceFacts& facts,
                       const ParquetSizes& sizes = {});

}  // namespace sash
