// RecordFilter: `where` of a mapping, for the decoder that has found the fields of a record.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/filter/filter_run.h"
#include "connectors/codec/format_spec.h"

namespace sash {

// The tree of a filter whose fields are those of records of this format.
Result<FilterTree> ParseRecordFilter(std::string_view text, const FormatSpec& format);

class RecordFilter {
 public:
  using Verdict = FilterRun::Verdict;

  // Null when the format has no `where`. The error names line and column.
  static Result<std::optional<RecordFilter>> Make(const FormatSpec& format);

  const std::vector<FilterField>& fields() const { return run_.fields(); }

  // What the field needs beside the value.
  static EnvelopeNeeds NeedsOf(const FilterField& field) {
    return {.any = field.from >= FilterField::From::kKey,
            .headers = field.from == FilterField::From::kHeader};
  }
  // The value of a field beside the record's value.
  static FilterValue OfEnvelope(const FilterField& field, const RecordEnvelope* envelope);

  // read(number, field) is the value of a field of the record's value.
  template <typename Read>
  Verdict Judge(const RecordPlace& place, const Read& read) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const FilterField& field = fields()[i];
      values_[i] =
          field.from < FilterField::From::kKey ? read(i, field) : OfEnvelope(field, place.envelope);
    }
    return run_.Judge(values_);
  }

  // After kFails.
  Refused WhyRefused() const {
    return {RefusalReason::kWhere, "in source.format.where, " + run_.WhyFailed()};
  }

 private:
  explicit RecordFilter(FilterRun run) : run_(std::move(run)), values_(run_.fields().size()) {}

  FilterRun run_;
  std::vector<FilterValue> values_;  // of the last record
};

}  // namespace sash
