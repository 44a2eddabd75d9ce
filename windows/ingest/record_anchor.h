// RecordAnchor: identifies a record, so that its partition can be recognised after a restart. A
// topic that is deleted and created again has other records at the same offsets.
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <optional>

#include "windows/base/ids.h"

namespace sash {

struct RecordAnchor {
  std::int64_t offset = 0;
  std::optional<std::int64_t> timestamp_ms{};  // absent in records of old producers
  std::uint32_t crc = 0;                       // CRC-32C of key and value
  friend bool operator==(const RecordAnchor&, const RecordAnchor&) = default;
};

struct PartitionAnchor {
  PartitionIndex partition = 0;
  RecordAnchor anchor;
};

}  // namespace sash
