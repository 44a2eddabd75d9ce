// JsonPieces: JSON text that is made piece by piece. What is short is there as text; a long list is
// written row by row when it is asked for, so that who reads slowly does not make the process hold
// it.
//
// Thread safety: none. What the rows refer to, their function keeps alive.
//
// Invariants
//   (1) Together the pieces are valid JSON, and the same wherever they are cut.
//   (2) A list ends when `most_bytes` have been made, whatever rows are left.
#pragma once

#include <cstddef>
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
  // What follows the list, after so many of its rows.
  using TextAfter = std::function<std::string(std::size_t written)>;

  explicit JsonPieces(std::size_t most_bytes = kUnlimited) : most_bytes_(most_bytes) {}

  void Add(std::string text);
  // Rows without the brackets around them.
  void AddList(std::size_t rows, WriteRow write, TextAfter after = {});

  // Appends about `bytes` of what comes next: at least a row, at most that and a row or a text.
  // False when there is nothing more.
  bool Append(std::string& to, std::size_t bytes = kUnlimited);

  // All that is left.
  std::string Take() &&;

 private:
  struct Part {
    std::string text;
    std::size_t rows = 0;
    WriteRow write{};  // none: only text
    TextAfter after{};
    std::size_t written = 0;  // of the rows
  };

  std::size_t most_bytes_;
  std::size_t made_ = 0;  // bytes
  std::deque<Part> parts_;
};

}  // namespace sash
