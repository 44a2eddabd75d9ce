// Decoding: the outcome of decoding one record, as values that tests can compare.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "connectors/codec/decoder.h"

namespace sash {

struct Decoded {
  std::optional<RefusalReason> refused;
  std::string detail;
  std::string source;  // in decimal when keys are integers
  std::string target;
  std::string payload;
  std::string type;
  EdgeEvent event;
};

inline std::string KeyText(KeyRef key, KeyKind kind, const EventBatch& batch) {
  if (kind == KeyKind::kInteger) return std::to_string(key.integer());
  return std::string(batch.Text(key.text()));
}

// A decoder with one batch for all records, so that positions in the batch are not all zero.
class Decoding {
 public:
  explicit Decoding(FormatSpec format, std::string_view header = {},
                    std::shared_ptr<SchemaSource> schemas = nullptr)
      : keys_(format.keys) {
    auto made = MakeDecoder(format, header, std::move(schemas));
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    if (made.ok()) decoder_ = std::move(made).value();
  }

  Decoded Decode(std::string_view record) { return Take(record, false); }
  Decoded DecodeTombstone(std::string_view key) { return Take(key, true); }

  RecordPlace place{.partition = 3, .offset = 41, .time = EventTime(std::chrono::seconds(77))};

 private:
  Decoded Take(std::string_view record, bool tombstone) {
    const std::size_t events = batch_.events().size();
    const std::size_t bytes = batch_.bytes();
    const auto refused = tombstone ? decoder_->DecodeTombstone(record, place, batch_)
                                   : decoder_->Decode(record, place, batch_);
    Decoded decoded;
    if (refused) {
      EXPECT_EQ(batch_.bytes(), bytes) << "a refused record left something in the batch";
      EXPECT_EQ(batch_.marks().size(), 0u);
      EXPECT_FALSE(refused->detail.empty());
      decoded.refused = refused->reason;
      decoded.detail = refused->detail;
      return decoded;
    }
    EXPECT_EQ(batch_.events().size(), events + 1);
    decoded.event = batch_.events().back();
    EXPECT_EQ(decoded.event.partition, place.partition);
    EXPECT_EQ(decoded.event.offset, place.offset);
    decoded.source = KeyText(decoded.event.source, keys_, batch_);
    decoded.target = KeyText(decoded.event.target, keys_, batch_);
    decoded.type = std::string(batch_.Text(batch_.TypeOf(batch_.events().back())));
    decoded.payload = std::string(batch_.Text(decoded.event.payload));
    EXPECT_EQ(decoded.payload, record);
    return decoded;
  }

  const KeyKind keys_;
  std::unique_ptr<Decoder> decoder_;
  EventBatch batch_;
};

// Makes a failed expectation print the reason's name and the detail.
inline std::string ReasonOf(const Decoded& decoded) {
  return decoded.refused ? std::string(Name(*decoded.refused)) : "accepted";
}

}  // namespace sash
