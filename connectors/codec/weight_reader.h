// WeightReader: reads weights that are texts, with the characters that a mapping names.
//
// Thread safety: belongs to one thread. It allocates only until its buffer is large enough.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "connectors/codec/format_spec.h"
#include "windows/base/result.h"
#include "windows/base/weight.h"

namespace sash {

class WeightReader {
 public:
  explicit WeightReader(WeightSpelling text)
      : text_(std::move(text)), is_plain_(text_.decimal == '.' && text_.group.empty()) {}

  // The error says what is wrong and what would help, without repeating the text. Groups of digits
  // are separated before the decimal character only; the last has three digits, those before it two
  // or three, and the first one to three.
  Result<Weight> Read(std::string_view text);

  // What an invalid weight is replaced by. False: the record is refused.
  bool Replace(Weight& weight) const {
    if (text_.invalid == InvalidWeight::kRefuse) return false;
    weight = Weight::Integer(text_.invalid == InvalidWeight::kOne ? 1 : 0);
    return true;
  }

 private:
  Result<Weight> ReadSpelled(std::string_view text);
  [[gnu::cold]] std::string Remedy(std::string_view text) const;

  const WeightSpelling text_;
  const bool is_plain_;
  std::string plain_;  // the text as ParseWeight() reads it
};

}  // namespace sash
