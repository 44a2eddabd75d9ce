// Helpers for JSON answers: text, responses and common values.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "daemon/http/http_message.h"
#include "windows/base/finite_weight.h"
#include "windows/base/weight.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

// One line without a line end. Bytes that are not UTF-8 are replaced.
std::string SerializedJson(const nlohmann::ordered_json& value);

HttpResponse JsonResponse(const nlohmann::ordered_json& body);

// The same with an ETag, for data that is often requested and seldom changes.
HttpResponse TaggedJsonResponse(const nlohmann::ordered_json& body);

nlohmann::ordered_json KeyAsJson(const VertexKey& key);
nlohmann::ordered_json WeightAsJson(Weight weight);

// Counts weights that JSON cannot represent (written as null), for a member `error` that explains
// them.
class LostWeights {
 public:
  Weight Seen(Weight weight) {
    lost_ += IsFinite(weight) ? 0 : 1;
    return weight;
  }
  void Explain(nlohmann::ordered_json& object) const;

 private:
  std::uint64_t lost_ = 0;
};

}  // namespace sash
