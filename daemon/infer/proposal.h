// Proposal: the configuration that fits a sample, with the reasons for each part.
//
// Thread safety: functions.
#pragma once

#include <optional>
#include <string>

#include "daemon/config/config.h"
#include "daemon/infer/edge_guess.h"
#include "daemon/infer/sample_origin.h"
#include "daemon/infer/sample_shape.h"
#include "daemon/infer/sample_text.h"
#include "daemon/infer/sample_trial.h"
#include "daemon/infer/window_plan.h"

namespace sash {

struct Proposal {
  SampleOrigin origin{};
  SampleShape shape{};
  EdgeGuess guess{};
  WindowPlan plan{};
  SampleTrial trial{};
  Config config{};        // what yaml parses to, if it is complete
  std::string yaml{};     // with the reasons as comments
  std::string trouble{};  // why it is not complete: then all of yaml are comments
};

// `origin` is only named, not read.
Proposal Propose(const SampleOrigin& origin, const SampleText& sample);

}  // namespace sash
