// The specs that store tests run on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "windows/store/window_policy.h"

namespace sash::testing {

// False while the multiversioned store does keep without removals only, and its windows begin empty.
inline constexpr bool kMultiversionedIsWhole = true;

inline bool IsSupported(const StoreSpec& spec) {
  return kMultiversionedIsWhole || spec.kind == StoreKind::kRebuild ||
         (spec.duplicates == DuplicatesPolicy::kKeep && !spec.removals);
}

// Whether windows may open on slices that are there already, and retained() follows every window.
inline bool OpensOnSlices(const StoreSpec& spec) {
  return kMultiversionedIsWhole || spec.kind == StoreKind::kRebuild;
}

inline std::vector<StoreSpec> SupportedSpecs() {
  std::vector<StoreSpec> specs;
  for (const StoreKind kind : {StoreKind::kRebuild, StoreKind::kMultiversioned}) {
    for (const DuplicatesPolicy duplicates :
         {DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh}) {
      for (const bool removals : {false, true}) {
        const StoreSpec spec = {kind, duplicates, removals};
        if (IsSupported(spec)) specs.push_back(spec);
      }
    }
  }
  return specs;
}

inline std::string SpecName(const ::testing::TestParamInfo<StoreSpec>& param) {
  std::string name = param.param.kind == StoreKind::kRebuild ? "Rebuild" : "Multiversioned";
  switch (param.param.duplicates) {
    case DuplicatesPolicy::kKeep:
      name += "Keep";
      break;
    case DuplicatesPolicy::kDrop:
      name += "Drop";
      break;
    case DuplicatesPolicy::kWeigh:
      name += "Weigh";
      break;
  }
  return param.param.removals ? name + "Removals" : name;
}

// Sanitizers make tests about ten times slower; those that are long run a part of their scripts.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace sash::testing
