// WaitCause: what a window waits for, as a code and as the last clause of the sentence about it.
//
// If there are several causes, the most general one counts: first the source as a whole and the
// jobs, then the partition that holds the watermark back the most.
//
// Thread safety: a value; the function is pure.
#pragma once

#include <string>

#include "daemon/http/wait_reason.h"
#include "daemon/http/window_wait.h"

namespace sash {

struct WaitCause {
  WaitReason reason = WaitReason::kAdvancing;
  std::string clause;  // "orders/3 is paused, because ..."
};

// `wait`: with its figures and partitions.
WaitCause FindCause(const WaitSurroundings& around, const WindowWait& wait);

}  // namespace sash
