// Writes a configuration as YAML that every YAML reader parses to the same values.
//
// Thread safety: pure functions; a printer belongs to one thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace sash {

// Text in double quotes, in which nothing is read as a reference (${env:NAME}). Quoted()
// (connectors/codec/quoted_text.h) leaves references as they are.
std::string Quote(std::string_view text);

std::string RealText(double number);  // the shortest text that parses to the same number

template <typename Texts>
std::string QuoteAll(const Texts& texts) {
  std::string list;
  for (const auto& text : texts) list += (list.empty() ? "" : ", ") + Quote(text);
  return "[" + list + "]";
}

// Writes "key: value" lines at an indentation.
class YamlPrinter {
 public:
  void Line(int depth, std::string_view key, std::string_view value = {});
  // The next line is the first of an item of a list.
  void BeginItem() { begins_item_ = true; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  bool begins_item_ = false;
};

}  // namespace sash
