#include "daemon/config/word_list_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"

namespace sash {

std::vector<Shape> WordListForm::Shapes() const {
  return {Items{Text{R"(^[\s\S]*)", kAnything, "a text, in quotes"}}};
}

void WordListForm::Read(const Section& section, const KeySpec& key,
                        std::vector<std::string>& words) const {
  for (const Place& item : section.Items(key.name, "a list of texts")) {
    std::string word;
    const auto parse = [&](std::string_view text) -> Result<std::string> {
      if (std::ranges::find(words, text) == words.end()) return std::string(text);
      return Wrong(fmt::format("`{}` is listed twice; keep one", text));
    };
    if (ReadAt(item, word, "the text in quotes, such as \"\" or \"NULL\",", parse,
               section.errors())) {
      words.push_back(word);
    }
  }
}

void WordListForm::Print(YamlPrinter& out, int depth, const KeySpec& key,
                         const std::vector<std::string>& words) const {
  out.Line(depth, key.name, QuoteAll(words));
}

}  // namespace sash
