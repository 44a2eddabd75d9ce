// HeadersForm: headers that are added to the requests of a webhook (sinks[].webhook.headers).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/sink_spec.h"
#include "daemon/config/key_row.h"

namespace sash {

// Whether headers of this name usually hold a secret, such as Authorization.
bool MayHoldSecret(std::string_view header);

// A header that may hold a secret is printed as its reference, or not at all.
struct HeadersForm {
  using Headers = std::map<std::string, WebhookSinkSpec::Secret>;

  std::vector<Shape> Shapes() const { return {FreeMapping{FreeMapping::Kind::kHeaders}}; }
  void Read(const Section& hook, const KeySpec& key, Headers& headers) const;
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Headers& headers) const;
};

}  // namespace sash
