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
#include "windows/base/result.h"

namespace sash {

struct LetterVerdict {
  enum class Kind : std::uint8_t {
    kDecodes,
    kRefused,    // still; `reason` and `detail` say why
    kIgnored,    // a tombstone, which source.format ignores
    kFiltered,   // by source.format.where, or by all of its mappings
    kUnmapped,   // no mapping takes the records of its topic
    kOfWindow,   // it can be decoded, but came late or ahead of the clock, and would again
    kTruncated,  // the letter does not hold the whole record
  };
  Kind kind = Kind::kDecodes;
  std::string reason{};
  std::string detail{};
};

class LetterJudge {
 public:
  // Returns an error for formats whose records cannot be decoded one by one.
  static Result<std::unique_ptr<LetterJudge>> Open(const FormatSpec& format);

  LetterVerdict Judge(const DeadLetter& letter);

 private:
  explicit LetterJudge(std::unique_ptr<RecordJudge> records) : records_(std::move(records)) {}

  const std::unique_ptr<RecordJudge> records_;
};

}  // namespace sash
