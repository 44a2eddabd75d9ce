// DebeziumReader: reads the envelope of a change event of Debezium: which change a record is, and
// the fields of the row before it and after it.
//
//   {"before": ROW or null, "after": ROW or null, "op": "c", "source": {...}, "ts_ms": 17}
//
// also as the payload of {"schema": ..., "payload": ...}. The pointers of a mapping begin at the
// row, or behind kFromRecord at the event.
//
// Thread safety: belongs to one thread. It allocates only until its buffers are large enough, and
// for the message of a refusal.
//
// Invariants
//   (1) An insert is scanned once, an update or a delete twice.
//   (2) The row before an update has the time of the row after it: both edges are of one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/codec/decoder.h"
#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_pointer.h"
#include "connectors/codec/json_scanner.h"
#include "windows/base/result.h"

namespace sash {

class DebeziumReader {
 public:
  enum class Change : std::uint8_t {
    kInsert,    // c (create), r (read, of a snapshot): the row after it is new
    kUpdate,    // u: the row after it takes the place of the row before it
    kDelete,    // d: the row before it is gone
    kTruncate,  // t: all rows are gone; the event does not say which rows these were
    kMessage,   // m: a message of the application in the log of PostgreSQL; it has no rows
  };
  enum class Row : std::uint8_t { kBefore, kAfter };

  enum class Role : std::uint8_t { kKey, kTime, kType, kOther, kFilter };
  static Role RoleOf(MappedField field);
  struct Asked {
    std::size_t number = 0;  // of the field in the scanner
    std::string path;        // a JSON pointer
    std::string label;       // for messages: "source /from"
    Role role = Role::kOther;
    bool of_event = false;  // the pointer begins at the event, not at the row
  };

  // `reads_time`: the event time is a field.
  static Result<std::unique_ptr<DebeziumReader>> Make(std::vector<Asked> asked, bool reads_time);

  // Scans a record with a value. Refuses it if the change lacks one of its rows.
  std::optional<Refused> Read(std::string_view record);

  // The following are of the last record, if Read() did not refuse it, while that record exists.

  Change change() const { return change_; }
  // Makes `fields` those of the event, and of the row. False if the change has no such row: nothing
  // is changed then.
  bool Load(Row row, JsonScanner& fields) const;
  // Makes `fields` those of the event alone.
  void LoadEvent(JsonScanner& fields) const;
  // Why the row cannot become edges: it lacks a key, or the time.
  std::optional<Refused> WhyLacking(Row row) const;
  // For a row that the filter rejects: why it is not known whether the filter is right. The row
  // before the change may be without columns that the filter reads.
  std::optional<Refused> WhyUndecided(Row row, std::string_view record) const;

 private:
  DebeziumReader(std::vector<Asked> asked, PointerNode before, PointerNode after, bool reads_time);

  std::optional<Refused> ReadOperation();
  std::optional<Refused> WhyNoRow(Row row) const;
  // A value that was not logged, in a field of the row.
  std::optional<Refused> WhyNotLogged(Row row) const;
  bool HasRow(Row row) const;
  std::string_view NameOfChange() const;

  const std::vector<Asked> asked_;
  const bool reads_time_;
  FieldSet of_row_ = 0;    // the fields of the row, without its time
  FieldSet of_time_ = 0;   // the time, in the row
  FieldSet of_event_ = 0;  // the fields behind kFromRecord
  JsonScanner before_;
  JsonScanner after_;  // it finds the members of the event too
  Change change_ = Change::kInsert;
};

}  // namespace sash
