#include "connectors/export/leases/lease_reader.h"

#include <unistd.h>

#include <cerrno>

namespace sash {

Result<std::string> ReadBytes(int file, std::uint64_t offset, std::size_t most,
                              const std::string& name) {
  std::string bytes(most, '\0');
  std::size_t got = 0;
  while (got < most) {
    const ssize_t some =
        ::pread(file, bytes.data() + got, most - got, static_cast<off_t>(offset + got));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) return Error{ErrorCode::kCorruption, SystemFailure("read " + name).message};
    if (some == 0) break;
    got += static_cast<std::size_t>(some);
  }
  bytes.resize(got);
  return bytes;
}

Result<std::string> LeaseReader::Read(std::uint64_t offset, std::size_t most) const {
  const std::shared_ptr<const LeaseHold> kept = hold_.lock();  // for the time of this call
  if (!kept || clock_.Steady() >= kept->until()) {
    return Error{ErrorCode::kUnavailable, "the lease has ended"};
  }
  const OwnedDescriptor opened = folder_.OpenFile(place_, file_);
  if (!opened.is_open()) {
    return Error{ErrorCode::kCorruption, SystemFailure("open " + file_).message};
  }
  return ReadBytes(opened.number(), offset, most, file_);
}

}  // namespace sash
