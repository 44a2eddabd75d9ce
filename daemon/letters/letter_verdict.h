// LetterJudge: what would happen to a dead letter's record if it were read again now.
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "connectors/codec/format_spec.h"
#include "connectors/sinks/dead_letter_line.h"
#include "daemon/letters/record_judge.h"
#include "windows/base/clock.h"
#include "windows/base/result.h"

namespace sash {

struct LetterVerdict {
  enum class Kind : std::uint8_t {
    kDecodes,
    kRefused,     // still; `reason` and `detail` say why
    kIgnored,     // a tombstone, which source.format ignores
    kFiltered,    // by source.format.where, or by all of its mappings
    kUnmapped,    // no mapping takes the records of its topic
    kLate,        // it can be decoded, but was late
    kAhead,       // it can be decoded, but was ahead of the clock, and its time has still not come
    kTruncated,   // the letter does not hold the whole record, or not all places of late edges
    kHeaderless,  // was late or ahead, and the mapping reads headers, which such letters lack
  };
  Kind kind = Kind::kDecodes;
  std::string reason{};
  std::string detail{};
};

class LetterJudge {
 public:
  // Returns an error for formats whose records cannot be decoded one by one.
  static Result<std::unique_ptr<LetterJudge>> Open(const FormatSpec& format);

  // `now`: of the wall clock.
  LetterVerdict Judge(const DeadLetter& letter, EventTime now);

 private:
  LetterJudge(std::unique_ptr<RecordJudge> records, bool reads_headers)
      : records_(std::move(records)), reads_headers_(reads_headers) {}

  const std::unique_ptr<RecordJudge> records_;
  const bool reads_headers_;
};

}  // namespace sash
