#include "daemon/plugins/read_task.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "daemon/plugins/graph_image.h"
#include "daemon/plugins/image_header.h"
#include "windows/store/csr_graph.h"

namespace sash {
namespace {

// The bytes of a task, in the order in which they were written.
class ImageReader {
 public:
  explicit ImageReader(int descriptor) : descriptor_(descriptor) {}

  bool Get(std::uint64_t at, void* into, std::size_t bytes) {
    auto* next = static_cast<std::byte*>(into);
    while (bytes > 0) {
      const ssize_t count = ::pread(descriptor_, next, bytes, static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      next += count;
      at += static_cast<std::uint64_t>(count);
      bytes -= static_cast<std::size_t>(count);
    }
    return true;
  }
  template <typename Element>
  std::vector<Element> GetAll(std::uint64_t at, std::size_t count) {
    std::vector<Element> into(count);
    if (!Get(at, into.data(), count * sizeof(Element))) is_whole_ = false;
    return into;
  }
  std::string GetText(std::uint64_t at, std::size_t bytes) {
    std::string into(bytes, '\0');
    if (!Get(at, into.data(), bytes)) is_whole_ = false;
    return into;
  }
  bool is_whole() const { return is_whole_; }

 private:
  int descriptor_;
  bool is_whole_ = true;
};

// The edges, in the order that CsrGraph requires.
EdgeList ReadEdges(const ImageHeader& header, ImageReader& in) {
  const auto degrees = in.GetAll<std::uint32_t>(header.degrees(), header.vertices);
  const auto targets = in.GetAll<VertexId>(header.targets(), header.edges);
  const auto kind = static_cast<WeightColumn::Kind>(header.weights);
  std::vector<std::int64_t> bits;
  std::vector<std::uint8_t> reals;
  std::vector<TypeNumber> types;
  if (kind != WeightColumn::Kind::kOnes) {
    bits = in.GetAll<std::int64_t>(header.weight_bits(), header.edges);
    reals = in.GetAll<std::uint8_t>(header.reals(), header.edges);
  }
  const auto width = static_cast<TypeWidth>(header.type_width);
  if (width != TypeWidth::kNone) types = in.GetAll<TypeNumber>(header.types(), header.edges);
  EdgeList edges{{}, {}, WeightColumn(header.edges, kind), TypeColumn(header.edges, width)};
  edges.sources.reserve(header.edges);
  edges.targets.reserve(header.edges);
  std::vector<std::uint64_t> row;  // places in the image
  for (VertexId v = 0; v < degrees.size(); ++v) {
    row.clear();
    for (std::uint32_t i = 0; i < degrees[v]; ++i) row.push_back(edges.size() + i);
    std::ranges::stable_sort(row, {}, [&](std::uint64_t at) { return targets[at]; });
    for (const std::uint64_t at : row) {
      const std::size_t place = edges.size();
      edges.sources.push_back(v);
      edges.targets.push_back(targets[at]);
      if (!bits.empty()) {
        const std::int64_t value = bits[at] ^ 1;
        edges.weights.Set(place, reals[at] != 0 ? Weight::Real(std::bit_cast<double>(value))
                                                : Weight::Integer(value));
      }
      if (!types.empty()) edges.types.Set(place, types[at]);
    }
  }
  return edges;
}

// Texts that follow each other.
class TextsInTurn {
 public:
  explicit TextsInTurn(std::string texts) : texts_(std::move(texts)) {}
  std::string_view Next(std::uint32_t length) {
    const std::string_view text = std::string_view(texts_).substr(begin_, length);
    begin_ += length;
    return text;
  }

 private:
  std::string texts_;
  std::size_t begin_ = 0;
};

std::unique_ptr<VertexDictionary> ReadKeys(const ImageHeader& header, ImageReader& in) {
  const bool has_integers = header.has_integer_keys != 0;
  auto keys =
      std::make_unique<VertexDictionary>(has_integers ? KeyKind::kInteger : KeyKind::kString);
  {
    VertexDictionary::Writer writer(*keys);
    if (has_integers) {
      for (const auto key : in.GetAll<std::int64_t>(header.keys(), header.vertices)) {
        writer.Intern(key);
      }
    } else {
      TextsInTurn texts(in.GetText(header.key_texts(), header.key_bytes));
      for (const auto length : in.GetAll<std::uint32_t>(header.keys(), header.vertices)) {
        writer.Intern(texts.Next(length));
      }
    }
  }
  TextsInTurn words(in.GetText(header.word_texts(), header.word_bytes));
  for (const auto length : in.GetAll<std::uint32_t>(header.word_lengths(), header.words)) {
    (void)keys->types().Intern(words.Next(length));
  }
  return keys;
}

}  // namespace

Result<ReadTask> ReadTaskFile(int descriptor) {
  TaskFile file(descriptor);
  ImageReader in(descriptor);
  ImageHeader header;
  if (!in.Get(0, &header, sizeof(header)) || header.magic != kImageMagic) {
    return Error{ErrorCode::kCorruption, "its task is not one of this version of sashd"};
  }
  ReadTask task{.request = in.GetText(sizeof(header), header.request_bytes)};
  if (header.has_window == 0) return task;
  task.keys = ReadKeys(header, in);
  const EdgeList edges = ReadEdges(header, in);
  if (!in.is_whole()) return Error{ErrorCode::kCorruption, "its task is cut off"};
  { const TaskFile closed = std::move(file); }
  task.view = std::make_shared<const CsrGraph>(edges, static_cast<VertexId>(header.vertices));
  return task;
}

}  // namespace sash
