// An alert as its receivers get it.
//
// Its members and their order are an interface: add, never rename or reorder. The first ones are
// its identity, so that a file of alerts is read like a file of results.
//
// Thread safety: a pure function.
#pragma once

#include "connectors/sinks/alert_receiver.h"
#include "connectors/sinks/alerts/alert_spec.h"
#include "connectors/sinks/alerts/alert_text.h"
#include "connectors/sinks/alerts/alert_track.h"
#include "windows/jobs/run_result.h"

namespace sash {

// `text`: empty for the sentence of our own. `is_test`: the alert says "test": true.
AlertMessage MakeAlert(const AlertSpec& spec, const AlertText& text, const FiredAlert& fired,
                       const RunResult& result, bool is_test = false);

}  // namespace sash
