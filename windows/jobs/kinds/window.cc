#include "windows/jobs/kinds/window.h"

#include "windows/base/finite_weight.h"
#include "windows/jobs/kernel_run.h"
#include "windows/jobs/result_error.h"
#include "windows/jobs/result_table.h"
#include "windows/kernels/shape.h"

namespace sash {

JobTraits TraitsOf(const ShapeParameters&) {
  return {.edge_bytes = 1,
          .id_bytes = 8,
          .leaves_edges_on_disk = true,
          .rows = JobTraits::Rows::kNone,
          .lists = 0,
          .is_one_list = false,
          .row_bytes = 0};
}

KernelRun RunKernel(const ShapeParameters&, const RunSetting& setting) {
  const ShapeResult shape = VisitView(setting.view, [&](const auto& graph) {
    return Shape(graph, setting.job.threads, setting.progress);
  });
  return {.output = ShapeOutput{shape.pairs, shape.weight, shape.overflowed_edges},
          .cancelled = shape.cancelled};
}

ResultTable Describe(const ShapeParameters&, const RunResult& result) {
  const auto& output = std::get<ShapeOutput>(result.output);
  ResultTable table{.has_edges = true};
  if (output.overflowed_edges > 0) {
    table.error = OverflowedEdgesText(output.overflowed_edges, "the total weight has no value");
  } else if (!IsFinite(output.weight)) {
    table.error = "the total weight is" + std::string(kBeyondDoubles);
  }
  table.figures = {
      {.name = "pairs", .value = output.pairs, .said = ResultFigure::Said::kBeforeName},
      {.name = "weight",
       .value = output.weight,
       .said = table.error.empty() ? ResultFigure::Said::kAfterName : ResultFigure::Said::kNot}};
  return table;
}

}  // namespace sash
