#include "daemon/shutdown/service_notifier.h"

#include <gtest/gtest.h>

namespace sash {
namespace {

// tests/integration/process/service_test.py checks what is sent, and when.

TEST(PipelinePulseTest, BeatsWhenItIsFirstAskedAndWhenTheEngineHasFinishedARound) {
  PipelinePulse pulse;
  EXPECT_TRUE(pulse.Beats({.rounds = 0}));
  EXPECT_FALSE(pulse.Beats({.rounds = 0}));
  EXPECT_TRUE(pulse.Beats({.rounds = 3}));
  EXPECT_FALSE(pulse.Beats({.rounds = 3}));
}

TEST(PipelinePulseTest, AnEngineThatWaitsForAJobDoesNotStandStill) {
  PipelinePulse pulse;
  EXPECT_TRUE(pulse.Beats({.rounds = 7}));
  EXPECT_TRUE(pulse.Beats({.rounds = 7, .jobs_busy = true}));
  EXPECT_FALSE(pulse.Beats({.rounds = 7}));
}

}  // namespace
}  // namespace sash
