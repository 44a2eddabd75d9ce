// Decodes records that give several edges, by one mapping or by several, into texts that tests can
// compare.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "tests/connectors/codec/decoding.h"

namespace sash {

inline JsonMapping Edge(std::string source, std::string target) {
  JsonMapping edge;
  edge.source = std::move(source);
  edge.target = std::move(target);
  return edge;
}

inline JsonMapping EachOf(std::string array, std::string source, std::string target) {
  JsonMapping edge = Edge(std::move(source), std::move(target));
  edge.each = std::move(array);
  return edge;
}

inline FormatSpec EdgesFormat(JsonMapping mapping, KeyKind keys = KeyKind::kString) {
  FormatSpec format;
  format.mapping = std::move(mapping);
  format.keys = keys;
  format.time_origin = TimeOrigin::kKafka;
  return format;
}

// What one record becomes.
struct Became {
  // "a>b", "-a>b", "--a", "~" (filtered), with weights other than 1: "a>b*2". With several
  // mappings, "paid:a>b".
  std::vector<std::string> edges{};
  std::vector<std::string> at{};  // where letters say each edge is: "paid:1/0", "paid" or ""
  std::string refused{};          // the reason
  std::string detail{};
  std::vector<std::string> places{};  // of the edges that are refused: "paid:1/0 wrong_type"
};

class RecordEdges {
 public:
  explicit RecordEdges(const FormatSpec& format, std::string_view header = {})
      : keys_(format.keys) {
    auto made = MakeDecoder(format, header);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    if (made.ok()) decoder_ = std::move(made).value();
  }

  Became Decode(std::string_view record) { return Take(record, false); }
  Became DecodeBehind(std::string_view key, std::string_view record) {
    envelope_.key = key;
    return Take(record, false);
  }
  // The record as it is sent again: only these places of it are wanted.
  Became DecodeAgain(std::string_view places, std::string_view record) {
    const RecordHeader header{"sash.places", places};
    envelope_.headers = {&header, 1};
    Became became = Take(record, false);
    envelope_.headers = {};
    return became;
  }
  Became DecodeTombstone(std::string_view key) { return Take(key, true); }
  void SetTopic(std::string_view topic) { envelope_.topic = topic; }

  // "paid 2/1/0": accepted, filtered and refused, for each of several mappings.
  std::vector<std::string> MappingCounts() const {
    std::vector<std::string> texts;
    for (const MappingCount& count : decoder_->mapping_counts()) {
      texts.push_back(count.mapping + " " + std::to_string(count.accepted) + "/" +
                      std::to_string(count.filtered) + "/" + std::to_string(count.refused));
    }
    return texts;
  }
  Decoder& decoder() { return *decoder_; }
  EventBatch& batch() { return batch_; }

 private:
  Became Take(std::string_view record, bool tombstone) {
    const std::size_t first = batch_.events().size();
    const std::size_t bytes = batch_.bytes();
    const RecordPlace place{
        .partition = 3, .offset = offset_++, .time = {}, .envelope = &envelope_};
    const auto refused = tombstone ? decoder_->DecodeTombstone(record, place, batch_)
                                   : decoder_->Decode(record, place, batch_);
    Became became;
    if (refused) {
      became.refused = Name(refused->reason);
      became.detail = refused->detail;
      for (const RefusedPlace& each : refused->places) {
        const MappedPlace at = each.mapped();
        became.places.push_back(MappedPlacesText({&at, 1}) + " " + std::string(Name(each.reason)));
      }
      if (batch_.events().size() == first) {
        EXPECT_EQ(batch_.bytes(), bytes) << "a refused record left something in the batch";
      }
    }
    const std::vector<MappingCount> mappings = decoder_->mapping_counts();
    for (std::size_t i = first; i < batch_.events().size(); ++i) {
      const EdgeEvent& event = batch_.events()[i];
      EXPECT_EQ(event.further, i > first);
      EXPECT_EQ(event.offset, place.offset);
      EXPECT_EQ(event.partition, place.partition);
      if (event.filtered) {
        became.edges.emplace_back("~");
        continue;
      }
      EXPECT_EQ(batch_.Text(event.payload), record);
      EXPECT_EQ(event.payload.begin, batch_.events()[first].payload.begin) << "stored once";
      const std::string mapping(decoder_->MappingOf(i - first));
      if (!mappings.empty()) {
        EXPECT_EQ(mappings[event.mapping].mapping, mapping);
      }
      const MappedPlace at{mapping, batch_.PlaceOf(event)};
      became.at.push_back(MappedPlacesText({&at, 1}));
      became.edges.push_back((mapping.empty() ? "" : mapping + ":") + Text(event));
    }
    return became;
  }

  std::string Text(const EdgeEvent& event) const {
    const std::string source = KeyText(event.source, keys_, batch_);
    if (event.operation == Operation::kRemoveVertex) return "--" + source;
    std::string text = event.operation == Operation::kRemove ? "-" : "";
    text += source + ">" + KeyText(event.target, keys_, batch_);
    if (event.weight != Weight()) text += "*" + std::to_string(event.weight.integer());
    return text;
  }

  const KeyKind keys_;
  std::unique_ptr<Decoder> decoder_;
  EventBatch batch_;
  RecordEnvelope envelope_{.topic = "orders"};
  std::int64_t offset_ = 0;
};

}  // namespace sash
