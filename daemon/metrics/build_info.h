// BuildInfo: the version, compiler and libraries of this process, for comparing processes and
// reporting faults.
//
// Thread safety: a value.
#pragma once

#include <string>
#include <vector>

namespace sash {

struct BuildInfo {
  std::string version;
  std::string compiler;    // with its version
  std::string librdkafka;  // versions of the loaded libraries; empty: not loaded
  std::string microhttpd;
  std::string jemalloc;

  // The values in the order of the catalogue's labels.
  std::vector<std::string> labels() const {
    return {version, compiler, librdkafka, microhttpd, jemalloc};
  }
};

}  // namespace sash
