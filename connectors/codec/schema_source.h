// SchemaSource: where decoders find the schemas of records that name them by number.
//
// Thread safety: all calls may come from any thread.
//
// Invariants
//   (1) Once Ask() has returned true for a number, Find() has an answer for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sash {

struct RegisteredSchema {
  enum class Kind : std::uint8_t { kAvro, kJson, kOther, kUnknown };
  Kind kind = Kind::kUnknown;
  // kAvro: texts whose types later texts use, and last the schema itself. kOther: the name of its
  // language.
  std::vector<std::string> texts{};
};

class SchemaSource {
 public:
  virtual ~SchemaSource() = default;

  // Whether there is an answer. If not, the source goes on asking for one.
  virtual bool Ask(std::uint32_t id) = 0;
  // The same; waits for an answer for at most `patience`.
  virtual bool Await(std::uint32_t id, std::chrono::milliseconds patience) = 0;
  // Null before the first answer.
  virtual std::shared_ptr<const RegisteredSchema> Find(std::uint32_t id) const = 0;
  // Why there is no answer now, for people. Empty: nothing is wrong.
  virtual std::string Trouble() const = 0;

  struct Counts {
    std::uint64_t requests = 0;
    std::uint64_t failures = 0;  // of these
  };
  virtual Counts counts() const = 0;
};

// Why records of this schema are not read as records of `kind`; nothing if they are. `source` may
// be null.
std::optional<std::string> WhyNotReadable(const SchemaSource* source, RegisteredSchema::Kind kind,
                                          std::uint32_t id);

}  // namespace sash
