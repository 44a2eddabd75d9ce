#include "daemon/plugins/plugin_elf.h"

#include <fmt/format.h>
#include <link.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace sash {
namespace {

using ElfHeader = ElfW(Ehdr);
using ElfSegment = ElfW(Phdr);

constexpr std::size_t kMostSegments = 256;

// Whether the file reaches so far.
template <typename Part>
bool ReadPart(std::ifstream& from, std::uint64_t begin, Part* parts, std::size_t count) {
  from.clear();
  from.seekg(static_cast<std::streamoff>(begin));
  from.read(reinterpret_cast<char*>(parts), static_cast<std::streamsize>(count * sizeof(Part)));
  return from.good();
}

bool IsElf(const ElfHeader& header) { return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0; }

// Nothing is compared if this process cannot read its own file.
bool IsOfThisMachine(const ElfHeader& header) {
  std::ifstream own("/proc/self/exe", std::ios::binary);
  ElfHeader ours{};
  if (!ReadPart(own, 0, &ours, 1)) return true;
  return header.e_ident[EI_CLASS] == ours.e_ident[EI_CLASS] &&
         header.e_ident[EI_DATA] == ours.e_ident[EI_DATA] && header.e_machine == ours.e_machine;
}

bool EndsWithin(std::uint64_t begin, std::uint64_t length, std::uint64_t bytes) {
  return begin <= bytes && length <= bytes - begin;
}

}  // namespace

std::optional<std::string> WhyNotLoadable(const std::string& file) {
  std::ifstream from(file, std::ios::binary | std::ios::ate);
  if (!from) return fmt::format("it cannot be read: {}", std::strerror(errno));
  const auto bytes = static_cast<std::uint64_t>(from.tellg());
  ElfHeader header{};
  if (!ReadPart(from, 0, &header, 1) || !IsElf(header)) return "it is not a shared object (ELF)";
  if (!IsOfThisMachine(header)) return "it is for another machine";
  if (header.e_type != ET_DYN) return "it is not a shared object, but another file of ELF";
  const auto cut_off = [&] {
    return fmt::format("it has {} bytes, fewer than its header says: it is cut off", bytes);
  };
  if (header.e_phentsize != sizeof(ElfSegment) || header.e_phnum > kMostSegments) {
    return "its header is wrong";
  }
  std::vector<ElfSegment> segments(header.e_phnum);
  if (!EndsWithin(header.e_phoff, segments.size() * sizeof(ElfSegment), bytes) ||
      !ReadPart(from, header.e_phoff, segments.data(), segments.size())) {
    return cut_off();
  }
  for (const ElfSegment& each : segments) {
    if (each.p_type == PT_LOAD && !EndsWithin(each.p_offset, each.p_filesz, bytes)) {
      return cut_off();
    }
  }
  return std::nullopt;
}

}  // namespace sash
