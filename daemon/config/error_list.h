// ErrorList: gathers everything that is wrong, so that a user mends a file in one go.
#pragma once

#include <string>
#include <vector>

#include "daemon/config/parse_config.h"
#include "daemon/config/yaml_tree.h"

namespace sash {

// A node of the document and where it stands, or, with a null node, where it should have stood.
struct Place {
  const YamlNode* node = nullptr;
  int line = 1;
  std::string path;  // dotted
};

// Thread safety: none needed; one belongs to one parse.
class ErrorList {
 public:
  explicit ErrorList(std::string file) : file_(std::move(file)) {}

  void Add(int line, std::string key, std::string message);
  void Add(const Place& place, std::string message) {
    Add(place.line, place.path, std::move(message));
  }

  bool empty() const { return errors_.empty(); }

  // By line, then in the order of Add(). Lines beyond `last_line` become that line: a parser that
  // meets the end of the file too early points behind it.
  std::vector<ConfigError> TakeSorted(int last_line);

 private:
  std::string file_;
  std::vector<ConfigError> errors_;
};

// The path of an entry of a mapping and of an item of a list.
std::string JoinKey(const std::string& path, std::string_view key);
std::string JoinIndex(const std::string& path, std::size_t index);

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
