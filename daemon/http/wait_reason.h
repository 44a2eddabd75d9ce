// WaitReason: the reasons for which a window has no next result yet, and their codes in the API.
#pragma once

#include <cstdint>
#include <string_view>

namespace sash {

enum class WaitReason : std::uint8_t {
  kEndOfSource,      // a finite source has ended
  kJobQueue,         // the stream waits for a job
  kMemory,           // reading has stopped because memory is full
  kSource,           // the source, or the partition, cannot be read
  kNoPartition,      // the source has not assigned a partition yet
  kNoEvent,          // no event has come yet
  kRefused,          // incoming records are refused
  kLate,             // incoming events are late
  kAhead,            // waiting events are ahead of the clock
  kPaused,           // the partition is held back
  kUnread,           // records wait to be read
  kSilentPartition,  // one partition is silent, but not idle yet
  kDisorder,         // events out of order are waited for
  kEvents,           // newer events, or more events, are needed
  kAllIdle,          // all partitions are silent; the watermark does not move
  kClock,            // the window waits for the clock
  kSilence,          // the window is empty, and there is nothing to read
  kAdvancing,        // waits for nothing: the result is being made
};
std::string_view Name(WaitReason reason);  // "end_of_source"

}  // namespace sash
