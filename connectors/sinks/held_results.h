// HeldResults: which results a file already holds, so that none is written twice.
//
// After a restart results come again from an earlier point on, in order for each job and window.
// The file may hold some of them and lack others in between, which the earlier life skipped
// (overrun: skip): so every identity is kept, not only the newest. It costs eight bytes a result in
// the file, and nothing once the stream has passed it.
//
// Thread safety: none; the owner serialises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "connectors/sinks/append_file.h"
#include "connectors/sinks/result_key.h"
#include "windows/base/result.h"

namespace sash {

// Whether a line of a file, or its first 64 KiB, is a result as sinks write them.
bool IsResultLine(std::string_view line);

class HeldResults {
 public:
  // Reads `file` from its beginning; every line must be whole. Refuses a file with a line that is
  // not a result, naming it. A line whose checksum is wrong is not held: its number is added to
  // `damaged`.
  static Result<HeldResults> Read(const AppendFile& file, std::vector<std::uint64_t>& damaged);

  // Whether it is one of those held, still ahead.
  bool Holds(const ResultIdentity& result) const;

  void Add(const ResultIdentity& result);
  void Add(const HeldResults& others);

  // The stream has passed it for good: nothing up to it comes again.
  void Forget(const ResultIdentity& result);

  // Of each job and window the newest so many, or fewer.
  std::vector<ResultIdentity> Newest(std::size_t most) const;

  // Whether this result is new. Ask in the order of the results, once for each.
  bool Admit(const ResultIdentity& identity);

  std::size_t size() const;

 private:
  struct Origin {
    std::deque<std::int64_t> held;       // ascending; those still ahead
    std::optional<std::int64_t> newest;  // admitted by this process
  };

  Status AddLine(std::string_view line, const AppendFile& file, std::uint64_t number);

  std::map<ResultOrigin, Origin> origins_;
};

}  // namespace sash
