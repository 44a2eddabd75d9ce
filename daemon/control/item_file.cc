#include "daemon/control/item_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "daemon/config/yaml_tree.h"
#include "daemon/control/printable.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 1 << 20;  // the API takes 64 KiB

// A plain scalar as YAML's core schema reads it, but numbers only in JSON's form: other scalars are
// text, which the daemon checks.
Json Scalar(const YamlNode& node) {
  if (node.quoted) return node.text;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  Json value = Json::parse(node.text, nullptr, false);
  // An integer beyond 64 bits would become a float.
  const bool exact = value.is_number_integer() || node.text.find_first_of(".eE") < node.text.size();
  return value.is_number() && exact ? std::move(value) : Json(node.text);
}

Result<Json> ToJson(const YamlNode& node) {
  const auto wrong = [&](int line, std::string_view why) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: {}", line, why)};
  };
  if (node.foreign_tag) return wrong(node.line, "a tag has no meaning here");
  switch (node.kind) {
    case YamlNode::Kind::kScalar:
      return Scalar(node);
    case YamlNode::Kind::kList: {
      Json list = Json::array();
      for (const YamlNode& item : node.items) {
        Result<Json> json = ToJson(item);
        if (!json) return json;
        list.push_back(std::move(json).value());
      }
      return list;
    }
    case YamlNode::Kind::kMapping: {
      Json object = Json::object();
      for (const YamlEntry& entry : node.entries) {
        if (!entry.textual) return wrong(entry.line, "a key must be text");
        if (object.contains(entry.key)) {
          return wrong(entry.line, fmt::format("`{}` is given twice", Printable(entry.key)));
        }
        Result<Json> json = ToJson(entry.value);
        if (!json) return json;
        object[entry.key] = std::move(json).value();
      }
      return object;
    }
    case YamlNode::Kind::kEmpty:
    case YamlNode::Kind::kBroken:
      break;
  }
  return Json(nullptr);
}

}  // namespace

Result<std::string> ItemJson(const std::string& path, const std::string& content) {
  const std::string name = path == "-" ? "standard input" : Printable(path);
  const auto wrong = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: {}", name, why)};
  };
  if (const std::size_t first = content.find_first_not_of(" \t\r\n");
      first != std::string::npos && content[first] == '{' && Json::accept(content)) {
    return content;
  }
  const YamlDocument document = ReadYaml(content);
  if (document.failure) {
    return wrong(
        fmt::format("{}: {}", document.failure->line, Printable(document.failure->message)));
  }
  if (!document.root || document.root->kind != YamlNode::Kind::kMapping) {
    return wrong("holds no mapping; give one item, such as {name: ranks, kernel: pagerank, ...}");
  }
  Result<Json> json = ToJson(*document.root);
  if (!json) return Error{json.error().code, fmt::format("{}:{}", name, json.error().message)};
  try {
    return json.value().dump();
  } catch (const Json::type_error&) {
    return wrong("is not UTF-8");
  }
}

Result<std::string> ReadItemFile(const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& input = path == "-" ? std::cin : file;
  std::string content(kMostBytes + 1, '\0');  // a device may have no end
  errno = 0;
  const bool opened = static_cast<bool>(input);
  if (opened) input.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(opened ? static_cast<std::size_t>(input.gcount()) : 0);
  // A folder opens, but cannot be read.
  if (!opened || input.bad() || (content.empty() && errno != 0)) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("{}: cannot be read: {}", Printable(path),
                                                          std::strerror(errno != 0 ? errno : EIO))};
  }
  if (content.size() > kMostBytes) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: is longer than any item", Printable(path))};
  }
  return ItemJson(path, content);
}

}  // namespace sash
