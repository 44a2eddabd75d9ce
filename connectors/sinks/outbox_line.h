// OutboxLine: how a line of an outbox tells that it is what was written, where it was written:
//
//   <key>\t<value>[\t<key>\t<value>...]\t#<CRC-32C, eight hexadecimal digits>\n
//
// The checksum covers the name of the file, the offset of the line in it, and its messages: so a
// block of the disk that came to another place, or stands there twice, is no line of that place.
// Lines of earlier versions have no seal.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sash {

// Of the seal, with the tab before it.
inline constexpr std::size_t kSealBytes = 10;

// `file` is its name without folder; `messages` are without the line's end.
std::string SealOf(std::string_view file, std::uint64_t offset, std::string_view messages);

enum class LineSeal : std::uint8_t { kNone, kRight, kWrong };

// Of a line without its end. Where there is a seal, `line` is what is before it.
LineSeal TakeSeal(std::string_view file, std::uint64_t offset, std::string_view& line);

}  // namespace sash
