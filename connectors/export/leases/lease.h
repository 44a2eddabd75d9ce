// Lease: the promise to keep a frozen snapshot for a reader on another host, which cannot lock it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "windows/base/clock.h"

namespace sash {

enum class LeasedDirections : std::uint8_t { kBoth, kOut, kIn };

// The bounds of the leases of one export.
struct LeaseBounds {
  std::uint32_t at_most = 16;  // leases at a time; 0: none are given
  std::chrono::nanoseconds longest = std::chrono::minutes(10);
  std::uint64_t bytes = std::uint64_t{2} << 30;  // of all leased snapshots together

  friend bool operator==(const LeaseBounds&, const LeaseBounds&) = default;
};

struct LeaseRequest {
  std::string window{};
  std::optional<std::uint64_t> snapshot{};        // its number; none: the newest
  std::optional<std::chrono::nanoseconds> ttl{};  // none: a minute, or the longest if less
  LeasedDirections directions = LeasedDirections::kBoth;
  std::string client{};  // its address
};

struct LeasedFile {
  std::string name{};
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;  // CRC-32C of the whole file
};

// A lease as it is at a moment.
struct Lease {
  std::string id{};    // 128 random bits: only the reader knows it
  std::string name{};  // 32 random bits, for people: in lists and in the log
  std::string window{};
  std::string client{};
  std::string folder{};  // of the snapshot, in that of its window
  std::uint64_t snapshot = 0;
  LeasedDirections directions = LeasedDirections::kBoth;
  std::vector<LeasedFile> files{};  // of these directions
  std::uint64_t bytes = 0;          // of the whole snapshot, in pages: what the lease keeps
  std::chrono::nanoseconds ttl{};
  std::chrono::nanoseconds left{};
  EventTime expires{};  // by the wall clock
};

}  // namespace sash
