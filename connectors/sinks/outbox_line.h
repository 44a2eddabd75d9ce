// A line of an outbox: its messages, and its seal. The seal shows that the line is unchanged and at
// its place:
//
//   <key>\t<value>[\t<key>\t<value>...]\t#<CRC-32C, eight hexadecimal digits>\n
//
// The checksum covers the name of the file, the offset of the line in the file, and the messages of
// the line. So it also detects a disk block at a wrong place, or in two places. Lines of earlier
// versions have no seal.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sash {

// Bytes, with seal and line end.
inline constexpr std::size_t kLongestOutboxLine = std::numeric_limits<std::uint32_t>::max();

// The size of the seal, with the tab before it.
inline constexpr std::size_t kSealBytes = 10;

// `file` is the name without the folder; `messages` is without the line end.
std::string SealOf(std::string_view file, std::uint64_t offset, std::string_view messages);

enum class LineSeal : std::uint8_t { kNone, kRight, kWrong };

// Checks the seal of a line without its line end. If there is a seal, removes it from `line`.
LineSeal TakeSeal(std::string_view file, std::uint64_t offset, std::string_view& line);

// The length of each message of a line without line end and seal; the tab or line end after a
// message is part of it. No value if the line is not from an outbox whose keys begin with `head`:
// the seal is wrong, or there is none and a key or value is not JSON.
std::optional<std::vector<std::uint32_t>> MessageLengths(std::string_view line,
                                                         std::string_view head, LineSeal seal);

}  // namespace sash
