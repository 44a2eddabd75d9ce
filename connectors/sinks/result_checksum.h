// The checksum of a line of results (configuration: sinks[].file.checksum): its last member,
// "crc32c", eight hexadecimal digits. It is the CRC-32C of all bytes of the line before the comma
// that precedes this member.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sash {

// `result` must be a JSON object that is not empty.
std::string WithChecksum(std::string result);

enum class ResultChecksum : std::uint8_t { kNone, kRight, kWrong };

// Checks a whole line without its line end.
ResultChecksum CheckResult(std::string_view line);

}  // namespace sash
