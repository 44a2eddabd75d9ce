// PluginAnswer: what a plug-in gives in one run, checked. Nothing that a plug-in gives is believed:
// a count is compared with the ids, a number with its range, an id with the window.
//
// Thread safety: a value, which its owner guards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windows/base/ids.h"
#include "windows/jobs/plugin/plugin_kernel.h"
#include "windows/store/window_view.h"

namespace sash {

struct PluginAnswer {
  bool is_given = false;
  std::vector<double> scores{};  // by id; NaN: the vertex has none
  std::vector<std::uint32_t> sets{};
  std::vector<std::int32_t> depths{};
  std::vector<std::pair<VertexId, VertexId>> edges{};
  std::vector<std::optional<double>> figures{};  // in the order of PluginKernel::figures
};

// What is wrong; nothing: it was taken.
using PluginComplaint = std::optional<std::string>;

// The parts of an answer, as a plug-in gives them to sash_run::put_...(). A pointer may be null.
class PluginAnswerReader {
 public:
  // Both outlive the object.
  PluginAnswerReader(const PluginKernel& kernel, const WindowView& view)
      : kernel_(kernel), view_(view) {
    answer_.figures.resize(kernel.figures.size());
  }

  PluginComplaint TakeScores(const double* scores, const std::uint8_t* has, std::size_t count);
  PluginComplaint TakeSets(const std::uint32_t* sets, std::size_t count);
  PluginComplaint TakeDepths(const std::int32_t* depths, std::size_t count);
  PluginComplaint TakeEdges(const sash_id* sources, const sash_id* targets, std::size_t count);
  PluginComplaint TakeFigure(const char* name, double value);

  bool is_given() const { return answer_.is_given; }
  PluginAnswer Take() { return std::move(answer_); }

 private:
  // An answer of this kind may come now, with a value for each id.
  PluginComplaint WhyNot(std::uint32_t output, const void* values, std::size_t count) const;
  PluginComplaint WhyNotNow(std::uint32_t output) const;

  const PluginKernel& kernel_;
  const WindowView& view_;
  PluginAnswer answer_;
};

}  // namespace sash
