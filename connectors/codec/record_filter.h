// RecordFilter: `where` of a mapping, for the decoder that has found the fields of a record.
//
// Thread safety: belongs to one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/filter/filter_run.h"
#include "connectors/codec/format_spec.h"

namespace sash {

class RecordFilter {
 public:
  using Verdict = FilterRun::Verdict;

  // Null when the format has no `where`. The error names line and column.
  static Result<std::optional<RecordFilter>> Make(const FormatSpec& format);

  const std::vector<FilterField>& fields() const { return run_.fields(); }

  // What the filter reads beside the value.
  EnvelopeNeeds needs() const;

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

  static FilterValue OfEnvelope(const FilterField& field, const RecordEnvelope* envelope);

  FilterRun run_;
  std::vector<FilterValue> values_;  // of the last record
};

}  // namespace sash
