// Schemas: the schema of records in Avro, or the registry that has it.
//
// Thread safety: none needed.
#pragma once

#include "daemon/config/parse_config.h"

namespace sash {

// Reads the file of source.format.avro.schema into the configuration. Reports a file that is not a
// schema, and keys of schemas and registries that do not fit together. The registry is not asked.
void AddSchemas(ParsedConfig& parsed);

}  // namespace sash
