#include <fmt/format.h>

#include <charconv>
#include <system_error>
#include <utility>
#include <variant>

#include "connectors/codec/envelope_field.h"
#include "daemon/config/label_field_forms.h"
#include "daemon/config/mapped_field_forms.h"
#include "daemon/config/mapping_keys.h"
#include "daemon/config/scalar_text.h"
#include "daemon/config/text_shapes.h"
#include "daemon/config/time_field.h"
#include "daemon/config/yaml_printer.h"

namespace sash {
namespace {

constexpr std::string_view kColumnText = "a column: its name, or its number from 1";

constexpr std::string_view kPlainText =
    "$._-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

constexpr std::string_view kCsvKey = "source.format.csv.source";
constexpr std::string_view kCsvWeight = "source.format.csv.weight";
constexpr std::string_view kCsvTime = "source.format.csv.time";
constexpr std::string_view kCsvOperation = "source.format.csv.operation";
constexpr std::string_view kCsvRange =
    "a column by name, 1 to 1000000, a field such as $key, or a mapping";

// Unquoted digits are a number, and unquoted text with a $ is a field beside the row; everything
// else is a name.
Result<CsvColumn> ParseColumn(std::string_view text, bool quoted) {
  if (text.empty()) return Wrong(fmt::format("must not be empty; give {}", kColumnText));
  if (!quoted && IsEnvelopeText(text)) {
    const Result<EnvelopeField> field = ParseEnvelopeField(text);
    if (!field.ok()) return Wrong(field.error().message + "; in quotes it is a name");
    if (field.value().pointer) {
      return Wrong(
          fmt::format("`{}` is a field of a key that is JSON, which a mapping of CSV cannot read; "
                      "give $key, or json in place of csv",
                      text));
    }
    // It is printed without quotes.
    if (text.find_first_not_of(kPlainText) != std::string_view::npos) {
      return Wrong(
          fmt::format("`{}` has other characters than letters, digits and ._-; a mapping of CSV "
                      "cannot read such a header",
                      text));
    }
    return CsvColumn(EnvelopeName(std::string(text)));
  }
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

bool ReadColumnAt(const Place& place, std::string_view key, CsvContext& context, CsvColumn& column,
                  ErrorList& errors) {
  const bool read = ReadAt(
      place, column, kColumnText,
      [&](std::string_view text) { return ParseColumn(text, place.node->quoted); }, errors);
  if (!read) return false;
  if (std::holds_alternative<EnvelopeName>(column)) return true;
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

std::string ColumnText(const CsvColumn& column) {
  if (const auto* beside = std::get_if<EnvelopeName>(&column)) return beside->text;
  const auto* number = std::get_if<std::uint32_t>(&column);
  return number != nullptr ? std::to_string(*number) : Quote(std::get<std::string>(column));
}

// As editors read YAML: a number with or without sign, fraction and exponent.
bool IsNumber(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.find_first_of("0123456789.") != 0) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

struct ColumnSyntax {
  using Field = CsvColumn;
  using Context = CsvContext;
  static constexpr std::string_view kNeed = kColumnText;

  static bool Read(const Place& place, std::string_view key, CsvContext& context, CsvColumn& column,
                   ErrorList& errors) {
    return ReadColumnAt(place, key, context, column, errors);
  }
  static std::string ToYaml(const CsvColumn& column) { return ColumnText(column); }
  static Text Item() { return {"", kAnything, "a column"}; }
  static std::vector<Shape> Shapes() {
    return {Text{"", Text::Bare::kTruth, "a column by name"}, WholeNumber{1, 1'000'000}};
  }
  static bool IsField(const Place& place) {
    return !place.node->quoted && place.node->text.starts_with('$');
  }
  // A column would be taken for a word.
  static Result<std::string> ParseWord(const Place& place, std::string_view text) {
    const bool is_number = !place.node->quoted && IsNumber(text);
    if (!is_number && !text.starts_with('/')) return ParseTypeWord(text);
    return Wrong(
        fmt::format("`{}` is not a word; a column is given as {{from: 3}} or {{from: "
                    "kind}}, and a number that is the type itself in quotes",
                    text));
  }
  static Text Type() { return {R"(^(?!/)[^\u0000-\u001f]{1,255}$)", Text::Bare::kTruth, "a word"}; }
};

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

}  // namespace

const KeyRows<CsvMapping, CsvContext>& CsvRows() {
  using Key = KeyRow<CsvMapping, CsvContext>;
  using Syntax = ColumnSyntax;
  static const KeyRows<CsvMapping, CsvContext> rows = {
      KeyFieldRow<Syntax>("source", kCsvKey, &CsvMapping::source, &CsvMapping::source_parts,
                          "The column of the source vertex, or {from, join, prefix, ...}.",
                          kCsvRange),
      KeyFieldRow<Syntax>("target", kCsvKey, &CsvMapping::target, &CsvMapping::target_parts,
                          "The column of the target vertex, in the same forms.", kCsvRange),
      SetFieldRow<Syntax>("weight", kCsvWeight, &CsvMapping::weight, &CsvMapping::weight_text,
                          WeightSpellingRows(), CheckWeightSpelling,
                          "The column of the weight, or {from, decimal, ...}. Without it every "
                          "edge weighs 1.",
                          kCsvRange),
      TimeFieldRow<Syntax, CsvMapping>(
          kCsvTime, "The column of the event time, or {from, join, format, ...}.", kCsvRange),
      SetFieldRow<Syntax>("operation", kCsvOperation, &CsvMapping::operation,
                          &CsvMapping::operation_words, OperationWordsRows(), CheckOperationWords,
                          "The column of add, remove or remove_vertex, or {from, add, remove, ...} "
                          "with other words. Without it every event is an add.",
                          kCsvRange),
      Key("direction", &CsvMapping::both_directions, DirectionForm(), kDirectionAbout)
          .Default("forward"),
      TypeFieldRow<Syntax, CsvMapping>(
          kCsvKey,
          "The type of the edge, for windows[].types: a word such as paid, or its column as {from: "
          "COLUMN, ...}. A type has at most 255 bytes. If it is absent, the edge has none."),
      IdFieldRow<Syntax, CsvMapping>(kCsvKey, kIdAbout, kCsvRange),
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

ReadEdges ReadCsvMapping(const Section& csv, const Section& around, FormatSpec& format) {
  CsvContext context;
  CsvMapping& mapping = format.mapping.emplace<CsvMapping>();
  ReadRows(csv, CsvRows(), mapping, context);
  CheckMultiline(csv, mapping);
  if (around.Has("edges")) {
    around.Fail("edges",
                "works with json; a row of csv gives one edge, or with `direction: both` "
                "one in each direction");
  }
  const bool says_how = ReadLongTimeOf<ColumnSyntax>(csv, kCsvTime, context, format, mapping);
  return {{csv}, csv.Has("time"), says_how};
}

std::vector<SectionSpec> CsvSections() {
  std::vector<SectionSpec> sections = MappedFieldSections(
      kCsvKey, kCsvWeight, kCsvOperation, ColumnSyntax::Shapes(), ColumnSyntax::Item());
  sections.push_back(LongTimeSection(kCsvTime, ColumnSyntax::Shapes(), ColumnSyntax::Item()));
  sections.push_back(SectionFrom("source.format.csv", CsvRows()));
  return sections;
}

}  // namespace sash
