#include "daemon/plugins/graph_image.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "daemon/plugins/image_header.h"

namespace sash {
namespace {

constexpr std::size_t kEdgesAtOnce = 64 << 10;

Error TaskFailed(const char* what, int number) {
  return {ErrorCode::kUnavailable,
          fmt::format("its copy of the window failed: {}: {}", what, std::strerror(number))};
}

// Writes pieces at their places; after the first error nothing more.
class ImageWriter {
 public:
  explicit ImageWriter(int descriptor) : descriptor_(descriptor) {}

  void Put(std::uint64_t at, const void* from, std::size_t bytes) {
    const auto* next = static_cast<const std::byte*>(from);
    while (bytes > 0 && failure_ == 0) {
      const ssize_t count = ::pwrite(descriptor_, next, bytes, static_cast<off_t>(at));
      if (count < 0 && errno != EINTR) failure_ = errno;
      if (count <= 0) continue;
      next += count;
      at += static_cast<std::uint64_t>(count);
      bytes -= static_cast<std::size_t>(count);
    }
  }
  template <typename Element>
  void PutAll(std::uint64_t at, const std::vector<Element>& from) {
    Put(at, from.data(), from.size() * sizeof(Element));
  }
  // Zeros are holes, which take no memory.
  template <typename Element>
  void PutUnlessZero(std::uint64_t at, const std::vector<Element>& from) {
    if (std::ranges::any_of(from, [](Element each) { return each != Element{}; })) PutAll(at, from);
  }
  void SetLength(std::uint64_t bytes) {
    if (failure_ == 0 && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
      failure_ = errno;
    }
  }
  int failure() const { return failure_; }

 private:
  int descriptor_;
  int failure_ = 0;
};

// Writes the edges of one view, by source.
template <typename Graph>
class EdgeImage {
 public:
  EdgeImage(const Graph& graph, ImageHeader& header, ImageWriter& out)
      : graph_(graph), header_(header), out_(out), place_of_(graph.id_limit(), 0) {
    VertexId place = 0;
    for (const VertexId v : graph.vertices()) place_of_[v] = place++;
  }

  bool Write(const std::function<bool()>& goes_on) {
    std::vector<std::uint32_t> degrees;
    for (const VertexId v : graph_.vertices()) degrees.push_back(graph_.out_degree(v));
    out_.PutAll(header_.degrees(), degrees);
    for (const VertexId v : graph_.vertices()) {
      if (graph_.out_degree(v) == 0) continue;
      for (const auto& edge : graph_.weighted_out(v)) Add(edge.vertex, edge.weight, edge.type);
      if (targets_.size() < kEdgesAtOnce) continue;
      Flush();
      if (out_.failure() != 0 || !goes_on()) return false;
    }
    Flush();
    return true;
  }

 private:
  void Add(VertexId target, Weight weight, TypeNumber type) {
    targets_.push_back(place_of_[target]);
    const std::int64_t bits =
        weight.is_integer() ? weight.integer() : std::bit_cast<std::int64_t>(weight.AsDouble());
    weights_.push_back(bits ^ 1);  // so that the usual weight is 0
    reals_.push_back(weight.is_integer() ? 0 : 1);
    types_.push_back(type);
    const auto kind = static_cast<std::uint8_t>(WeightColumn::KindOf(weight));
    header_.weights = std::max(header_.weights, kind);
    header_.type_width = std::max(header_.type_width, static_cast<std::uint8_t>(WidthOf(type)));
  }
  void Flush() {
    out_.PutAll(header_.targets() + written_ * sizeof(VertexId), targets_);
    out_.PutUnlessZero(header_.weight_bits() + written_ * sizeof(std::int64_t), weights_);
    out_.PutUnlessZero(header_.reals() + written_, reals_);
    out_.PutUnlessZero(header_.types() + written_ * sizeof(TypeNumber), types_);
    written_ += targets_.size();
    targets_.clear();
    weights_.clear();
    reals_.clear();
    types_.clear();
  }

  const Graph& graph_;
  ImageHeader& header_;
  ImageWriter& out_;
  std::vector<VertexId> place_of_;
  std::uint64_t written_ = 0;
  std::vector<VertexId> targets_;
  std::vector<std::int64_t> weights_;
  std::vector<std::uint8_t> reals_;
  std::vector<TypeNumber> types_;
};

void WriteKeys(std::span<const VertexId> vertices, const VertexDictionary& keys,
               ImageHeader& header, ImageWriter& out) {
  std::vector<std::int64_t> integers;
  std::vector<std::uint32_t> lengths;
  std::string texts;
  for (const VertexId v : vertices) {
    if (keys.kind() == KeyKind::kInteger) {
      integers.push_back(keys.IntegerOf(v));
    } else {
      const std::string_view text = keys.TextOf(v);
      lengths.push_back(static_cast<std::uint32_t>(text.size()));
      texts += text;
    }
  }
  header.has_integer_keys = keys.kind() == KeyKind::kInteger ? 1 : 0;
  header.key_bytes = texts.size();
  if (keys.kind() == KeyKind::kInteger) {
    out.PutAll(header.keys(), integers);
  } else {
    out.PutAll(header.keys(), lengths);
  }
  out.Put(header.key_texts(), texts.data(), texts.size());
  std::vector<std::uint32_t> word_lengths;
  std::string words;
  for (const std::string& word : keys.types().Words()) {
    word_lengths.push_back(static_cast<std::uint32_t>(word.size()));
    words += word;
  }
  header.words = word_lengths.size();
  header.word_bytes = words.size();
  out.PutAll(header.word_lengths(), word_lengths);
  out.Put(header.word_texts(), words.data(), words.size());
}

Result<TaskFile> NewTaskFile() {
  const int descriptor = ::memfd_create("sash-plugin-task", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return TaskFailed("memfd_create", errno);
  return TaskFile(descriptor);
}

// The last steps: the header, the length, and the seals.
Result<TaskFile> Sealed(TaskFile file, std::string_view request, const ImageHeader& header,
                        ImageWriter& out) {
  out.Put(0, &header, sizeof(header));
  out.Put(sizeof(header), request.data(), request.size());
  out.SetLength(header.end());
  if (out.failure() != 0) return TaskFailed("pwrite", out.failure());
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;
  if (::fcntl(file.descriptor(), F_ADD_SEALS, kSeals) != 0) return TaskFailed("seal", errno);
  return file;
}

}  // namespace

TaskFile::TaskFile(TaskFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

TaskFile::~TaskFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<TaskFile> WriteTask(std::string_view request) {
  Result<TaskFile> file = NewTaskFile();
  if (!file) return file;
  ImageWriter out(file.value().descriptor());
  return Sealed(std::move(file).value(), request, {.request_bytes = request.size()}, out);
}

Result<TaskFile> WriteTask(std::string_view request, const WindowView& view,
                           const VertexDictionary& keys, const std::function<bool()>& goes_on) {
  Result<TaskFile> file = NewTaskFile();
  if (!file) return file;
  ImageWriter out(file.value().descriptor());
  ImageHeader header{.request_bytes = request.size(), .has_window = 1};
  const bool is_whole = VisitView(view, [&](const auto& graph) {
    header.vertices = graph.vertices().size();
    header.edges = graph.edge_count();
    if (!EdgeImage(graph, header, out).Write(goes_on)) return false;
    WriteKeys(graph.vertices(), keys, header, out);
    return true;
  });
  if (!is_whole && out.failure() == 0) return Error{ErrorCode::kUnavailable, "stopped"};
  return Sealed(std::move(file).value(), request, header, out);
}

}  // namespace sash
