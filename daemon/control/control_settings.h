// Which daemon a command of sashctl talks to, and how.
//
// Thread safety: belongs to one thread; it reads a file and an environment variable.
#pragma once

#include "daemon/control/api_client.h"
#include "daemon/control/invocation.h"
#include "windows/base/result.h"

namespace sash {

// The settings that --url, --token-file or SASHCTL_TOKEN, and --ca-file give. The error says which
// of them is wrong.
Result<ApiSettings> SettingsOf(const Invocation& invocation);

}  // namespace sash
