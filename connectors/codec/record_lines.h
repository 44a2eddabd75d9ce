// RecordLines: walks over the lines of a record that are not blank. A line ends with \n, \r\n or
// the record.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sash {

class RecordLines {
 public:
  explicit RecordLines(std::string_view record) : rest_(record) {}

  // Goes to the next line; false if there is none.
  bool Next() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++begun_;
      if (line_.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      ++found_;
      return true;
    }
    return false;
  }

  std::string_view line() const { return line_; }
  // The number of the line in the record, from 0; blank lines count.
  std::size_t number() const { return begun_ - 1; }
  // The line as messages name it, counted from 1.
  std::string Name() const { return "line " + std::to_string(begun_) + ": "; }
  // After Next() has returned false: whether there was no line.
  bool are_all_blank() const { return found_ == 0; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t begun_ = 0;
  std::size_t found_ = 0;
};

}  // namespace sash
