// UnacknowledgedResults: the results that a file sink took and that no commit covers yet. Each is
// kept with its text, so that it can be written again when the file is lost.
//
// Thread safety: none; the owner serialises.
//
// Invariants
//   (1) Results are in the order in which they were added, which is not always that of their
//       advances. Waiting results are the newest ones, except results that Lose() makes wait again.
//   (2) Apart from waiting results, at most Limits::results are kept, and at most Limits::bytes of
//       text of results in the file. Older results are only counted.
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
    kWaiting,    // not durable in the file yet
    kInFile,     // durable in the file
    kElsewhere,  // in a file that was moved away
  };
  using ForResult = std::function<void(const ResultIdentity&)>;

  UnacknowledgedResults() = default;
  explicit UnacknowledgedResults(const Limits& limits) : limits_(limits) {}

  // `advance` is the number of the result's advance. Without text it cannot be written again.
  void Add(std::uint64_t advance, ResultIdentity result, std::string text, Where where);

  // All waiting results are now durable in the file.
  void Confirm();

  // The waiting result number `index` (from 0) will never be written.
  void Drop(std::size_t index);

  // A commit covers all results up to this advance. Calls `passed` for each of them, but not yet
  // for those that were added behind a result of a later advance.
  void Cover(std::uint64_t advances, const ForResult& passed);

  // The file was moved away. Calls `in_it` for each result that was in it.
  void MoveAway(const ForResult& in_it);

  // The file lost its results, except those for which `is_there` is true: they wait again. Returns
  // the number of results that cannot be written again because their text is no longer kept.
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
  std::size_t without_text_ = 0;         // this number of first results, if kInFile, have no text
  std::uint64_t forgotten_ = 0;          // results in the file that are no longer kept
  std::uint64_t forgotten_advance_ = 0;  // the latest advance of them
};

}  // namespace sash
