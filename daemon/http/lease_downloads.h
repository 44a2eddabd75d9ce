// LeaseDownloads: answers with the files of leased snapshots, or with parts of them.
//
// Thread safety: every member may be called from any thread.
//
// Invariants
//   (1) A download takes one piece of memory, and holds neither file nor lock between its pieces.
//   (2) At most kMost downloads are under way; further requests get 503.
//   (3) The lane of downloads reads them, which has a low priority: on a busy machine windows,
//       jobs and other answers come first.
//   (4) A download whose lease ends is cut off: its reader gets fewer bytes than announced.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "connectors/export/leases/lease.h"
#include "connectors/export/leases/lease_reader.h"
#include "daemon/http/http_message.h"

namespace sash {

class LeaseDownloads {
 public:
  static constexpr int kMost = 8;
  static constexpr std::size_t kPieceBytes = 256 << 10;

  // `reader` reads `file`.
  HttpResponse Answer(LeaseReader reader, const LeasedFile& file, const HttpRequest& request) const;

 private:
  class Download;

  const std::shared_ptr<std::atomic<int>> under_way_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace sash
