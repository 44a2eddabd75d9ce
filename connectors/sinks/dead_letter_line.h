#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "windows/ingest/refusal.h"

namespace sash {

// Every line begins so.
inline constexpr std::string_view kDeadLetterHead = R"({"topic":)";

// A refused record as a line of JSON, its end included: topic, partition, offset, timestamp,
// reason, stage, detail, and payload, or payload_base64 when it is not UTF-8; "truncated": true
// when only the first `payload_bytes` of the payload are there (or fewer, for whole characters).
std::string DeadLetterLine(const RefusedRecord& record, std::size_t payload_bytes);

}  // namespace sash
