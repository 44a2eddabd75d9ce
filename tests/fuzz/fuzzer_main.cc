// The entry points of libFuzzer. SASH_FUZZ_TARGET names the target. All targets are in one program,
// because each program with AddressSanitizer takes 200 MB of disk.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/section_mutator.h"
#include "tests/fuzz/targets.h"

namespace sash::fuzz {
namespace {

const Target& Chosen() {
  static const Target& chosen = [&]() -> const Target& {
    const char* const name = std::getenv("SASH_FUZZ_TARGET");
    const auto found =
        std::ranges::find(Targets(), std::string_view(name ? name : ""), &Target::name);
    if (found != Targets().end()) return *found;
    std::fprintf(stderr, "SASH_FUZZ_TARGET must name a target:");
    for (const Target& each : Targets()) std::fprintf(stderr, " %s", each.name.data());
    std::fprintf(stderr, "\n");
    std::_Exit(2);  // libFuzzer takes exit() for a finding
  }();
  return chosen;
}

}  // namespace
}  // namespace sash::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  sash::fuzz::Chosen().run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return sash::fuzz::Chosen().reads_sections
             ? sash::fuzz::MutateSections(bytes, size, most, seed, LLVMFuzzerMutate)
             : LLVMFuzzerMutate(bytes, size, most);
}
