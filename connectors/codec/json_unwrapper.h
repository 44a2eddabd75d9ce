// JsonUnwrapper: finds the content of a record that is in an envelope (source.format.json.unwrap)
// or in a string (text_at), or in a string in an envelope.
//
//   connect      {"schema": ..., "payload": CONTENT}, of Kafka Connect's JsonConverter
//   cloudevents  structured: {"specversion": ..., "data": CONTENT}, or "data_base64"; binary: the
//                record has a header ce_specversion, and its value is the content
//
// The context attributes of a CloudEvent are the headers ce_NAME in both modes: in a structured
// event, $header.ce_type is its member "type".
//
// Thread safety: belongs to one thread. It allocates only until its buffers are large enough.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/json_pointer.h"
#include "connectors/codec/json_scanner.h"
#include "windows/base/result.h"

namespace sash {

// Whether a header of this name is a context attribute of a CloudEvent.
constexpr bool IsAttribute(std::string_view header) { return header.starts_with("ce_"); }

class JsonUnwrapper {
 public:
  // What is read of records. `number` is that of the field in the scanner.
  struct Asked {
    std::size_t number = 0;
    std::string name;  // a pointer into the content, or the header of an attribute
  };

  // Null when every record is its content. `each_element`: what is read of the elements of the
  // mapping's array, if it has one.
  static Result<std::unique_ptr<JsonUnwrapper>> Make(const JsonMapping& mapping,
                                                     const std::vector<Asked>& pointers,
                                                     std::vector<Asked> attributes,
                                                     const JsonScanner::EachElement& each_element);

  EnvelopeNeeds needs() const;
  FieldSet attributes() const { return attribute_set_; }  // all of them are texts

  // Scans a record. Afterwards `fields`, whose pointers are those into the content, has the fields
  // of the content and the attributes; they are valid until the next call, while the record exists.
  std::optional<Refused> Read(std::string_view record, const RecordEnvelope* envelope,
                              JsonScanner& fields);
  // The same for the key of a record without a value. It has the envelope of connect, but not that
  // of a CloudEvent; its content may be in a string.
  std::optional<Refused> ReadKey(std::string_view key, const RecordEnvelope* envelope,
                                 JsonScanner& fields);
  // Attributes that are headers.
  std::optional<Refused> PutHeaders(const RecordEnvelope* envelope, JsonScanner& fields) const;

 private:
  JsonUnwrapper(const JsonMapping& mapping, JsonScanner wrapped, PointerNode around_text,
                std::vector<Asked> attributes);

  std::optional<Refused> ReadConnect(std::string_view record, JsonScanner& fields);
  std::optional<Refused> ReadStructured(std::string_view record, JsonScanner& fields);
  // A document that is the content, or in which the content is a string.
  std::optional<Refused> ReadContent(std::string_view text, std::string_view what,
                                     JsonScanner& fields);
  // The string with the content that `around` has found.
  std::optional<Refused> ReadText(const JsonScanner& around, JsonScanner& fields);
  std::optional<Refused> ReadBase64(const JsonElement& text, JsonScanner& fields);
  void PutMembers(JsonScanner& fields);

  const Unwrap unwrap_;
  const bool is_in_text_;
  const std::string text_label_;  // for messages
  const std::vector<Asked> attributes_;
  FieldSet attribute_set_ = 0;
  JsonScanner wrapped_;      // of the record with its envelope
  JsonScanner around_text_;  // of a document with the string
  std::string text_;
  std::string base64_;
  std::string data_;
  std::vector<std::string> unescaped_;  // by attribute
};

}  // namespace sash
