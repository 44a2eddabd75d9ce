// WordListForm: a list of texts of records, each once.
//
// Thread safety: a value.
#pragma once

#include <string>
#include <vector>

#include "daemon/config/key_row.h"

namespace sash {

struct WordListForm {
  std::vector<Shape> Shapes() const;
  void Read(const Section& section, const KeySpec& key, std::vector<std::string>& words) const;
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& words) const;
};

}  // namespace sash
