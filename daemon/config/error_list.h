// ErrorList: collects all errors, so that a user can fix a configuration in one go.
//
// A configuration may consist of several files. Lines are numbered across all files, so that a line
// number alone identifies a place; the list maps it back to its file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daemon/config/parse_config.h"
#include "daemon/config/yaml_tree.h"

namespace sash {

// A node of the document and its position; for a null node, where it was expected.
struct Place {
  const YamlNode* node = nullptr;
  int line = 1;      // numbered across all files
  std::string path;  // dotted
};

// Thread safety: none needed; one belongs to one parse.
//
// Invariants
//   (1) Memory is bounded: errors beyond kMostKept are only counted, and a message is at most
//       kLongestMessage bytes.
class ErrorList {
 public:
  static constexpr std::size_t kMostKept = 1000;
  static constexpr std::size_t kLongestMessage = 1000;

  // Registers a file with `lines` lines (at least one). Its line n gets the number n + the returned
  // value.
  int AddFile(std::string file, int lines);

  void Add(int line, std::string key, std::string message);
  void Add(const Place& place, std::string message) {
    Add(place.line, place.path, std::move(message));
  }

  ConfigPlace Locate(int line) const;
  // Names `line` in a message about line `from`: "line 7", or "jobs.yaml:7" in another file.
  std::string Where(int line, int from) const;

  std::vector<std::string> FileNames() const;

  bool empty() const { return errors_.empty(); }
  std::size_t left_out() const { return left_out_; }  // errors that were only counted

  // The errors by file and line, and those of one line in the order of Add().
  std::vector<ConfigError> TakeSorted();

 private:
  struct File {
    std::string name;
    int before = 0;  // lines of all earlier files
  };
  struct Found {
    int line = 1;
    std::string key;
    std::string message;
  };
  const File& FileOf(int line) const;

  std::vector<File> files_;
  int lines_ = 0;
  std::vector<Found> errors_;
  std::size_t left_out_ = 0;
};

// Keeps a readable number of errors. If more were found (counting `left_out`), adds an error with
// their number.
void KeepReadable(std::vector<ConfigError>& errors, std::size_t left_out);

// The path of an entry of a mapping, or of an item of a list.
std::string JoinKey(const std::string& path, std::string_view key);
std::string JoinIndex(const std::string& path, std::size_t index);

// The beginning of a list that may be long, for a message: "a, b, c and 997 more".
std::string SomeOf(const std::vector<std::string>& names);

// "a, b, c". Not fmt::join: GCC 12 warns falsely about it at -O3.
template <typename Words>
std::string WithCommas(const Words& words) {
  std::string list;
  for (const auto& word : words) {
    if (!list.empty()) list += ", ";
    list += word;
  }
  return list;
}

}  // namespace sash
