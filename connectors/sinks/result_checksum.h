// The checksum of a line of results (configuration: sinks[].file.checksum): its last member,
// "crc32c", eight hexadecimal digits. It is the CRC-32C of all bytes of the line before the comma
// that is in front of that member.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sash {

// `result` is a JSON object that is not empty.
std::string WithChecksum(std::string result);

enum class ResultChecksum : std::uint8_t { kNone, kRight, kWrong };

// Of a whole line without its end.
ResultChecksum CheckResult(std::string_view line);

}  // namespace sash
