#include "daemon/http/diff_rows.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "daemon/http/row_list.h"
#include "windows/jobs/result_table.h"

namespace sash {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> ColumnsOf(const ResultList& list) {
  const std::string one(list.one);
  const std::string value(list.value);
  return {"change", one, "rank", value, "rank_before", value + "_before"};
}

}  // namespace

HttpResponse DiffRows(std::string_view diff, const RunResult& now, ListFormat format,
                      const LargeAnswers& answers) {
  const Json json = Json::parse(diff);
  Json rows = Json::array();
  for (const char* change : {"entered", "left", "changed"}) {
    for (const Json& each : json.at(change)) {
      Json row = {{"change", change}};
      row.update(each);
      rows.push_back(std::move(row));
    }
  }
  RowHeaders about{.available = rows.size(), .truncated = json.contains("truncated")};
  if (about.truncated) {
    about.available = 0;
    for (const Json& count : json.at("rows")) about.available += count.get<std::uint64_t>();
  }
  about.error = json.value("error", "");
  const ResultTable table = DescribeResult(now);
  return ResultRowsAnswer(RowsOfArray(std::move(rows), ColumnsOf(table.lists.front())), format,
                          about, now.provenance, answers);
}

}  // namespace sash
