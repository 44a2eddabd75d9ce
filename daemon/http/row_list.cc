#include "daemon/http/row_list.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "connectors/sinks/json_text.h"
#include "connectors/sinks/time_text.h"
#include "daemon/http/json_response.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

// The text with a ? for each byte that is not printable ASCII, as a header needs it.
std::string HeaderText(std::string text) {
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

}  // namespace

RowList RowsOfArray(Json array, std::vector<std::string> columns) {
  const auto items = std::make_shared<const Json>(std::move(array));
  return {.columns = std::move(columns),
          .rows = items->size(),
          .write = [items](std::size_t i, JsonText& to) { to.Raw(SerializedJson((*items)[i])); }};
}

std::vector<std::string> MemberNames(const Json& object) {
  std::vector<std::string> names;
  for (const auto& member : object.items()) names.push_back(member.key());
  return names;
}

RowMeasure RowsWithin(const RowList& list, std::size_t bytes) {
  RowMeasure measure;
  for (std::size_t made = 0; measure.rows < list.rows && made < bytes; ++measure.rows) {
    JsonText row;
    list.write(measure.rows, row);
    made += row.text().size() + 1;
    measure.lost_numbers += row.lost_numbers();
  }
  return measure;
}

LargeAnswers::Source RowSource(RowList list, ListFormat format) {
  struct State {
    RowList list;
    std::size_t next = 0;
  };
  const auto state = std::make_shared<State>(State{std::move(list)});
  return [state, format, begun = false](std::string& to, std::size_t bytes) mutable {
    const RowList& rows = state->list;
    const std::size_t begin = to.size();
    if (format == ListFormat::kCsv && !std::exchange(begun, true)) AddCsvHeader(rows.columns, to);
    while (state->next < rows.rows && to.size() - begin < bytes) {
      const std::string row = RowText(rows, state->next++);
      if (format == ListFormat::kCsv) {
        AddCsvRow(row, rows.columns, to);
      } else {
        to += row + "\n";
      }
    }
    return state->next < rows.rows;
  };
}

HttpResponse WholeRows(RowList list, ListFormat format) {
  HttpResponse answer{.content_type = std::string(ContentTypeOf(format)), .tagged = true};
  LargeAnswers::Source source = RowSource(std::move(list), format);
  while (source(answer.body, LargeAnswers::kPiece)) {
  }
  return answer;
}

HttpResponse ArrayAnswer(Json array, std::vector<std::string> columns, ListFormat format) {
  HttpResponse answer = format == ListFormat::kJson
                            ? TaggedJsonResponse(array)
                            : WholeRows(RowsOfArray(std::move(array), std::move(columns)), format);
  answer.varies = true;
  return answer;
}

HttpResponse ListedPage(const HttpRequest& request, PageLimits limits, std::size_t size,
                        const std::function<Json(std::size_t)>& row,
                        std::vector<std::string> columns) {
  const Result<Page> page = RequestedPage(request, limits);
  if (!page) return BadRequest(page.error().message);
  const FormatChoice choice = ChosenFormat(request);
  if (choice.refusal) return *choice.refusal;
  const std::size_t end = page.value().end(size);
  Json json = Json::array();
  for (std::size_t i = page.value().begin(size); i < end; ++i) json.push_back(row(i));
  HttpResponse response = ArrayAnswer(std::move(json), std::move(columns), choice.format);
  if (page.value().has_next(size)) LinkNext(response, request, "offset", end);
  return response;
}

void AddRowHeaders(const RowHeaders& about, HttpResponse& answer) {
  answer.headers.emplace_back("Sash-Rows", std::to_string(about.available));
  if (about.truncated) answer.headers.emplace_back("Sash-Truncated", "true");
  if (!about.error.empty()) answer.headers.emplace_back("Sash-Error", HeaderText(about.error));
}

HttpResponse WholeRows(const RowList& list, RowHeaders about, ListFormat format) {
  const std::uint64_t lost = RowsWithin(list, JsonPieces::kUnlimited).lost_numbers;
  if (lost > 0) about.error = LostNumbersText(lost);
  HttpResponse answer = WholeRows(list, format);
  AddRowHeaders(about, answer);
  return answer;
}

void AddResultHeaders(const Provenance& about, HttpResponse& answer) {
  answer.headers.emplace_back("Sash-Snapshot", std::to_string(about.snapshot.value));
  answer.headers.emplace_back("Sash-Window-End", TimeText(about.window_end));
  if (!about.is_final()) answer.headers.emplace_back("Sash-Final", "false");
}

HttpResponse ResultRowsAnswer(RowList list, ListFormat format, const RowHeaders& about,
                              const Provenance& provenance, const LargeAnswers& answers) {
  HttpResponse answer = answers.Answer(RowSource(std::move(list), format));
  if (answer.status != 200) return answer;
  answer.content_type = ContentTypeOf(format);
  AddRowHeaders(about, answer);
  AddResultHeaders(provenance, answer);
  return answer;
}

}  // namespace sash
