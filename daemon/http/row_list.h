// Answers with the rows of a list (connectors/sinks/row_list.h), as CSV or JSON Lines.
//
// Thread safety: pure functions; a row list belongs to its answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "connectors/sinks/row_list.h"
#include "daemon/http/large_answer.h"
#include "daemon/http/list_format.h"
#include "daemon/http/page.h"
#include "windows/jobs/advance.h"

namespace sash {

RowList RowsOfArray(nlohmann::ordered_json array, std::vector<std::string> columns);

// The names of the members of an object.
std::vector<std::string> MemberNames(const nlohmann::ordered_json& object);

struct RowMeasure {
  std::size_t rows = 0;            // the first rows that fit, in JSON
  std::uint64_t lost_numbers = 0;  // in them: numbers without a value in JSON
};
RowMeasure RowsWithin(const RowList& list, std::size_t bytes);

// `format` is kCsv or kJsonLines.
LargeAnswers::Source RowSource(RowList list, ListFormat format);
HttpResponse WholeRows(RowList list, ListFormat format);

// An answer with an array: in JSON, or as rows.
HttpResponse ArrayAnswer(nlohmann::ordered_json array, std::vector<std::string> columns,
                         ListFormat format);

// Answers with a page of a list that is at hand as a whole. The request chooses the page and the
// format. The list has `size` rows with these columns; row(i) is called for those of the page.
HttpResponse ListedPage(const HttpRequest& request, PageLimits limits, std::size_t size,
                        const std::function<nlohmann::ordered_json(std::size_t)>& row,
                        std::vector<std::string> columns);

// Says in headers what JSON says in members beside the rows.
struct RowHeaders {
  std::uint64_t available = 0;  // rows that exist
  bool truncated = false;       // the answer has fewer rows than it should
  std::string error{};
};
void AddRowHeaders(const RowHeaders& about, HttpResponse& answer);

// All rows, with the content of `about` in headers; Sash-Error also counts numbers that were lost.
// Makes each row twice.
HttpResponse WholeRows(const RowList& list, RowHeaders about, ListFormat format);

// Which window a result is on and, in a result of a live job, that it is not final, in headers.
void AddResultHeaders(const Provenance& about, HttpResponse& answer);

// The rows of a result or of a diff, streamed, with `about` and the provenance in headers.
// Another status than 200 when there is no room for the answer.
HttpResponse ResultRowsAnswer(RowList list, ListFormat format, const RowHeaders& about,
                              const Provenance& provenance, const LargeAnswers& answers);

}  // namespace sash
