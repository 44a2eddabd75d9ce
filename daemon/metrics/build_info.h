// BuildInfo: what runs, for who compares two processes or reports a fault: the version, and what it
// was compiled with and runs with.
//
// Thread safety: a value.
#pragma once

#include <string>
#include <vector>

namespace sash {

struct BuildInfo {
  std::string version;
  std::string compiler;    // with its version
  std::string librdkafka;  // versions of the libraries that were loaded; empty: not there
  std::string microhttpd;
  std::string jemalloc;

  // As the catalogue names them.
  std::vector<std::string> labels() const {
    return {version, compiler, librdkafka, microhttpd, jemalloc};
  }
};

}  // namespace sash
