// Mutations of a section list: mostly of one section's bytes, so that the others keep their places.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/section_list.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed) {
  using sash::fuzz::FileSection;
  constexpr std::size_t kOptions = 2;  // of the targets that read section lists
  constexpr std::size_t kRoom = 64;    // by which a section may grow
  std::minstd_rand random(seed);
  if (size <= kOptions || bytes[0] != '0' || random() % 10 == 0) {
    return LLVMFuzzerMutate(bytes, size, most);
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::vector<FileSection> sections = sash::fuzz::UnpackSections(text.substr(kOptions));
  if (sections.empty()) return LLVMFuzzerMutate(bytes, size, most);
  std::string& section = sections[random() % sections.size()].bytes;
  const std::size_t before = section.size();
  section.resize(before + kRoom);
  section.resize(
      LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(section.data()), before, section.size()));
  const std::string packed = sash::fuzz::PackSections(sections);
  const std::size_t taken = std::min(packed.size(), most - kOptions);
  std::memcpy(bytes + kOptions, packed.data(), taken);
  return kOptions + taken;
}
