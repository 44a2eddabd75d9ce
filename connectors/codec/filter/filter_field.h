// FilterField: what an expression can name of a record.
//
// Thread safety: a value.
#pragma once

#include <cstdint>
#include <string>

namespace sash {

// How fields of the record's value are written in an expression.
enum class FilterFields : std::uint8_t {
  kPointers,       // JSON pointers: /payer/id, or in backquotes `/first-name`
  kColumnNames,    // amount, or in backquotes `Amount Paid`
  kColumnNumbers,  // $3 (from 1)
  kMembers,        // rank, or in backquotes; of a row, which has no record around it
};

struct FilterField {
  enum class From : std::uint8_t {
    kPointer,
    kColumnName,
    kColumnNumber,
    kMember,     // its name
    kAttribute,  // $header.ce_NAME of a CloudEvent, which is a header or a member
    kKey,        // the rest come from the record's envelope
    kHeader,
    kTopic,
    kPartition,  // an int
    kTimestamp,  // an int: milliseconds since the epoch
  };
  From from = From::kPointer;
  std::string name{};        // the pointer, column, member, header or header of the attribute
  std::uint32_t number = 0;  // of a kColumnNumber, from 1

  friend bool operator==(const FilterField&, const FilterField&) = default;
};

}  // namespace sash
