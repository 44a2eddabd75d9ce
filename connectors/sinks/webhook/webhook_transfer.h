// WebhookTransfer: sends POST requests to one address over HTTP or HTTPS. Redirects are not
// followed, and proxies of the environment are not used.
//
// Thread safety: belongs to one thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "connectors/sinks/sink_spec.h"
#include "connectors/sinks/webhook/webhook_request.h"
#include "windows/base/result.h"

namespace sash {

class WebhookTransfer {
 public:
  static constexpr std::size_t kMostReplyBytes = 1024;  // the rest of a reply is not kept

  struct Reply {
    long status = 0;
    std::string body{};                   // its first kMostReplyBytes
    std::chrono::seconds retry_after{0};  // as the receiver asks; 0: it does not
  };

  // `gives_up`: called at least once a second; when it returns true, the request fails.
  WebhookTransfer(const WebhookSinkSpec& spec, std::function<bool()> gives_up);
  ~WebhookTransfer();
  WebhookTransfer(const WebhookTransfer&) = delete;
  WebhookTransfer& operator=(const WebhookTransfer&) = delete;

  // An error: there is no reply. It says why.
  Result<Reply> Post(const WebhookRequest& request);

 private:
  struct Parts;
  const WebhookSinkSpec spec_;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace sash
