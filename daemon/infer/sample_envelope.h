// Takes the envelope of Debezium or of CloudEvents off the records of a sample.
//
// Thread safety: a function.
#pragma once

#include "daemon/infer/sample_shape.h"

namespace sash {

// If the records have an envelope, sets shape.unwrap, and leaves the fields of the content and the
// time that the envelope has, in the table.
void TakeOffEnvelope(SampleShape& shape);

}  // namespace sash
