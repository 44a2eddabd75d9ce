#include "tests/support/script_oracle.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdio>
#include <string>

#include "tests/support/child_process.h"
#include "tests/support/script_shrinker.h"
#include "tests/support/seed_range.h"
#include "tests/support/store_script_writer.h"
#include "windows/base/check.h"

namespace sash::testing {
namespace {

constexpr unsigned kScriptSeconds = 60;  // the longest script takes 1 s, 10 s under a sanitizer
constexpr unsigned kShrinkingSeconds = 15;
constexpr int kShrinkingAttempts = 2000;

// A number that the parent can read after the child that wrote it has ended.
class SharedNumber {
 public:
  SharedNumber()
      : page_(mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    SASH_CHECK(page_ != MAP_FAILED);
  }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  ~SharedNumber() { munmap(page_, sizeof(std::uint64_t)); }
  std::uint64_t& operator*() const { return *static_cast<std::uint64_t*>(page_); }

 private:
  void* const page_;
};

bool Agrees(const StoreSpec& spec, const StoreScript& script, const StoreMaker& make_store) {
  const std::string difference = ScriptRun(spec, script, make_store).FirstDifference();
  if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
  return difference.empty();
}

void ReportShrunk(const StoreSpec& spec, std::uint64_t seed, const StoreMaker& make_store) {
  const StoreScript script = StoreScriptWriter(seed, spec.removals).Write();
  const auto fails = [&](const StoreScript& candidate) {
    return !PassesInChild([&] { return Agrees(spec, candidate, make_store); }, kShrinkingSeconds,
                          true);
  };
  if (!fails(script)) {
    ADD_FAILURE() << "seed " << seed
                  << " alone passes: it needs earlier seeds to fail, or it leaks memory";
    return;
  }
  const StoreScript small = Shrink(script, fails, kShrinkingAttempts);
  std::fprintf(stderr, "seed %llu, shrunk, fails with:\n", static_cast<unsigned long long>(seed));
  PassesInChild([&] { return Agrees(spec, small, make_store); }, kShrinkingSeconds, false);
  ADD_FAILURE() << "seed " << seed << ":\n" << ToText(small);
}

}  // namespace

void ExpectRandomScriptsAgree(const StoreSpec& spec, std::uint64_t scripts,
                              const StoreMaker& make_store) {
  const SeedRange seeds = SeedsFromEnvironment({1, scripts});
  const SharedNumber seed;
  const bool passed = PassesInChild(
      [&] {
        for (*seed = seeds.first; *seed < seeds.end(); ++*seed) {
          ResetTimeLimit(kScriptSeconds);
          const StoreScript script = StoreScriptWriter(*seed, spec.removals).Write();
          if (!Agrees(spec, script, make_store)) return false;
        }
        return true;
      },
      kScriptSeconds, false);
  if (passed) return;
  if (*seed == seeds.end()) {
    ADD_FAILURE() << "every script passed, but the process ended with an error";
    return;
  }
  if (NumberFromEnvironment("SASH_SHRINK", 1) == 0) {
    ADD_FAILURE() << "seed " << *seed;
    return;
  }
  ReportShrunk(spec, *seed, make_store);
}

}  // namespace sash::testing
