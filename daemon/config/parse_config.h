// Parses YAML to a Config: strict, and reports all errors at once.
//
// Thread safety: free functions over values; LoadConfig() and ParseConfig() read files and
// environment variables.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/config.h"

namespace sash {

// One error in a configuration, printed as "file:line: key: problem and remedy". The line is that
// of the key, or of its parent if the key is missing; from 1.
struct ConfigError {
  std::string file;
  int line = 1;
  std::string key;  // dotted path: "windows[0].slide"
  std::string message;

  std::string ToString() const;
};

struct ConfigPlace {
  std::string file;
  int line = 1;  // from 1
};

struct ParsedConfig {
  Config config;                                         // only valid without errors
  std::vector<ConfigError> errors;                       // by file, in order of inclusion, and line
  std::size_t left_out = 0;                              // further errors, only counted
  std::vector<std::string> files;                        // the configuration, then what it includes
  std::map<std::string, ConfigPlace> places;             // of every key present, by its dotted path
  std::multimap<std::string, std::string> secret_files;  // paths of ${file:PATH}, by key

  // Adds an error at the place of `key`, or of the nearest enclosing section that exists.
  void Fail(const std::string& key, std::string message);
};

// `file` is used in messages; relative includes start at its folder.
ParsedConfig ParseConfig(std::string_view yaml, const std::string& file);

// Reads and parses `path`; a file that cannot be read is one error.
ParsedConfig LoadConfig(const std::string& path);

// What can be known of an alert only with its job: members that the job's results do not have. A
// job of a plug-in that is not loaded is not looked at.
struct AlertFault {
  std::string_view key;  // of the alert
  std::string message{};
};
std::vector<AlertFault> FindAlertFaults(const AlertSpec& alert, const Config& config);

// The effective configuration with defaults and included files, as YAML that parses to the same
// Config. Secrets are not printed: a Kafka option from ${env:NAME} or ${file:PATH} is printed as
// that reference. Another option whose name contains password, secret and the like is printed as
// `<redacted>`, which the parser refuses.
std::string PrintConfig(const Config& config);

// Whether each key has the same value in both. Kernel parameters are compared as printed text.
bool SameConfig(const Config& a, const Config& b);

}  // namespace sash
