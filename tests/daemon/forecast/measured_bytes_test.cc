// Compares the measured bytes with the accounts of real windows, so that they stay right.
#include "daemon/forecast/measured_bytes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>

#include "tests/support/engine_harness.h"
#include "tests/support/store_specs.h"
#include "windows/base/sanitizers.h"

namespace sash {
namespace {

constexpr double kTolerance = 0.25;
constexpr std::int64_t kSlices = 20;
constexpr std::int64_t kSliceEvents = kSanitized ? 1000 : 3000;
constexpr std::int64_t kEdges = kSlices * kSliceEvents;
constexpr std::int64_t kVertices = kEdges / 6;

// A window of random edges that has moved on by a tenth.
class FullWindow {
 public:
  FullWindow(const StoreSpec& spec, bool weights, KeyKind keys, std::int64_t vertices = kVertices)
      : harness_({Window(spec)}, Policy(), 1, keys) {
    harness_.on_advance = [this](AdvancePtr advance) { newest_ = std::move(advance); };
    harness_.Start();
    // A fifth of the events repeats an edge if the policy concerns copies.
    const bool repeats = spec.duplicates == DuplicatesPolicy::kWeigh;
    std::mt19937_64 random(7);
    std::vector<testing::ScriptRecord> all;
    for (std::int64_t slice = 0; slice < kSlices + kSlices / 10 + 1; ++slice) {
      const std::size_t begin = all.size();
      for (std::int64_t i = 0; i < kSliceEvents; ++i) {
        testing::ScriptRecord record;
        if (repeats && !all.empty() && random() % 5 == 0)
          record = all[random() % all.size()];
        else {
          record.source = Draw(random, vertices);
          record.target = Draw(random, vertices);
        }
        record.offset = static_cast<std::int64_t>(all.size());
        record.time = slice * kSlide + i;
        record.weight = Weight::Integer(weights ? 2 + Draw(random, 100) : 1);
        all.push_back(record);
      }
      harness_.Feed({all.begin() + static_cast<std::ptrdiff_t>(begin), all.end()});
    }
  }

  double store_bytes() const {
    double sum = static_cast<double>(harness_.stats.retained_bytes);
    for (const auto& part : harness_.stats.store_memory) sum += static_cast<double>(part);
    return sum;
  }
  double advance_bytes() const { return static_cast<double>(harness_.stats.advance_bytes); }
  double key_bytes() const {
    return static_cast<double>(harness_.keys.bytes() + harness_.stats.lifetimes_bytes);
  }
  double vertices() const { return static_cast<double>(newest_->provenance.vertices); }

 private:
  static constexpr std::int64_t kSlide = 1'000'000;
  static std::int64_t Draw(std::mt19937_64& random, std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  }
  static WindowSpec Window(const StoreSpec& spec) {
    WindowSpec window;
    window.name = "w";
    window.length = kSlices * kSlide;
    window.slide = kSlide;
    window.duplicates = spec.duplicates;
    window.implementation = spec.kind;
    window.removals = spec.removals;
    return window;
  }
  static TimePolicy Policy() {
    TimePolicy policy;
    policy.disorder = Duration(0);
    policy.check_ahead = false;
    return policy;
  }

  AdvancePtr newest_;
  testing::EngineHarness harness_;
};

double Expected(const MeasuredBytes& bytes, bool weights, double vertices) {
  return static_cast<double>(kEdges) * (weights ? bytes.weighted_edge : bytes.edge) +
         vertices * bytes.vertex;
}

class MeasuredBytesTest : public ::testing::TestWithParam<StoreSpec> {};

INSTANTIATE_TEST_SUITE_P(AllSpecs, MeasuredBytesTest, ::testing::ValuesIn(testing::AllSpecs()),
                         testing::SpecName);

TEST_P(MeasuredBytesTest, AreThoseThatTheStoreAccountsFor) {
  for (const bool weights : {false, true}) {
    const FullWindow window(GetParam(), weights, KeyKind::kInteger);
    const double kept = Expected(KeptBytes(GetParam()), weights, window.vertices());
    EXPECT_NEAR(window.store_bytes(), kept, kept * kTolerance) << "weights " << weights;
    const double moment = Expected(AdvanceBytes(GetParam()), weights, window.vertices());
    EXPECT_NEAR(window.advance_bytes(), moment, moment * kTolerance) << "weights " << weights;
  }
}

TEST(MeasuredKeyBytesTest, AreThoseThatDictionaryAndReferencesAccountFor) {
  // The difference of two windows, because tables begin with chunks that small windows do not fill.
  const StoreSpec spec{.kind = StoreKind::kRebuild, .removals = false};
  const FullWindow few(spec, false, KeyKind::kInteger, kEdges / 16);
  const FullWindow many(spec, false, KeyKind::kInteger, kEdges * 4);
  const double bytes = (many.key_bytes() - few.key_bytes()) / (many.vertices() - few.vertices());
  const double measured = KeyBytes(KeyKind::kInteger);
  EXPECT_NEAR(bytes, measured, measured * kTolerance);
}

}  // namespace
}  // namespace sash
