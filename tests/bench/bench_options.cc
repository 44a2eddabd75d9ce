#include "tests/bench/bench_options.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace sash::bench {
namespace {

template <typename T>
Status Read(std::string_view name, std::string_view text, T least, T most, T& into) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is \"{}\"; it must be {} to {}", name, text, least, most)};
  }
  into = value;
  return Ok();
}

Status ReadGraph(std::string_view text, GraphShape& into) {
  if (text != "rmat" && text != "uniform") {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("--graph is \"{}\"; it must be rmat or uniform", text)};
  }
  into = text == "rmat" ? GraphShape::kRmat : GraphShape::kUniform;
  return Ok();
}

Status ReadValue(std::string_view name, std::string_view text, BenchOptions& options) {
  constexpr std::uint64_t kAnySeed = ~std::uint64_t{0};
  if (name == "--graph") return ReadGraph(text, options.graph);
  if (name == "--scale") return Read(name, text, 8, 26, options.scale);
  if (name == "--edges") {
    return Read(name, text, kMostSlices, std::size_t{1} << 30, options.edges);
  }
  if (name == "--seed") return Read(name, text, std::uint64_t{0}, kAnySeed, options.seed);
  if (name == "--repetitions") return Read(name, text, 1, 1000, options.repetitions);
  if (name == "--threads") return Read(name, text, 1, 1024, options.threads);
  if (name == "--only") {
    options.only = text;
    return Ok();
  }
  if (name == "--json") {
    options.json_path = text;
    return Ok();
  }
  return Error{ErrorCode::kInvalidArgument, fmt::format("{} is not an option; see --help", name)};
}

}  // namespace

Result<BenchOptions> ParseBenchOptions(std::span<char* const> arguments) {
  BenchOptions options;
  for (const std::string_view argument : arguments) {
    if (argument != "--quick") continue;
    options.quick = true;
    options.scale = 12;
    options.edges = 60'000;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    if (name == "--quick") continue;
    if (name == "--help") {
      options.help = true;
      continue;
    }
    if (!name.starts_with("--")) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{} is not an option; see --help", name)};
    }
    if (i + 1 == arguments.size()) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("{} needs a value", name)};
    }
    const Status read = ReadValue(name, arguments[++i], options);
    if (!read.ok()) return read.error();
  }
  return options;
}

std::string BenchUsage() {
  const BenchOptions defaults;
  return fmt::format(
      "usage: sash_bench [options]\n"
      "  --quick            a small graph, seconds in all; later options still count\n"
      "  --graph SHAPE      rmat or uniform (default: rmat)\n"
      "  --scale N          2^N vertex numbers (default: {})\n"
      "  --edges N          edges visible in the compared windows (default: {})\n"
      "  --seed N           of the graph and of the BFS sources (default: {})\n"
      "  --repetitions N    of every measurement (default: {})\n"
      "  --threads N        of the kernels (default: all the cores)\n"
      "  --only TEXT        the benchmarks whose name holds TEXT\n"
      "  --json FILE        also write the rows as JSON\n",
      defaults.scale, defaults.edges, defaults.seed, defaults.repetitions);
}

}  // namespace sash::bench
