// WindowJudge: the filters of windows (windows[].types and where), for the decoder that has found
// the fields of a record. Each expression is asked once for each record.
//
// Thread safety: belongs to one thread.
//
// Invariant: (1) Judge() does not allocate, except as FilterRun does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/filter/filter_run.h"
#include "connectors/codec/format_spec.h"
#include "connectors/codec/record_filter.h"
#include "windows/ingest/window_filters.h"

namespace sash {

// Whether an edge of the format may have one of the types; true if there are none.
bool MayGiveTypes(const FormatSpec& format, std::span<const std::string> types);

class WindowJudge {
 public:
  // Null when format.window_filters is empty. The error names line and column.
  static Result<std::optional<WindowJudge>> Make(const FormatSpec& format);

  // What the expressions ask for, each field once.
  const std::vector<FilterField>& fields() const { return fields_; }

  struct Judgement {
    FilterBits passes = kPassesAll;
    std::uint64_t failures = 0;  // filters that have no value for the record: it does not pass them
  };
  // The filters that the adds of a record pass, if their types are right. read(number, field) is
  // the value of a field of the record's value.
  template <typename Read>
  Judgement Judge(const RecordPlace& place, const Read& read) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = fields_[i].from < FilterField::From::kKey
                       ? read(i, fields_[i])
                       : RecordFilter::OfEnvelope(fields_[i], place.envelope);
    }
    return JudgeValues();
  }

  // The filters whose types have this one; without a type, those that name no types.
  FilterBits PassesOf(std::string_view type) const {
    FilterBits passes = kPassesAll;
    for (std::size_t i = 0; i < filters_.size(); ++i) {
      const std::vector<std::string>& types = filters_[i].types;
      if (types.empty() || std::ranges::find(types, type) != types.end()) continue;
      passes &= ~(FilterBits{1} << i);
    }
    return passes;
  }

 private:
  struct Filter {
    std::vector<std::string> types{};   // empty: edges of all types and of none
    bool passes_none = false;           // the mapping gives no edge of these types
    std::optional<FilterRun> run{};     // its expression
    std::vector<std::size_t> places{};  // in fields_, in the order of run->fields()
    std::vector<FilterValue> values{};  // likewise, of the last record
  };

  WindowJudge() = default;
  Status AddRun(std::string_view text, const FormatSpec& format, Filter& filter);
  Judgement JudgeValues();

  std::vector<FilterField> fields_;
  std::vector<FilterValue> values_;  // of the last record
  std::vector<Filter> filters_;      // by number
};

// All filters of a mapping.
struct RecordFilters {
  static Result<RecordFilters> Make(const FormatSpec& format);

  // Fields are asked for in this order: those of `where`, then those of windows.
  std::vector<FilterField> asked() const;
  std::size_t first_of_windows() const { return where ? where->fields().size() : 0; }
  EnvelopeNeeds needs() const;

  std::optional<RecordFilter> where{};
  std::optional<WindowJudge> windows{};
};

}  // namespace sash
