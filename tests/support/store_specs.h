// The specs that store tests run on.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "windows/store/window_policy.h"

namespace sash::testing {

inline std::vector<StoreSpec> AllSpecs() {
  std::vector<StoreSpec> specs;
  for (const StoreKind kind : {StoreKind::kRebuild, StoreKind::kMultiversioned}) {
    for (const DuplicatesPolicy duplicates :
         {DuplicatesPolicy::kKeep, DuplicatesPolicy::kDrop, DuplicatesPolicy::kWeigh}) {
      for (const bool removals : {false, true}) {
        specs.push_back({kind, duplicates, removals});
        if (duplicates == DuplicatesPolicy::kKeep) continue;
        specs.push_back(specs.back());
        specs.back().identity = EdgeIdentity::kPairAndType;
      }
    }
  }
  return specs;
}

inline std::vector<StoreSpec> MultiversionedSpecs() {
  std::vector<StoreSpec> specs = AllSpecs();
  std::erase_if(specs, [](const StoreSpec& spec) { return spec.kind == StoreKind::kRebuild; });
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
  if (param.param.identity == EdgeIdentity::kPairAndType) name += "ByType";
  return param.param.removals ? name + "Removals" : name;
}

}  // namespace sash::testing
