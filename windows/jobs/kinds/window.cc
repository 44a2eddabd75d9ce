#include "windows/jobs/kinds/window.h"

#include "windows/jobs/kernel_run.h"
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

}  // namespace sash
