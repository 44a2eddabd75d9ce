// The certificate and private key of a server.
//
// Thread safety: a free function that reads files.
#pragma once

#include <string>
#include <vector>

namespace sash {

struct TlsMaterial {
  std::string certificate;  // PEM: the server's, then the intermediate ones
  std::string key;          // PEM
};

struct TlsTrouble {
  std::string key;   // of the configuration: "http.tls.key"
  std::string what;  // names the path, never quotes the file
};

struct ReadTls {
  TlsMaterial material;              // only valid without troubles
  std::vector<TlsTrouble> troubles;  // one per file, or one for the pair
};

// Reads both files and checks that a server could use them. Does not check whether the certificate
// has expired: clients report that, and a server that does not start is harder to diagnose.
ReadTls ReadTlsMaterial(const std::string& certificate_path, const std::string& key_path);

}  // namespace sash
