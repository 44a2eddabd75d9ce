// ZstdPacker: compresses pages.
//
// Thread safety: belongs to one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sash {

class ZstdPacker {
 public:
  ZstdPacker();
  ~ZstdPacker();

  // Replaces `packed` by one frame of zstd.
  void Pack(std::string_view bytes, std::string& packed);

 private:
  struct Context;
  const std::unique_ptr<Context> context_;
};

}  // namespace sash
