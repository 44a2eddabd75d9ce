// PaymentTexts: wide records: payments of 25 fields, as JSON of about 600 bytes and in Avro. Three
// fields make the edge; they are at the beginning, in the middle and at the end.
//
// Thread safety: immutable once made.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sash::bench {

struct PaymentTexts {
  explicit PaymentTexts(std::size_t count);

  std::string avro_schema;
  std::vector<std::string> json;
  std::vector<std::string> avro;  // the same payments, without a header
};

}  // namespace sash::bench
