// ParameterSchema: the parameters that a plug-in describes with a JSON Schema (sash/kernel.h), and
// the comparison of a job's parameters with it.
//
// Thread safety: immutable once parsed.
//
// Invariants
//   (1) A default fits its own parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windows/base/result.h"
#include "windows/jobs/plugin/plugin_kernel.h"

namespace sash {

// What is wrong at a key of a job, and what would be right.
struct PluginFault {
  std::string key{};  // "plugin", "parameters.damping"
  std::string message{};
};

class ParameterSchema {
 public:
  // The error says what is not part of the schemas that plug-ins may give.
  static Result<ParameterSchema> Parse(std::string_view json);

  // Compares `given` with the schema. Without faults, `values` gets the value of each parameter, in
  // the order of the schema.
  std::vector<PluginFault> Resolve(const std::vector<PluginParameter>& given,
                                   std::vector<PluginParameter>& values) const;

 private:
  enum class Type : std::uint8_t { kNumber, kInteger, kBoolean, kString };
  struct Described {
    std::string name{};
    Type type = Type::kNumber;
    std::optional<PluginValue> standard{};  // the default
    std::optional<double> least{};
    std::optional<double> most{};
    bool is_above = false;             // `least` itself is not allowed
    bool is_below = false;             // `most` itself is not allowed
    std::vector<PluginValue> words{};  // `enum`; empty: any value
  };
  friend class SchemaReader;

  static std::string Expected(const Described& parameter);
  // The value in the type of the parameter; nothing: it does not fit.
  static std::optional<PluginValue> Fit(const Described& parameter, const PluginValue& value);

  std::vector<Described> parameters_;
};

// The values as one JSON object.
std::string JsonOf(const std::vector<PluginParameter>& values);

}  // namespace sash
