// Certificate: its subject, validity period and public key.
//
// Thread safety: free functions; one reads a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

struct Certificate {
  std::string subject;  // "CN=broker.example"
  EventTime begin;
  EventTime end;
  std::string key_id;  // of its public key, as bytes; empty: unknown kind of key
};

// All certificates in a PEM text, in order; at least one. Errors name `name` and never quote the
// text.
Result<std::vector<Certificate>> ReadCertificates(std::string_view pem, std::string_view name);

// All certificates in a PEM file, in order; at least one. Errors name the path.
Result<std::vector<Certificate>> ReadCertificateFile(const std::string& path);

}  // namespace sash
