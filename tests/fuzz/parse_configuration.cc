// Claims about configurations: every error has a place in the file and a message; a valid
// configuration can be printed, and the printed text is valid and means the same, unless it
// contained secrets.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "daemon/config/parse_config.h"
#include "daemon/config/secret_reference.h"
#include "tests/daemon/config/config_equality.h"
#include "tests/fuzz/targets.h"
#include "windows/base/check.h"

namespace sash::fuzz {
namespace {

// This folder does not exist, so nothing can be included.
constexpr const char* kFile = "no-such-folder/sash.yaml";

// Sets the variables that kept configurations refer to.
bool SetVariables() {
  return setenv("SASH_FUZZ_READ", "0123456789abcdef", 1) == 0 &&
         setenv("SASH_FUZZ_ADMIN", "fedcba9876543210", 1) == 0;
}

void CheckPlaces(const ParsedConfig& parsed, std::string_view yaml) {
  const auto lines = 1 + std::count(yaml.begin(), yaml.end(), '\n');
  SASH_CHECK(parsed.files.size() == 1 && parsed.files.front() == kFile);
  for (const ConfigError& error : parsed.errors) {
    SASH_CHECK(error.file == kFile);
    SASH_CHECK(error.line >= 1 && error.line <= lines);
    SASH_CHECK(!error.message.empty());
  }
  for (const auto& [key, place] : parsed.places) {
    SASH_CHECK(place.file == kFile && place.line >= 1 && place.line <= lines);
  }
}

}  // namespace

void ParseConfiguration(std::string_view input) {
  static const bool has_variables = SetVariables();
  SASH_CHECK(has_variables);
  // Devices may be endless, or wait for a person.
  for (const char* const never : {"/dev/", "/proc/"}) {
    if (input.find(never) != std::string_view::npos) return;
  }
  const ParsedConfig parsed = ParseConfig(input, kFile);
  CheckPlaces(parsed, input);
  if (!parsed.errors.empty()) return;

  const std::string printed = PrintConfig(parsed.config);
  const ParsedConfig again = ParseConfig(printed, kFile);
  CheckPlaces(again, printed);
  // A redacted value is refused when it is read. A path, or part of a key, may contain the same
  // text by chance: then the configuration read must be equal.
  const bool may_hide = printed.find(kRedacted) != std::string::npos;
  if (may_hide && !again.errors.empty()) return;
  for (const ConfigError& error : again.errors) std::fprintf(stderr, "%s\n", error.message.c_str());
  SASH_CHECK(again.errors.empty());
  SASH_CHECK(Same(again.config, parsed.config));
  SASH_CHECK(PrintConfig(again.config) == printed);
}

}  // namespace sash::fuzz
