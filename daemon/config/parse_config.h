// From YAML to Config: strict, and with every error at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/config/config.h"

namespace sash {

// One thing wrong with a configuration, printed as "file:line: key: what is wrong and what would be
// right". The line is that of the key, or of its parent when the key is missing; from 1.
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
  Config config;                              // only meaningful when there are no errors
  std::vector<ConfigError> errors;            // by file, as they are included, and line
  std::size_t left_out = 0;                   // errors beyond those: far too many
  std::vector<std::string> files;             // the configuration, then what it includes
  std::map<std::string, ConfigPlace> places;  // of every key that is there, by its dotted path
  std::multimap<std::string, std::string> secret_files;  // of ${file:PATH}, by the key it is under
};

// `file` is used in messages, and its folder is where relative includes start.
ParsedConfig ParseConfig(std::string_view yaml, const std::string& file);

// Reads and parses `path`; a file that cannot be read is one error.
ParsedConfig LoadConfig(const std::string& path);

// Why the window would hold more slices than memory does, when its axis is cut into panes of
// `pane`; none: it would not. The second: than this limit does.
std::optional<std::string> WhyTooManyPanes(const WindowSpec& window, std::int64_t pane);
std::optional<std::string> WhyNotWithin(const WindowSpec& window, std::int64_t pane,
                                        std::uint64_t limit_bytes);

// The effective configuration, defaults and included files in it, as YAML that parses to the same
// Config. Secrets do not appear: a Kafka option that came from ${env:NAME} or ${file:PATH} is
// printed as that reference, and one whose name says password, secret and the like as `<redacted>`,
// which is refused when parsed.
std::string PrintConfig(const Config& config);

// Whether each key has the same value in both. Parameters of kernels are compared as they are
// printed.
bool SameConfig(const Config& a, const Config& b);

}  // namespace sash
