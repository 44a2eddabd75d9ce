#include "connectors/export/snapshot_members.h"

#include <string_view>

#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

std::string_view DuplicatesWord(DuplicatesPolicy duplicates) {
  switch (duplicates) {
    case DuplicatesPolicy::kKeep:
      return "keep";
    case DuplicatesPolicy::kDrop:
      return "drop";
    case DuplicatesPolicy::kWeigh:
      break;
  }
  return "weigh";
}

}  // namespace

void WritePolicy(const StoreSpec& policy, JsonText& json) {
  json.Key("duplicates").Text(DuplicatesWord(policy.duplicates));
  json.Key("identity").Text(policy.identity == EdgeIdentity::kPair ? "pair" : "pair_and_type");
}

void WriteMoment(const SnapshotMoment& moment, JsonText& json) {
  json.Key("written").Text(TimeText(moment.written)).Key("seconds").Number(moment.seconds);
}

}  // namespace sash
