#include "daemon/plugins/answer_stream.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace sash {
namespace {

constexpr const char* kGarbage =
    "its process wrote bytes that are not an answer: the plug-in has overwritten its memory, or "
    "writes to "
    "a descriptor that it did not open";

template <typename Element>
std::vector<Element> ElementsIn(std::string_view content) {
  std::vector<Element> elements(content.size() / sizeof(Element));
  if (elements.empty()) return elements;  // memcpy takes no null
  std::memcpy(elements.data(), content.data(), elements.size() * sizeof(Element));
  return elements;
}

template <typename Element>
Element ElementIn(std::string_view content) {
  Element element{};
  std::memcpy(&element, content.data(), sizeof(element));
  return element;
}

FrameKind FrameOf(std::uint32_t output) {
  switch (output) {
    case SASH_SETS:
      return FrameKind::kSets;
    case SASH_DEPTHS:
      return FrameKind::kDepths;
    case SASH_EDGES:
      return FrameKind::kEdges;
    default:
      return FrameKind::kScores;
  }
}

// Values by place, as values by id.
template <typename Element>
std::vector<Element> ById(std::span<const VertexId> vertices, std::size_t limit,
                          const std::vector<Element>& by_place) {
  std::vector<Element> by_id(limit, Element{});
  for (std::size_t place = 0; place < vertices.size(); ++place) {
    by_id[vertices[place]] = by_place[place];
  }
  return by_id;
}

// The ids of places; nothing if one is beyond the vertices.
std::optional<std::vector<VertexId>> IdsOf(std::span<const VertexId> vertices,
                                           const std::vector<std::uint32_t>& places) {
  std::vector<VertexId> ids;
  ids.reserve(places.size());
  for (const std::uint32_t place : places) {
    if (place >= vertices.size()) return std::nullopt;
    ids.push_back(vertices[place]);
  }
  return ids;
}

std::string BeyondVertices(std::size_t vertices) {
  return fmt::format("its process names a vertex beyond the {} of the window", vertices);
}

}  // namespace

std::size_t AnswerStream::MostBytes(FrameKind kind) const {
  switch (kind) {
    case FrameKind::kDescription:
      return kMostTextBytes;
    case FrameKind::kFailure:
      return kMostTextBytes;
    case FrameKind::kProgress:
      return sizeof(ReportFrame);
    case FrameKind::kScores:
      return bounds_.vertices * sizeof(double);
    case FrameKind::kSets:
    case FrameKind::kDepths:
      return bounds_.vertices * sizeof(std::uint32_t);
    case FrameKind::kEdges:
      return kMostEdgeBytes;
    case FrameKind::kFigures:
      return bounds_.figures * sizeof(double);
    case FrameKind::kEnd:
      return sizeof(std::int32_t);
    case FrameKind::kBegun:
      break;
  }
  return 0;
}

bool AnswerStream::IsInTurn(FrameKind kind) const {
  switch (kind) {
    case FrameKind::kDescription:
      return !is_described_;
    case FrameKind::kBegun:
      return is_described_ && !has_begun_ && bounds_.output != 0;
    case FrameKind::kProgress:
      return has_begun_ && !answered_;
    case FrameKind::kFailure:
      return !answered_;
    case FrameKind::kFigures:
      return answered_ && !figures_;
    case FrameKind::kEnd:
      return figures_.has_value();
    default:
      return has_begun_ && !answered_ && kind == FrameOf(bounds_.output);
  }
}

PluginComplaint AnswerStream::TakeFrames() {
  std::size_t begin = 0;
  while (!has_ended_ && bytes_.size() - begin >= sizeof(FrameHeader)) {
    const auto header = ElementIn<FrameHeader>(std::string_view(bytes_).substr(begin));
    if (header.mark != FrameHeader::kMark || !IsInTurn(header.kind)) return kGarbage;
    if (header.bytes > MostBytes(header.kind)) {
      return fmt::format("its process gives {} bytes, but there can be at most {}", header.bytes,
                         MostBytes(header.kind));
    }
    if (bytes_.size() - begin - sizeof(FrameHeader) < header.bytes) break;
    const auto content = std::string_view(bytes_).substr(begin + sizeof(FrameHeader), header.bytes);
    if (PluginComplaint wrong = TakeFrame(header.kind, content)) return wrong;
    begin += sizeof(FrameHeader) + header.bytes;
  }
  bytes_.erase(0, begin);
  return std::nullopt;
}

