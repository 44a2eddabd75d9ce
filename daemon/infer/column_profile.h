// ColumnProfile: what the values of one field of a sample are.
//
// Thread safety: a value. It refers to the table, which must outlive it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "daemon/infer/name_words.h"
#include "daemon/infer/sample_table.h"
#include "daemon/infer/time_guess.h"

namespace sash {

struct ColumnProfile {
  std::size_t field = 0;  // its place in the table
  NameWords words{};
  std::size_t records = 0;  // of the sample
  std::size_t present = 0;  // records with a value
  std::unordered_set<std::string_view> distinct{};
  std::vector<std::string> nulls{};  // words among the values that mean "no value": NULL, -

  // Counts of the values that are there.
  std::size_t texts = 0;      // of JSON: strings; of CSV: all
  std::size_t keys = 0;       // 64-bit integers that the source reads as integer keys
  std::size_t numerals = 0;   // numbers of any size, also as text or with a decimal comma
  std::size_t fractions = 0;  // numbers with a point or an exponent; in CSV not 12.0
  std::size_t addresses = 0;  // IP addresses, addresses of mail, and of 20 bytes in hexadecimal
  std::size_t negatives = 0;
  std::size_t operations = 0;  // add, remove, remove_vertex
  std::size_t truths = 0;
  std::size_t lists = 0;
  double mean_length = 0;  // in bytes
  std::optional<TimeGuess> time{};

  double presence() const {
    return records == 0 ? 0 : static_cast<double>(present) / static_cast<double>(records);
  }
  double variety() const {
    return present == 0 ? 0 : static_cast<double>(distinct.size()) / static_cast<double>(present);
  }
  bool are_integers() const { return present > 0 && keys == present; }
};

// Whether `text` is a usual word for "no value".
bool IsNullWord(std::string_view text);

std::vector<ColumnProfile> ProfileColumns(const SampleTable& table,
                                          const std::vector<std::string>& known_nulls);

}  // namespace sash
