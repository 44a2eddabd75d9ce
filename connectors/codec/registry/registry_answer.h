// RegistryAnswer: what a Schema Registry answers to GET /schemas/ids/{id} and to
// GET /subjects/{subject}/versions/{version}, by its documented API.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/schema_source.h"
#include "windows/base/result.h"

namespace sash {

struct RegistryAnswer {
  struct Reference {
    std::string subject;
    std::int64_t version = 0;
  };
  // kUnknown: the registry has no such schema.
  RegisteredSchema::Kind kind = RegisteredSchema::Kind::kUnknown;
  std::string text{};  // the schema; of kOther the name of its language
  std::vector<Reference> references{};
};

// An error: this is not an answer about the schema, so it has to be asked for again. The message
// says what came instead, and continues "the schema registry ...".
Result<RegistryAnswer> ReadRegistryAnswer(long status, std::string_view body);

}  // namespace sash
