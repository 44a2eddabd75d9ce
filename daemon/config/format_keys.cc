#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/codec/record_filter.h"
#include "daemon/config/key_row.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/sections.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/time_field.h"

namespace sash {
namespace {

constexpr std::string_view kPointerText = "a JSON pointer such as /from";
constexpr std::string_view kWhereText = "a filter such as double(/amount) > 1000.0";
constexpr std::string_view kColumnText = "a column: its name, or its number from 1";

constexpr std::string_view kJsonTime = "source.format.json.time";
constexpr std::string_view kCsvTime = "source.format.csv.time";
constexpr std::string_view kTimeDefault = "none, but needed by `from: field`";

TextForm PointerForm() {
  return {{R"(^(/([^~]|~[01])*)?$)", kNothing, kPointerText}, kPointerText, ParseJsonPointer};
}

// ReadFormat() reads the long form, because it has keys of the format.
struct JsonTimeForm {
  TextForm pointer;

  std::vector<Shape> Shapes() const { return {pointer.text, SectionShape{kJsonTime}}; }
  void Read(const Section& json, const KeySpec& key, JsonMapping& mapping) const {
    if (!HasLongTime(json)) pointer.Read(json, key, mapping.time);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const JsonMapping& mapping) const {
    if (mapping.time_rest.more.empty()) return pointer.Print(out, depth, key, mapping.time);
    std::vector<std::string> fields = mapping.time_rest.more;
    fields.insert(fields.begin(), *mapping.time);
    std::string list;
    for (const std::string& field : fields) list += (list.empty() ? "" : ", ") + Quote(field);
    out.Line(depth, key.name, LongTimeText(list, mapping.time_rest.separator));
  }
  bool Same(const JsonMapping& a, const JsonMapping& b) const {
    return a.time == b.time && a.time_rest == b.time_rest;
  }
};

const KeyRows<JsonMapping>& JsonRows() {
  using Key = KeyRow<JsonMapping>;
  const TextForm pointer = PointerForm();
  static const KeyRows<JsonMapping> rows = {
      Key("source", &JsonMapping::source, pointer, "Where the source vertex is.", kRequired),
      Key("target", &JsonMapping::target, pointer, "Where the target vertex is.", kRequired),
      Key("weight", &JsonMapping::weight, pointer,
          "Where the weight is. Without it every edge weighs 1."),
      Key("time", kWhole, JsonTimeForm{pointer},
          "Where the event time is: a field, or {from, join, format, ...}.")
          .Default(kTimeDefault)
          .Range("a JSON pointer such as /from, or a mapping"),
      Key("operation", &JsonMapping::operation, pointer,
          "Where add, remove or remove_vertex is. Without it every event is an add."),
  };
  return rows;
}

// Unquoted digits are a number; everything else is a name.
Result<CsvColumn> ParseColumn(std::string_view text, bool quoted) {
  if (text.empty()) return Wrong(fmt::format("must not be empty; give {}", kColumnText));
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (quoted || digits.empty() ||
      digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return CsvColumn(std::string(text));
  }
  const Result<std::int64_t> number = IntegerBetween{1, 1'000'000}(text);
  if (!number) {
    return Wrong(fmt::format("{}; columns are numbered from 1 (in quotes it is a name)",
                             number.error().message));
  }
  return CsvColumn(static_cast<std::uint32_t>(number.value()));
}

// The first column that is read decides whether all columns are names or numbers.
struct CsvContext {
  struct First {
    std::string_view key;
    bool is_number;
  };
  std::optional<First> first;
};

bool ReadColumnAt(const Place& place, std::string_view key, CsvContext& context, CsvColumn& column,
                  ErrorList& errors) {
  const bool read = ReadAt(
      place, column, kColumnText,
      [&](std::string_view text) { return ParseColumn(text, place.node->quoted); }, errors);
  if (!read) return false;
  const bool is_number = column.index() == 0;
  if (!context.first) context.first = {key, is_number};
  const auto& first = *context.first;
  if (is_number != first.is_number) {
    errors.Add(
        place,
        fmt::format("is a {} but `{}` is a {}; give all columns by name (the first row "
                    "is a header) or all by number (there is none)",
                    is_number ? "number" : "name", first.key, first.is_number ? "number" : "name"));
  }
  return true;
}

bool ReadColumn(const Section& csv, const KeySpec& key, CsvContext& context, CsvColumn& column) {
  if (!csv.Has(key.name)) {
    if (key.presence == kRequired) csv.FailMissing(key.name, fmt::format("give {}", kColumnText));
    return false;
  }
  return ReadColumnAt(csv.At(key.name), key.name, context, column, csv.errors());
}

std::string ColumnText(const CsvColumn& column) {
  const auto* number = std::get_if<std::uint32_t>(&column);
  return number != nullptr ? std::to_string(*number) : Quote(std::get<std::string>(column));
}

struct ColumnForm {
  std::vector<Shape> Shapes() const {
    return {Text{"", Text::Bare::kTruth, "a column by name"}, WholeNumber{1, 1'000'000}};
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const CsvColumn& column) const {
    out.Line(depth, key.name, ColumnText(column));
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::optional<CsvColumn>& column) const {
    if (column) Print(out, depth, key, *column);
  }
};

template <typename Column>
KeyRow<CsvMapping, CsvContext> ColumnRow(std::string_view name, Column CsvMapping::*member,
                                         std::string_view about, Presence presence = kOptional) {
  const KeySpec key{name, ColumnForm().Shapes(), about, presence};
  return {key,
          [key, member](const Section& csv, CsvMapping& mapping, CsvContext& context) {
            CsvColumn column;
            if (ReadColumn(csv, key, context, column)) mapping.*member = column;
          },
          [key, member](YamlPrinter& out, int depth, const CsvMapping& mapping) {
            ColumnForm().Print(out, depth, key, mapping.*member);
          },
          [member](const CsvMapping& a, const CsvMapping& b) { return a.*member == b.*member; }};
}

// As for JSON: ReadFormat() reads the long form.
KeyRow<CsvMapping, CsvContext> CsvTimeRow() {
  std::vector<Shape> shapes = ColumnForm().Shapes();
  shapes.push_back(SectionShape{kCsvTime});
  const KeySpec key{.name = "time",
                    .shapes = std::move(shapes),
                    .about = "The column of the event time, or {from, join, format, ...}.",
                    .default_text = kTimeDefault,
                    .range_text = "a column by name, 1 to 1000000, or a mapping"};
  return {key,
          [key](const Section& csv, CsvMapping& mapping, CsvContext& context) {
            CsvColumn column;
            if (HasLongTime(csv)) return;
            if (ReadColumn(csv, key, context, column)) mapping.time = column;
          },
          [key](YamlPrinter& out, int depth, const CsvMapping& mapping) {
            if (mapping.time_rest.more.empty()) {
              return ColumnForm().Print(out, depth, key, mapping.time);
            }
            std::string list = ColumnText(*mapping.time);
            for (const CsvColumn& column : mapping.time_rest.more)
              list += ", " + ColumnText(column);
            out.Line(depth, key.name, LongTimeText(list, mapping.time_rest.separator));
          },
          [](const CsvMapping& a, const CsvMapping& b) {
            return a.time == b.time && a.time_rest == b.time_rest;
          }};
}

Result<char> ParseDelimiter(std::string_view text) {
  if (text == "tab") return '\t';
  if (text == "blanks") return kBlanks;
  const bool one = text.size() == 1 && static_cast<unsigned char>(text.front()) < 0x80;
  if (!one || text == "\"" || text == "\r" || text == "\n") {
    return Wrong(
        fmt::format("`{}` cannot separate fields; give one ASCII character other than a "
                    "quote or a line break, such as \",\" or \";\", or the word tab, or "
                    "blanks for runs of blanks and tabs",
                    text));
  }
  return text.front();
}

struct DelimiterForm {
  std::vector<Shape> Shapes() const {
    return {Text{R"(^([\u0001-\u0009\u000b\u000c\u000e-!#-\u007f]|tab|blanks)$)", kNothing,
                 "one ASCII character other than a quote or a line break, or tab or blanks"},
            WholeNumber{0, 9}};
  }
  void Read(const Section& csv, const KeySpec& key, char& delimiter) const {
    csv.Read(key.name, delimiter, "one character, such as \",\"", ParseDelimiter);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, char delimiter) const {
    out.Line(depth, key.name,
             delimiter == kBlanks ? "blanks" : Quote(std::string_view(&delimiter, 1)));
  }
};

struct QuoteForm : OneOf<bool> {
  QuoteForm() : OneOf<bool>{{"\"", true}, {"none", false}} {}
  void Print(YamlPrinter& out, int depth, const KeySpec& key, bool quotes) const {
    out.Line(depth, key.name, quotes ? Quote("\"") : "none");
  }
};

Result<std::string> ParseComment(std::string_view text) {
  if (text.empty() || text.find_first_of("\r\n") != std::string_view::npos) {
    return Wrong("must be the text with which comments begin, on one line, such as \"#\"");
  }
  return std::string(text);
}

// Quotes allow a field to span lines; without them, the key that allows more has no effect.
void CheckMultiline(const Section& csv, const CsvMapping& mapping) {
  if (!mapping.multiline || (mapping.quotes && mapping.delimiter != kBlanks)) return;
  csv.Fail("multiline", fmt::format("is true, but with `{}` every line is a row; leave it out",
                                    mapping.quotes ? "delimiter: blanks" : "quote: none"));
}

const KeyRows<CsvMapping, CsvContext>& CsvRows() {
  using Key = KeyRow<CsvMapping, CsvContext>;
  static const KeyRows<CsvMapping, CsvContext> rows = {
      ColumnRow("source", &CsvMapping::source, "The column of the source vertex.", kRequired),
      ColumnRow("target", &CsvMapping::target, "The column of the target vertex.", kRequired),
      ColumnRow("weight", &CsvMapping::weight,
                "The column of the weight. Without it every edge weighs 1."),
      CsvTimeRow(),
      ColumnRow("operation", &CsvMapping::operation,
                "The column of add, remove or remove_vertex. Without it every event is an add."),
      Key("delimiter", &CsvMapping::delimiter, DelimiterForm{},
          "What separates fields. blanks: a run of blanks and tabs; those around the row separate "
          "nothing.")
          .Default("\",\"")
          .Range("one ASCII character other than a quote or a line break, or tab or blanks"),
      Key("multiline", &CsvMapping::multiline, Flag{},
          "In a file, a quoted field may contain line breaks only if it is not mapped and its "
          "lines do not look like rows. Any other row of several lines is cut to its first line, "
          "which is refused. So a stray quote costs one row. true: every quoted field may contain "
          "line breaks (RFC 4180). In Kafka every record is one row, whatever this value."),
      Key("quote", &CsvMapping::quotes, QuoteForm(),
          "Whether fields may be in quotes. none: a quote is an ordinary character (Zeek, SNAP, "
          "most "
          "TSV).")
          .Default("'\"'"),
      Key("comment", &CsvMapping::comment,
          TextForm{{R"(^[^\r\n]+(?![\s\S]))", kAnything, "the beginning of comments, such as #"},
                   "the text with which comments begin, in quotes, such as \"#\"",
                   ParseComment},
          "Lines of a file that begin with this text are skipped. In Kafka such a record is "
          "refused.")
          .Range("any text of one line"),
      Key("skip_rows", &CsvMapping::skip_rows, WholeNumber{0, 1'000'000},
          "How many lines at the beginning of a file are not read, whatever they contain. The "
          "header "
          "follows them."),
  };
  return rows;
}

// Texts that mean "no value".
struct NullsForm {
  std::vector<Shape> Shapes() const {
    return {Items{Text{R"(^[\s\S]*)", kAnything, "a text, in quotes"}}};
  }
  void Read(const Section& format, const KeySpec& key, std::vector<std::string>& nulls) const {
    for (const Place& item : format.Items(key.name, "a list of texts")) {
      std::string word;
      const auto parse = [&](std::string_view text) -> Result<std::string> {
        if (std::ranges::find(nulls, text) == nulls.end()) return std::string(text);
        return Wrong(fmt::format("`{}` is listed twice; keep one", text));
      };
      if (ReadAt(item, word, "the text in quotes, such as \"\" or \"NULL\",", parse,
                 format.errors())) {
        nulls.push_back(word);
      }
    }
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::vector<std::string>& nulls) const {
    out.Line(depth, key.name, QuoteAll(nulls));
  }
};

// ReadFormat() reads the mapping, because exactly one kind must be present.
template <typename Mapping, typename Context>
KeyRow<FormatSpec> MappingRow(std::string_view name, std::string_view section,
                              const KeyRows<Mapping, Context>& rows, std::string_view about) {
  return {{name, {SectionShape{section}}, about},
          nullptr,
          [name, &rows](YamlPrinter& out, int depth, const FormatSpec& format) {
            const auto* mapping = std::get_if<Mapping>(&format.mapping);
            if (mapping == nullptr) return;
            out.Line(depth, name);
            PrintRows(out, depth + 1, rows, *mapping);
          },
          [&rows](const FormatSpec& a, const FormatSpec& b) {
            const auto* left = std::get_if<Mapping>(&a.mapping);
            const auto* right = std::get_if<Mapping>(&b.mapping);
            if (left == nullptr || right == nullptr) return left == right;
            return SameRows(rows, *left, *right);
          }};
}

}  // namespace

const KeyRows<FormatSpec>& FormatRows() {
  using Key = KeyRow<FormatSpec>;
  static const KeyRows<FormatSpec> rows = {
      MappingRow("json", "source.format.json", JsonRows(),
                 "Fields of a JSON object, as JSON pointers (RFC 6901): \"\" or /a/b, with ~0 for "
                 "~ and ~1 for /."),
      MappingRow(
          "csv", "source.format.csv", CsvRows(),
          "Instead of json: columns of CSV (RFC 4180), all by name (the first row is the header) "
          "or all by number (from 1; there is no header). A number in quotes is a name."),
      Key("keys", &FormatSpec::keys,
          OneOf<KeyKind>{{"string", KeyKind::kString}, {"integer", KeyKind::kInteger}},
          "Whether vertex keys are text or 64-bit integers."),
      Key("where", &FormatSpec::where,
          TextForm{{"", Text::Bare::kTruth, kWhereText}, kWhereText, ParseNonEmpty},
          "Which records become edges: a filter over the fields of the record "
          "(connectors/codec/filter/README.md). The other records are counted, and move the time "
          "of "
          "their partition. A record for which the filter has no value is refused.")
          .Default("none")
          .Range("a filter"),
      Key("tombstone", &FormatSpec::tombstone,
          OneOf<TombstonePolicy>{{"ignore", TombstonePolicy::kIgnore},
                                 {"remove", TombstonePolicy::kRemove},
                                 {"dead_letter", TombstonePolicy::kDeadLetter}},
          "What happens with a record without a value. ignore: it is only counted; remove: it "
          "removes the edge that its key names; dead_letter: it goes to dead letters."),
      Key("nulls", &FormatSpec::nulls, NullsForm{},
          "Texts of mapped fields that mean `no value`, byte by byte. Then the weight is 1, the "
          "operation add, and a record whose time or needed key is absent is refused. An empty key "
          "is always refused.")
          .Default("[]")
          .Range("any texts, each once"),
  };
  return rows;
}

std::vector<SectionSpec> FormatSections() {
  return {SectionFrom("source.format", FormatRows(), {"json", "csv"}),
          SectionFrom("source.format.json", JsonRows()),
          LongTimeSection(kJsonTime, {PointerForm().text}, PointerForm().text),
          LongTimeSection(kCsvTime, ColumnForm().Shapes(), Text{"", kAnything, "a column"}),
          SectionFrom("source.format.csv", CsvRows())};
}

ReadFormatResult ReadFormat(const Section& source) {
  ReadFormatResult result;
  FormatSpec& spec = result.spec;
  if (!source.Has("format")) {
    source.FailMissing("format",
                       "give json: {source: /from, target: /to} or csv: {source: 1, "
                       "target: 2}");
  } else {
    const Section format = source.Child("format", "source.format");
    const auto form = format.ExactlyOne(
        {"json", "csv"}, "json: {source: /from, target: /to} or csv: {source: 1, target: 2}");
    if (form == "json") {
      const Section json = format.Child("json", "source.format.json");
      result.maps_time = json.Has("time");
      auto& mapping = spec.mapping.emplace<JsonMapping>();
      ReadRows(json, JsonRows(), mapping);
      if (HasLongTime(json)) {
        LongTime time = ReadLongTime(json, kJsonTime, spec);
        std::vector<std::string> fields;
        for (const Place& place : time.fields) {
          ReadAt(place, fields.emplace_back(), kPointerText, ParseJsonPointer, json.errors());
        }
        TakeTimeFields(std::move(fields), std::move(time.separator), mapping);
        result.says_how = time.says_how;
      }
    } else if (form == "csv") {
      const Section csv = format.Child("csv", "source.format.csv");
      result.maps_time = csv.Has("time");
      CsvContext context;
      CsvMapping& mapping = spec.mapping.emplace<CsvMapping>();
      ReadRows(csv, CsvRows(), mapping, context);
      CheckMultiline(csv, mapping);
      if (HasLongTime(csv)) {
        LongTime time = ReadLongTime(csv, kCsvTime, spec);
        std::vector<CsvColumn> columns;
        for (const Place& place : time.fields) {
          ReadColumnAt(place, "time.from", context, columns.emplace_back(), csv.errors());
        }
        TakeTimeFields(std::move(columns), std::move(time.separator), mapping);
        result.says_how = time.says_how;
      }
    }
    ReadRows(format, FormatRows(), spec);
    const Result<std::optional<RecordFilter>> filter = RecordFilter::Make(spec);
    if (form && !filter.ok()) format.Fail("where", filter.error().message);
  }
  return result;
}

}  // namespace sash
