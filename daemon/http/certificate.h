// Certificate: whose it is, until when it may be shown, and of which key.
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
  std::string key_id;  // of its public key, as bytes; empty: the kind of key is not known
};

// Of every certificate in PEM text, in its order; at least one. What is wrong names `name`, and
// holds nothing of the text.
Result<std::vector<Certificate>> ReadCertificates(std::string_view pem, std::string_view name);

// Of a PEM file.
Result<std::vector<Certificate>> ReadCertificateFile(const std::string& path);

}  // namespace sash
