// AlertText: what an alert says, with the values of a row in place of fields in braces:
// "{vertex} is at rank {rank}". "{{" and "}}" are braces.
//
// Thread safety: immutable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "connectors/sinks/alerts/alert_facts.h"
#include "windows/base/result.h"

namespace sash {

class AlertText {
 public:
  static constexpr std::size_t kMostBytes = 4 << 10;  // of a template

  // An error names the position and what would be right.
  static Result<AlertText> Parse(std::string_view text, const std::vector<std::string>& fields);

  bool is_empty() const { return pieces_.empty(); }

  // Fields come from `row`, then from `context`; one without a value is "null".
  std::string Of(const FactRow& row, const std::vector<Fact>& context) const;

 private:
  struct Piece {
    std::string text;  // literal, or the name of a field
    bool is_field = false;
  };
  std::vector<Piece> pieces_;
};

}  // namespace sash
