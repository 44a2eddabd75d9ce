// An export of one window to a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/export/frozen/frozen_format.h"
#include "connectors/export/parquet/parquet_format.h"
#include "connectors/export/window_export.h"
#include "tests/connectors/export/shared_folder.h"
#include "tests/connectors/sinks/finished_runs.h"
#include "tests/support/kept_log.h"

namespace sash {

inline const std::vector<testing::NamedEdge> kThree = {
    {"b", "a", Weight::Integer(3), "paid"},
    {"a", "ü", Weight::Real(0.5), ""},
    {"b", "a", Weight::Integer(-1), "logged-in"}};

class WindowExportTest : public ::testing::Test {
 protected:
  WindowExport& Open(ExportSpec spec, bool is_finite = false) {
    spec.path = path_;
    spec.windows = {"last-5m"};
    export_.reset();
    Result<std::unique_ptr<WindowExport>> opened = WindowExport::Open(
        spec, FormatOf(spec),
        {.keys = runs_.keys(),
         .clock = clock_,
         .log = log_,
         .context =
             [](const std::string&) {
               return WindowContext{
                   {.duplicates = DuplicatesPolicy::kDrop, .identity = EdgeIdentity::kPairAndType},
                   {testing::FinishedRuns::Job("ranks", PageRankParameters())}};
             },
         .is_finite = is_finite});
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    export_ = std::move(opened).value();
    return *export_;
  }
  static std::unique_ptr<SnapshotFormat> FormatOf(const ExportSpec& spec) {
    if (spec.kind == ExportKind::kFrozen) return std::make_unique<FrozenFormat>();
    return std::make_unique<ParquetFormat>(ParquetSizes{.page = 64, .group = 256, .part = 1'024});
  }
  AdvancePtr Advance(std::uint64_t snapshot,
                     const std::vector<testing::NamedEdge>& edges = kThree) {
    auto advance = runs_.MakeAdvance(edges, testing::At(300));
    advance->provenance.snapshot = SnapshotId{snapshot};
    advance->ordinal = static_cast<std::int64_t>(snapshot);
    advance->number = snapshot;
    return advance;
  }
  static std::vector<testing::NamedEdge> Chain(std::size_t edges) {
    std::vector<testing::NamedEdge> chain;
    for (std::size_t i = 0; i < edges; ++i) {
      chain.push_back({"v" + std::to_string(i), "v" + std::to_string(i / 2),
                       Weight::Integer(static_cast<std::int64_t>(i * 0x9E3779B97F4A7C15U)), ""});
    }
    return chain;
  }
  // Writes one advance to its end.
  void Write(WindowExport& to, AdvancePtr advance) {
    to.Submit(std::move(advance));
    to.Finish();
  }
  std::optional<HeldSnapshot> Held(WindowExport& from, const AdvancePtr& advance) {
    Result<HeldSnapshot> held = from.Hold(advance, clock_.Steady() + std::chrono::minutes(1), {});
    EXPECT_TRUE(held.ok()) << (held.ok() ? "" : held.error().message);
    if (!held) return std::nullopt;
    return std::move(held).value();
  }
  std::vector<std::string> Snapshots() const { return testing::NamesIn(path_ + "/last-5m"); }
  ExportWindowCounts Counts() const { return export_->Counts().windows.at(0); }

  const testing::SharedFolder scratch_;
  const std::string path_ = scratch_.File("export");
  testing::FinishedRuns runs_;
  SystemClock clock_;
  KeptLog log_;
  std::unique_ptr<WindowExport> export_;
};

}  // namespace sash
