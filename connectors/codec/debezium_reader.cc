#include "connectors/codec/debezium_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <utility>

#include "connectors/codec/edge_fields.h"
#include "connectors/codec/json_value.h"
#include "connectors/codec/scan_json.h"
#include "windows/base/check.h"

namespace sash {
namespace {

constexpr std::size_t kOperation = JsonScanner::kMostFields;
constexpr std::size_t kBefore = JsonScanner::kMostFields + 1;
constexpr std::size_t kAfter = JsonScanner::kMostFields + 2;
static_assert(kAfter < JsonScanner::kEach);

// Debezium writes this in place of a long value that PostgreSQL did not log, because the update did
// not change it.
constexpr std::string_view kNotLogged = "__debezium_unavailable_value";

constexpr std::string_view kFullRows =
    "log whole rows: in PostgreSQL with ALTER TABLE ... REPLICA IDENTITY FULL, in MySQL with "
    "binlog_row_image=FULL";

// Adds a pointer into the event, which may be the payload of JsonConverter's envelope.
Status AddBoth(const std::string& pointer, std::size_t number, PointerNode& root) {
  Status added = AddPointer(pointer, number, root);
  return added.ok() ? AddPointer("/payload" + pointer, number, root) : added;
}

std::string_view NameOf(DebeziumReader::Row row) {
  return row == DebeziumReader::Row::kBefore ? "before" : "after";
}

}  // namespace

DebeziumReader::Role DebeziumReader::RoleOf(MappedField field) {
  const std::string_view name = Name(field);
  if (name == Name(MappedField::kTime)) return Role::kTime;
  if (name == Name(MappedField::kType)) return Role::kType;
  const bool is_key = name == Name(MappedField::kSource) || name == Name(MappedField::kTarget);
  return is_key ? Role::kKey : Role::kOther;
}

Result<std::unique_ptr<DebeziumReader>> DebeziumReader::Make(std::vector<Asked> asked,
                                                             bool reads_time) {
  PointerNode before;
  PointerNode after;
  Status added = AddBoth("/op", kOperation, after);
  if (added.ok()) added = AddBoth("/before", kBefore, after);
  if (added.ok()) added = AddBoth("/after", kAfter, after);
  for (const Asked& each : asked) {
    SASH_CHECK(each.number < JsonScanner::kMostFields);
    if (each.of_event) {
      if (added.ok()) added = AddBoth(each.path, each.number, after);
      continue;
    }
    if (added.ok()) added = AddBoth("/before" + each.path, each.number, before);
    if (added.ok()) added = AddBoth("/after" + each.path, each.number, after);
  }
  if (!added.ok()) return std::move(added).error();
  return std::unique_ptr<DebeziumReader>(
      new DebeziumReader(std::move(asked), std::move(before), std::move(after), reads_time));
}

DebeziumReader::DebeziumReader(std::vector<Asked> asked, PointerNode before, PointerNode after,
                               bool reads_time)
    : asked_(std::move(asked)),
      reads_time_(reads_time),
      before_(std::move(before)),
      after_(std::move(after)) {
  for (const Asked& each : asked_) {
    FieldSet& fields = each.of_event ? of_event_ : each.role == Role::kTime ? of_time_ : of_row_;
    fields |= FieldSet{1} << each.number;
  }
}

std::optional<Refused> DebeziumReader::Read(std::string_view record) {
  before_.Forget();
  if (auto refused = ScanJson(record, "the record", after_)) return refused;
  if (auto refused = ReadOperation()) return refused;
  const bool is_update = change_ == Change::kUpdate;
  if (is_update || change_ == Change::kDelete) {
    if (auto refused = WhyNoRow(Row::kBefore)) return refused;
    // The record is JSON in UTF-8: it was scanned before.
    static_cast<void>(before_.Scan(record));
    if (auto refused = WhyNotLogged(Row::kBefore)) return refused;
  }
  if (is_update || change_ == Change::kInsert) {
    if (auto refused = WhyNoRow(Row::kAfter)) return refused;
    return WhyNotLogged(Row::kAfter);
  }
  return std::nullopt;
}

std::optional<Refused> DebeziumReader::ReadOperation() {
  const JsonElement* const operation = after_.Find(kOperation);
  if (operation == nullptr) {
    return Refused{RefusalReason::kMissingField,
                   "the record has no op, so it is not a change event of Debezium "
                   "(source.format.json.unwrap: debezium); if a transformation "
                   "(ExtractNewRecordState) writes rows alone, leave out unwrap"};
  }
  const bool is_string = operation->kind == JsonElement::Kind::kString;
  switch (is_string && operation->text.size() == 1 ? operation->text.front() : ' ') {
    case 'c':
    case 'r':
      change_ = Change::kInsert;
      return std::nullopt;
    case 'u':
      change_ = Change::kUpdate;
      return std::nullopt;
    case 'd':
      change_ = Change::kDelete;
      return std::nullopt;
    case 't':
      change_ = Change::kTruncate;
      return std::nullopt;
    case 'm':
      change_ = Change::kMessage;
      return std::nullopt;
    default:
      break;
  }
  return Refused{RefusalReason::kUnknownOperation,
                 fmt::format("op is {}; the operations of Debezium are c, r, u, d, t and m",
                             is_string ? Excerpt(operation->text) : "not a string")};
}

bool DebeziumReader::HasRow(Row row) const {
  switch (change_) {
    case Change::kInsert:
      return row == Row::kAfter;
    case Change::kUpdate:
      return true;
    case Change::kDelete:
      return row == Row::kBefore;
    case Change::kTruncate:
    case Change::kMessage:
      break;
  }
  return false;
}

std::string_view DebeziumReader::NameOfChange() const {
  if (change_ == Change::kInsert) return "insert";
  return change_ == Change::kUpdate ? "update" : "delete";
}

void DebeziumReader::LoadEvent(JsonScanner& fields) const {
  fields.Forget();
  fields.Take(after_, of_event_);
}

bool DebeziumReader::Load(Row row, JsonScanner& fields) const {
  if (!HasRow(row)) return false;
  LoadEvent(fields);
  const bool is_before = row == Row::kBefore;
  fields.Take(is_before ? before_ : after_, of_row_);
  fields.Take(is_before && change_ == Change::kDelete ? before_ : after_, of_time_);
  return true;
}

std::optional<Refused> DebeziumReader::WhyNoRow(Row row) const {
  const JsonElement* const found = after_.Find(row == Row::kBefore ? kBefore : kAfter);
  if (found != nullptr && found->kind == JsonElement::Kind::kObject) return std::nullopt;
  if (found != nullptr) {
    // MongoDB's connector writes documents as text.
    const bool is_text = found->kind == JsonElement::Kind::kString;
    return Refused{
        RefusalReason::kWrongType,
        fmt::format("{0} of the {1} is {2}, not an object{3}", NameOf(row), NameOfChange(),
                    TypeName(*found),
                    is_text
                        ? "; the connector of MongoDB writes so: leave out unwrap, and read the "
                          "inserts with text_at: /after, or let ExtractNewDocumentState write "
                          "documents alone"
                        : "")};
  }
  std::string why =
      fmt::format("{} of the {} is missing or null, so ", NameOf(row), NameOfChange());
  if (row == Row::kAfter) return Refused{RefusalReason::kMissingField, why + "there is no row"};
  return Refused{RefusalReason::kMissingField,
                 fmt::format("{}the edge that ends is not known; {}", why, kFullRows)};
}

std::optional<Refused> DebeziumReader::WhyNotLogged(Row row) const {
  const JsonScanner& scanner = row == Row::kBefore ? before_ : after_;
  for (const Asked& each : asked_) {
    const JsonElement* const found = each.of_event ? nullptr : scanner.Find(each.number);
    if (found == nullptr || found->text != kNotLogged) continue;
    return Refused{
        RefusalReason::kMissingField,
        fmt::format("{} in {} of the {} is {}, so its value was not logged; {}", each.label,
                    NameOf(row), NameOfChange(), Excerpt(kNotLogged), kFullRows)};
  }
  return std::nullopt;
}

std::optional<Refused> DebeziumReader::WhyLacking(Row row) const {
  const bool is_before = row == Row::kBefore;
  for (const Asked& each : asked_) {
    const bool is_time = each.role == Role::kTime;
    const bool in_before = is_before && !each.of_event && (!is_time || change_ == Change::kDelete);
    // An edge may be without a type. But the row before a change may lack it only because it was
    // not logged, so there it is needed.
    const bool is_needed = each.role == Role::kKey || (is_time && reads_time_) ||
                           (each.role == Role::kType && in_before);
    if (!is_needed) continue;
    if ((in_before ? before_ : after_).Find(each.number) != nullptr) continue;
    const std::string_view row_name = in_before ? "before" : "after";
    const std::string where = each.of_event ? std::string("the event")
                                            : fmt::format("{} of the {}", row_name, NameOfChange());
    if (!in_before) {
      return Refused{RefusalReason::kMissingField,
                     fmt::format("{} is missing or null in {}{}", each.label, where, kWhenAbsent)};
    }
    return Refused{RefusalReason::kMissingField,
                   fmt::format("{} is missing or null in {}, so the edge that ends is not known; "
                               "{}",
                               each.label, where, kFullRows)};
  }
  return std::nullopt;
}

std::optional<Refused> DebeziumReader::WhyUndecided(Row row, std::string_view record) const {
  if (row == Row::kAfter) return std::nullopt;
  simdjson::dom::parser parser;  // few rows come here
  simdjson::dom::element event;
  for (const Asked& each : asked_) {
    if (each.role != Role::kFilter || before_.Find(each.number) != nullptr) continue;
    if (parser.parse(record.data(), record.size()).get(event) != simdjson::SUCCESS) break;
    simdjson::dom::element inner;
    if (event.at_pointer("/before").get(inner) == simdjson::NO_SUCH_FIELD) {
      if (event.at_pointer("/payload/before").get(inner) != simdjson::SUCCESS) break;
    }
    // A null is a value of the column. Only a member that is not there was not logged.
    if (inner.at_pointer(each.path).error() != simdjson::NO_SUCH_FIELD) continue;
    return Refused{RefusalReason::kMissingField,
                   fmt::format("before of the {} has no {}, which source.format.where reads, so it "
                               "is not known whether the row was an edge; {}",
                               NameOfChange(), each.path, kFullRows)};
  }
  return std::nullopt;
}

}  // namespace sash
