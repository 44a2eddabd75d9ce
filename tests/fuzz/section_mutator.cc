#include "tests/fuzz/section_mutator.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/section_list.h"

namespace sash::fuzz {

std::size_t MutateSections(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed,
                           Mutator mutate) {
  constexpr std::size_t kOptions = 2;  // of the targets that read section lists
  constexpr std::size_t kRoom = 64;    // by which a section may grow
  std::minstd_rand random(seed);
  if (size <= kOptions || bytes[0] != '0' || random() % 10 == 0) return mutate(bytes, size, most);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::vector<FileSection> sections = UnpackSections(text.substr(kOptions));
  if (sections.empty()) return mutate(bytes, size, most);
  std::string& section = sections[random() % sections.size()].bytes;
  const std::size_t before = section.size();
  section.resize(before + kRoom);
  section.resize(mutate(reinterpret_cast<std::uint8_t*>(section.data()), before, section.size()));
  const std::string packed = PackSections(sections);
  const std::size_t taken = std::min(packed.size(), most - kOptions);
  std::memcpy(bytes + kOptions, packed.data(), taken);
  return kOptions + taken;
}

}  // namespace sash::fuzz
