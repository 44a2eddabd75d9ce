// Mutations of a section list: mostly of one section's bytes, so that the others keep their places.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sash::fuzz {

// Changes `size` bytes, which have room for `most`; returns the new size.
using Mutator = std::size_t (*)(std::uint8_t* bytes, std::size_t size, std::size_t most);

// A Mutator for inputs of targets that read section lists (section_list.h). `mutate` changes the
// bytes of a section, and inputs that are no section list.
std::size_t MutateSections(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed,
                           Mutator mutate);

}  // namespace sash::fuzz
