// Found: the findings of a probe, for tests.
#pragma once

#include <string>
#include <vector>

#include "daemon/probe/finding.h"

namespace sash::testing {

struct Found {
  std::vector<std::string> lines;
  Findings findings{[this](const Finding& finding) { lines.push_back(finding.ToString()); }};

  Found() = default;
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;
};

}  // namespace sash::testing
