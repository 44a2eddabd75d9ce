// HeldResults: the results that a file already contains, so that none is written twice.
//
// After a restart, results are produced again from an earlier point, in order per job and window.
// The file may contain some of them and lack others between them, which the previous run skipped
// (overrun: skip). So every identity is kept, not only the newest. Memory: eight bytes per result
// in the file, until the stream has passed it. Results beside the series
// (ResultIdentity::is_in_series()) are kept in HeldCuts, only the newest ones; the members below
// that count or name results leave them out.
//
// Thread safety: none; the owner serialises.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "connectors/sinks/held_cuts.h"
#include "connectors/sinks/result_key.h"

namespace sash {

class HeldResults {
 public:
  // Whether the file contains this result and the stream has not passed it yet.
  bool Holds(const ResultIdentity& result) const;

  void Add(const ResultIdentity& result);
  void Add(const HeldResults& others);

  // Removes this result and all earlier results of its origin: they will not be produced again.
  // Results beside the series stay.
  void Forget(const ResultIdentity& result);

  // The newest results, at most `most` for each job and window.
  std::vector<ResultIdentity> Newest(std::size_t most) const;

  // Whether this result is new. Call it once per result, in the order of the results; that of
  // results beside the series does not matter.
  bool Admit(const ResultIdentity& identity);

  std::size_t size() const;

 private:
  struct Origin {
    std::deque<std::int64_t> held;       // positions the stream has not passed, ascending
    std::optional<std::int64_t> newest;  // admitted by this process
  };

  std::map<ResultOrigin, Origin> origins_;
  std::map<ResultOrigin, HeldCuts> cuts_;  // of results beside the series
};

}  // namespace sash
