// UnacknowledgedResults: what a file was given and no commit covers yet, each with its text, so
// that it can be written again when the file is lost.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) Results are in the order in which they came; those that wait are the newest ones, but for
//       what Lose() makes wait again.
//   (2) Beside those that wait, at most Limits::results are kept, and Limits::bytes of text of
//       those in the file. Of older ones only their number is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "connectors/sinks/result_key.h"

namespace sash {

class UnacknowledgedResults {
 public:
  struct Limits {
    std::size_t results = 1 << 16;
    std::size_t bytes = 16 << 20;
  };

  enum class Where : std::uint8_t {
    kWaiting,    // it is on its way to the file
    kInFile,     // it is durable there
    kElsewhere,  // it is in a file that was moved away
  };
  using ForResult = std::function<void(const ResultIdentity&)>;

  UnacknowledgedResults() = default;
  explicit UnacknowledgedResults(const Limits& limits) : limits_(limits) {}

  // `advance` is the number of the advance that it is of. Without text it cannot be written again.
  void Add(std::uint64_t advance, ResultIdentity result, std::string text, Where where);

  // What waits is in the file now.
  void Confirm();

  // Of those that wait the one at `index` never gets there.
  void Drop(std::size_t index);

  // A commit covers everything up to this advance. `passed` is told of each.
  void Cover(std::uint64_t advances, const ForResult& passed);

  // The file was moved away; `in_it` is told of each that was in it.
  void MoveAway(const ForResult& in_it);

  // What was in the file is there no more, but for what `is_there`: it waits again. How many can
  // not, since their text is not kept any more.
  std::uint64_t Lose(const std::function<bool(const ResultIdentity&)>& is_there);

  std::vector<std::string> Waiting() const;
  std::size_t waiting() const { return waiting_; }

 private:
  struct Kept {
    std::uint64_t advance = 0;
    ResultIdentity result;
    std::string text;
    Where where = Where::kWaiting;
  };

  void Bound();

  Limits limits_{};
  std::deque<Kept> results_;
  std::size_t waiting_ = 0;              // of kWaiting
  std::size_t in_file_bytes_ = 0;        // of texts of kInFile
  std::size_t without_text_ = 0;         // the first so many have none, of kInFile
  std::uint64_t forgotten_ = 0;          // that were in the file
  std::uint64_t forgotten_advance_ = 0;  // of the newest of them
};

}  // namespace sash
