// What a server shows to prove who it is.
#pragma once

#include <string>
#include <vector>

namespace sash {

struct TlsMaterial {
  std::string certificate;  // PEM: its own, then those that vouch for it
  std::string key;          // PEM
};

struct TlsTrouble {
  std::string key;   // of the configuration: "http.tls.key"
  std::string what;  // with the path, never with anything of what is in the file
};

struct ReadTls {
  TlsMaterial material;              // only meaningful without troubles
  std::vector<TlsTrouble> troubles;  // one a file, or one of both together
};

// Reads both files, and tries whether a server could use them. That a certificate has expired is
// nothing that it looks at: clients will say so, and a service that does not start says less.
ReadTls ReadTlsMaterial(const std::string& certificate_path, const std::string& key_path);

}  // namespace sash
