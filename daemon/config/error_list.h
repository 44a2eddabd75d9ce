// ErrorList: gathers everything that is wrong, so that a user mends a configuration in one go.
//
// A configuration may be several files. Their lines are counted through, file after file, so that
// everything that carries a line needs no file beside it; the list knows which file a line is in.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "daemon/config/parse_config.h"
#include "daemon/config/yaml_tree.h"

namespace sash {

// A node of the document and where it stands, or, with a null node, where it should have stood.
struct Place {
  const YamlNode* node = nullptr;
  int line = 1;      // counted through
  std::string path;  // dotted
};

// Thread safety: none needed; one belongs to one parse.
//
// Invariants
//   (1) However much is wrong, it takes bounded memory: of more than kMostKept errors the rest is
//       counted, and a message is at most kLongestMessage bytes.
class ErrorList {
 public:
  static constexpr std::size_t kMostKept = 1000;
  static constexpr std::size_t kLongestMessage = 1000;

  // Makes room for a file of so many lines (at least one); its line n is now the returned number +
  // n.
  int AddFile(std::string file, int lines);

  void Add(int line, std::string key, std::string message);
  void Add(const Place& place, std::string message) {
    Add(place.line, place.path, std::move(message));
  }

  ConfigPlace Locate(int line) const;
  // How a message about `from` names `line`: "line 7", or "jobs.yaml:7" in another file.
  std::string Where(int line, int from) const;

  std::vector<std::string> FileNames() const;

  bool empty() const { return errors_.empty(); }
  std::size_t left_out() const { return left_out_; }  // errors that were only counted

  // By file and line, then in the order of Add().
  std::vector<ConfigError> TakeSorted();

 private:
  struct File {
    std::string name;
    int before = 0;  // lines of the files before it
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

// Keeps so many errors that a person can read them. If there are more, `left_out` included, the
// last one says how many.
void KeepReadable(std::vector<ConfigError>& errors, std::size_t left_out);

// The path of an entry of a mapping and of an item of a list.
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
