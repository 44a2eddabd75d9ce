// Takes the envelope of Debezium or of CloudEvents off the records of a sample.
//
// Thread safety: a function.
#pragma once

#include "daemon/infer/sample_shape.h"

namespace sash {

// If the records have an envelope, sets shape.unwrap, and removes all fields from the table but
// those of the content and the time of the envelope.
void TakeOffEnvelope(SampleShape& shape);

}  // namespace sash
