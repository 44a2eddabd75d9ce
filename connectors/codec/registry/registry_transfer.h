// RegistryTransfer: the requests to a Schema Registry over HTTP or HTTPS.
//
// Thread safety: belongs to one thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "connectors/codec/format_spec.h"
#include "windows/base/result.h"

namespace sash {

class RegistryTransfer {
 public:
  static constexpr std::size_t kMostBytes = 4 << 20;  // of an answer

  struct Reply {
    long status = 0;
    std::string body;
  };

  // `gives_up`: called about once a second; when it returns true, the request fails.
  RegistryTransfer(const RegistrySpec& spec, std::function<bool()> gives_up);
  ~RegistryTransfer();

  // GET. `path` begins with a slash and is percent-encoded. The message of an error continues "the
  // schema registry ...".
  Result<Reply> Get(const std::string& path);


 private:
  struct Parts;
  const RegistrySpec spec_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sash
