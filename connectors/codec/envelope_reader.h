// EnvelopeReader: reads the mapped fields of a record that are beside its value.
//
// Thread safety: belongs to one thread. It does not allocate, except for the message of a refusal.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/envelope_field.h"
#include "connectors/codec/json_pointer.h"
#include "connectors/codec/json_scanner.h"

namespace sash {

class EnvelopeReader {
 public:
  struct Asked {
    std::size_t number = 0;  // of the field: any that the format gives it, below 64
    std::string name;        // for messages: "source"
    EnvelopeField from;
  };
  struct Found {
    std::size_t number = 0;
    JsonElement element;
  };

  // The reader of these fields; null when nothing is asked for.
  static Result<std::unique_ptr<EnvelopeReader>> Make(std::vector<Asked> asked);

  EnvelopeNeeds needs() const { return {.any = true, .headers = reads_headers_}; }
  // The fields that are text: all of these but $key/pointer, $partition and $timestamp.
  FieldSet texts() const { return texts_; }

  // The fields that the record has. Their texts are in the envelope, or valid until the next call.
  std::span<const Found> Read(const RecordEnvelope* envelope);

  // Why the record must be refused: the key or a header is not what the mapping says. A record that
  // is left out needs neither of them, so Read() does not refuse it.
  const std::optional<Refused>& refusal() const { return refusal_; }

 private:
  EnvelopeReader(std::vector<Asked> asked, PointerNode in_key);

  void AddText(const Asked& asked, std::string_view text);
  void AddInteger(const Asked& asked, std::int64_t value, std::array<char, 24>& digits);
  // Scans the key as JSON; false if it is not.
  bool ScanKey(std::string_view key);

  const std::vector<Asked> asked_;
  const bool has_pointers_;  // into the key
  bool reads_headers_ = false;
  FieldSet texts_ = 0;
  JsonScanner key_;
  std::vector<Found> found_;
  std::optional<Refused> refusal_;
  std::array<char, 24> partition_{};
  std::array<char, 24> timestamp_{};
};

}  // namespace sash
