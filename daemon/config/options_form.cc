#include "daemon/config/options_form.h"

#include <fmt/format.h>

#include <string>

#include "connectors/codec/quoted_text.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/secret_reference.h"

namespace sash {

void ReadKafkaOptions(const Section& kafka, std::string_view key, WhyOwned why_owned,
                      KafkaOptions& options, KafkaOptions& references) {
  if (!kafka.Has(key)) return;
  for (const auto& [option, place] :
       EntriesAt(kafka.At(key), "a mapping of librdkafka options", kafka.errors())) {
    if (const auto reason = why_owned(option)) {
      kafka.errors().Add(place, fmt::format("cannot be set here: {}", *reason));
      continue;
    }
    const YamlNode* const value = ScalarAt(place, "a value", kafka.errors());
    if (value == nullptr) continue;
    if (option.empty()) {
      kafka.errors().Add(place, "has no name; give the name of a librdkafka option");
    } else if (value->text == kRedacted) {
      kafka.errors().Add(place,
                         "was redacted when this was printed; give the value, or "
                         "${env:NAME} or ${file:PATH}");
    } else {
      options[option] = value->text;
      if (!value->written.empty()) references[option] = value->written;
    }
  }
}

void PrintKafkaOptions(YamlPrinter& out, int depth, std::string_view key,
                       const KafkaOptions& options, const KafkaOptions& references) {
  if (options.empty()) {
    out.Line(depth, key, "{}");
    return;
  }
  out.Line(depth, key);
  for (const auto& [option, value] : options) {
    const auto reference = references.find(option);
    std::string shown = Quote(IsSecretOption(option) ? kRedacted : std::string_view(value));
    if (reference != references.end()) {
      // As written: it names where the value is and does not show it.
      shown = Quoted(reference->second);
    }
    out.Line(depth + 1, Quoted(option), shown);  // keys hold no references
  }
}

}  // namespace sash
