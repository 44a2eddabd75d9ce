// RecordHeader: a header of a Kafka record. A record may have several headers of the same name.
//
// Thread safety: values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sash {

// It points into the record.
struct RecordHeader {
  std::string_view name;
  std::optional<std::string_view> value{};  // empty: it is null
};

// Headers that outlive their record: names and values.
using OwnHeaders = std::vector<std::pair<std::string, std::optional<std::string>>>;

// The value of the last header of this name; nothing if it is null or there is none.
inline std::optional<std::string_view> FindHeader(std::span<const RecordHeader> headers,
                                                  std::string_view name) {
  for (std::size_t i = headers.size(); i > 0; --i) {
    if (headers[i - 1].name == name) return headers[i - 1].value;
  }
  return std::nullopt;
}

}  // namespace sash
