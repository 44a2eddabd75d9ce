// JsonPieces: JSON text that is made piece by piece. Short parts are stored as text. The rows of a
// long list are written on demand, so a slow reader does not force the process to keep the whole
// text in memory.
//
// Thread safety: none. The function that writes the rows must keep alive what it refers to.
//
// Invariants
//   (1) Together the pieces are valid JSON, and the same text for every piece size.
//   (2) A list ends when `most_bytes` have been made, even if rows are left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <string>

#include "connectors/sinks/json_text.h"

namespace sash {

class JsonPieces {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  using WriteRow = std::function<void(std::size_t index, JsonText& json)>;
  // The text after the list; `written` is the number of rows that were written.
  using TextAfter = std::function<std::string(std::size_t written)>;
  // The end of the text; `lost` is the count of numbers in rows that became null.
  using LastText = std::function<std::string(std::uint64_t lost)>;

  explicit JsonPieces(std::size_t most_bytes = kUnlimited) : most_bytes_(most_bytes) {}

  void Add(std::string text);
  // Rows without the brackets around them.
  void AddList(std::size_t rows, WriteRow write, TextAfter after = {});
  // Made when all rows have been made.
  void AddLast(LastText last);

  // Appends about `bytes` of the next text: at least one row, at most `bytes` plus one row or text.
  // Returns false when the text is complete.
  bool Append(std::string& to, std::size_t bytes = kUnlimited);

  // The rest of the text.
  std::string Take() &&;

 private:
  struct Part {
    std::string text{};
    std::size_t rows = 0;
    WriteRow write{};  // empty: only text
    TextAfter after{};
    std::size_t written = 0;  // of the rows
    LastText last{};
  };

  std::size_t most_bytes_;
  std::size_t made_ = 0;            // bytes
  std::uint64_t lost_numbers_ = 0;  // in the rows so far
  std::deque<Part> parts_;
};

}  // namespace sash