PluginComplaint AnswerStream::TakeFrame(FrameKind kind, std::string_view content) {
  switch (kind) {
    case FrameKind::kDescription:
      description_ = content;
      is_described_ = true;
      return std::nullopt;
    case FrameKind::kBegun:
      has_begun_ = true;
      return std::nullopt;
    case FrameKind::kFailure:
      return TakeFailureFrame(content);
    case FrameKind::kEdges:
      if (content.size() % (2 * sizeof(std::uint32_t)) != 0) return kGarbage;
      break;
    default:
      if (content.size() != MostBytes(kind)) return kGarbage;
      break;
  }
  switch (kind) {
    case FrameKind::kProgress:
      report_ = ElementIn<ReportFrame>(content);
      break;
    case FrameKind::kFigures:
      figures_ = content;
      break;
    case FrameKind::kEnd:
      iterations_ = ElementIn<std::int32_t>(content);
      has_ended_ = true;
      break;
    default:
      answered_ = kind;
      answer_ = content;
      break;
  }
  return std::nullopt;
}

PluginComplaint AnswerStream::TakeFailureFrame(std::string_view content) {
  if (content.empty()) return kGarbage;
  const auto fault = static_cast<RunFault>(content.front());
  if (fault != RunFault::kPluginFailed && fault != RunFault::kWrongAnswer) return kGarbage;
  failure_ = RunFailure{fault, std::string(content.substr(1, kMostReasonBytes))};
  has_ended_ = true;
  return std::nullopt;
}

PluginComplaint AnswerStream::PutAnswer(const WindowView& view, const PluginKernel& kernel,
                                        PluginAnswerReader& reader) const {
  const std::span<const VertexId> vertices = VerticesOf(view);
  const std::size_t limit =
      VisitView(view, [](const auto& graph) { return std::size_t{graph.id_limit()}; });
  PluginComplaint wrong;
  switch (answered_.value_or(FrameKind::kScores)) {
    case FrameKind::kSets: {
      const auto named = IdsOf(vertices, ElementsIn<std::uint32_t>(answer_));
      if (!named) return BeyondVertices(vertices.size());
      wrong = reader.TakeSets(ById(vertices, limit, *named).data(), limit);
      break;
    }
    case FrameKind::kDepths:
      wrong =
          reader.TakeDepths(ById(vertices, limit, ElementsIn<std::int32_t>(answer_)).data(), limit);
      break;
    case FrameKind::kEdges: {
      const auto ends = IdsOf(vertices, ElementsIn<std::uint32_t>(answer_));
      if (!ends) return BeyondVertices(vertices.size());
      std::vector<VertexId> sources;
      std::vector<VertexId> targets;
      for (std::size_t i = 0; i < ends->size(); i += 2) {
        sources.push_back((*ends)[i]);
        targets.push_back((*ends)[i + 1]);
      }
      wrong = reader.TakeEdges(sources.data(), targets.data(), sources.size());
      break;
    }
    default: {
      const std::vector<double> scores = ById(vertices, limit, ElementsIn<double>(answer_));
      std::vector<std::uint8_t> has(limit);
      for (const VertexId v : vertices) has[v] = std::isnan(scores[v]) ? 0 : 1;
      wrong = reader.TakeScores(scores.data(), has.data(), limit);
      break;
    }
  }
  const std::vector<double> figures = ElementsIn<double>(figures_.value_or(""));
  for (std::size_t i = 0; i < figures.size() && !wrong; ++i) {
    if (std::isnan(figures[i])) continue;
    wrong = reader.TakeFigure(kernel.figures[i].c_str(), figures[i]);
  }
  return wrong;
}

}  // namespace sash
