// MappedDecoder: a record goes through several mappings (FormatSpec::mappings), each of which has a
// decoder. Each mapping filters and refuses for itself. The edges of the record follow each other
// in the order of the mappings, and have one payload.
//
// With kPlacesHeader a record gives only the edges that the header names. A place names a mapping
// (edge_places.h).
//
// Thread safety: like Decoder.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/line_judge.h"
#include "connectors/codec/mapped_topics.h"

namespace sash {

// `header`, `schemas`: as for MakeDecoder(); all mappings of rows in files have the same header,
// and all schemas are in one registry.
Result<std::unique_ptr<Decoder>> MakeMappedDecoder(const FormatSpec& format,
                                                   std::string_view header,
                                                   const std::shared_ptr<SchemaSource>& schemas);

class MappedDecoder final : public Decoder, private LineJudge {
 public:
  // A decoder for each of FormatSpec::mappings, and the topics that it takes.
  MappedDecoder(const FormatSpec& format, std::vector<std::unique_ptr<Decoder>> decoders,
                const std::vector<MappedTopics>& topics);

  std::optional<Refused> Decode(std::string_view record, const RecordPlace& place,
                                EventBatch& batch) override;
  std::optional<Refused> DecodeTombstone(std::string_view key, const RecordPlace& place,
                                         EventBatch& batch) override;
  // All of the envelope: its topic and headers.
  EnvelopeNeeds needs() const override { return {.any = true, .headers = true}; }
  // A line is a row if it is one for a mapping.
  LineJudge* line_judge() override;
  std::string TimeAsWritten() override;
  TopicUse UseOf(std::string_view topic) const override { return TakersOf(topic).use; }
  std::string_view MappingOf(std::size_t edge) const override;
  std::vector<MappingCount> mapping_counts() const override;
  DecodeCounts counts() const override;

 private:
  struct Mapping {
    Mapping(const FormatSpec& spec, std::unique_ptr<Decoder> with, MappedTopics of)
        : name(spec.name),
          topics(std::move(of)),
          is_binary(IsBinary(spec)),
          has_schemas(spec.registry.has_value()),
          decoder(std::move(with)) {}

    const std::string name;
    const MappedTopics topics;
    const bool is_binary;
    const bool has_schemas;
    const std::unique_ptr<Decoder> decoder;
    std::atomic<std::uint64_t> accepted = 0;
    std::atomic<std::uint64_t> filtered = 0;
    std::atomic<std::uint64_t> refused = 0;
  };
  // The mappings that take a topic.
  struct Takers {
    std::vector<std::size_t> numbers{};  // places in mappings_, ascending
    TopicUse use{.is_taken = false, .is_binary = false, .has_schemas = false};
  };

  // What a mapping makes of the current record.
  struct Part {
    std::size_t mapping = 0;
    std::size_t accepted = 0;  // edges
    std::size_t filtered = 0;  // 1 if it leaves the record out
    std::size_t refused = 0;
  };
  struct Passage;

  bool MayHoldLineBreak(std::size_t field) const override;
  bool IsRow(std::string_view line) override;
  bool DecidesByOneLine() const override;

  const Takers& TakersOf(std::string_view topic) const;
  Takers FindTakers(std::string_view topic) const;
  template <typename DecodeBy>
  std::optional<Refused> Pass(const RecordPlace& place, EventBatch& batch,
                              const DecodeBy& decode_by);
  template <typename DecodeBy>
  std::optional<Refused> PassWanted(std::string_view places, const RecordPlace& place,
                                    EventBatch& batch, const DecodeBy& decode_by);
  template <typename DecodeBy>
  std::optional<Refused> TakeBy(std::size_t number, const RecordPlace& place, EventBatch& batch,
                                const DecodeBy& decode_by, Passage& passage);
  std::optional<Refused> Finish(std::optional<Refused> whole, const RecordPlace& place,
                                Passage passage, EventBatch& batch);

  const KeyKind keys_;
  std::deque<Mapping> mappings_;
  mutable std::map<std::string, Takers, std::less<>> takers_;  // of the topics seen so far
  // What TakersOf() returned last: records of one topic mostly follow each other.
  mutable std::string last_topic_;
  mutable const Takers* last_takers_ = nullptr;
  std::vector<LineJudge*> judges_;  // of the mappings of rows
  std::vector<Part> parts_;         // of the last record
};

}  // namespace sash
