// AvroRecords: finds the mapped fields of records in Avro. The schema is that of a file, or that
// whose number is in the record's frame (schema_frame.h).
//
// Thread safety: belongs to one thread. It allocates only for a schema that it has not read before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "connectors/codec/avro/avro_plan.h"
#include "connectors/codec/avro/avro_reader.h"
#include "connectors/codec/decoder.h"
#include "connectors/codec/json_pointer.h"
#include "connectors/codec/json_scanner.h"
#include "connectors/codec/schema_source.h"
#include "windows/base/result.h"

namespace sash {

class AvroRecords {
 public:
  static constexpr std::size_t kMostPlans = 1000;

  // `schema`: the only one, of records without frames.
  static Result<std::unique_ptr<AvroRecords>> OfSchema(const AvroSpec& schema,
                                                       PointerNode pointers);
  // `schemas` may be null: then every record is refused.
  static std::unique_ptr<AvroRecords> OfRegistry(std::shared_ptr<SchemaSource> schemas,
                                                 PointerNode pointers);

  // Afterwards `fields` has the fields of the record; they are valid until the next call, while the
  // record exists. `what` names the record in messages: "the record".
  std::optional<Refused> Read(std::string_view record, std::string_view what, JsonScanner& fields);

 private:
  // How the records of one schema are read, or why they are not.
  struct Known {
    AvroPlan plan;
    std::string why;
  };

  explicit AvroRecords(PointerNode pointers) : pointers_(std::move(pointers)) {}

  std::optional<Refused> ReadFramed(std::string_view record, std::string_view what,
                                    JsonScanner& fields);
  const Known* KnownOf(std::uint32_t id);

  const PointerNode pointers_;
  std::optional<AvroPlan> only_;
  std::string path_;  // of its schema
  std::shared_ptr<SchemaSource> schemas_;
  std::unordered_map<std::uint32_t, std::unique_ptr<Known>> known_;
  std::uint32_t last_id_ = 0;
  const Known* last_ = nullptr;  // of last_id_
  Known unread_;                 // of a schema that is not kept
  AvroReader reader_;
};

}  // namespace sash
