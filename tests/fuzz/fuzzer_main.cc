// The libFuzzer entry point for one target.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  sash::fuzz::SASH_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
