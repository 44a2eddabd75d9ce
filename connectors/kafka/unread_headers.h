// UnreadHeaders: the headers of a record, which are read only when a mapping asks for them.
//
// Thread safety: a value. Threads may read the headers of different records at the same time.
#pragma once

#include <vector>

#include "windows/ingest/record_header.h"

namespace sash {

struct UnreadHeaders {
  const void* message = nullptr;
  // Appends the headers of the message to `to`, in their order. They point into the message. Null:
  // the record has none.
  void (*append)(const void* message, std::vector<RecordHeader>& to) = nullptr;

  void AppendTo(std::vector<RecordHeader>& to) const {
    if (append != nullptr) append(message, to);
  }
};

// The headers must outlive the result.
inline UnreadHeaders HeadersIn(const OwnHeaders& headers) {
  return {&headers, [](const void* message, std::vector<RecordHeader>& to) {
            for (const auto& [name, value] : *static_cast<const OwnHeaders*>(message)) {
              to.push_back({name, value});
            }
          }};
}

inline OwnHeaders CopyOf(const UnreadHeaders& headers) {
  std::vector<RecordHeader> read;
  headers.AppendTo(read);
  OwnHeaders copy;
  for (const RecordHeader& header : read) copy.emplace_back(header.name, header.value);
  return copy;
}

}  // namespace sash
