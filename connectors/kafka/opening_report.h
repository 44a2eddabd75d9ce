// The lines of the log about a stream that was opened.
#pragma once

#include <optional>
#include <string>

#include "connectors/kafka/record_witness.h"
#include "connectors/kafka/start_wishes.h"
#include "connectors/kafka/stream_opening.h"
#include "windows/base/event_log.h"

namespace sash {

// `elsewhere`: why the stream does not continue from its saved state; nothing when it does.
void ReportOpening(const OpenedStream& stream, const StartWishes& wishes,
                   const Testimonies& testimonies, const std::optional<std::string>& elsewhere,
                   EventLog& log);

}  // namespace sash
