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

#include "windows/store/csr_graph.h"

namespace sash {
namespace {

constexpr std::uint64_t kImageMagic = 0x31'6b73'6174'7361;  // "astask1"
constexpr std::size_t kEdgesAtOnce = 64 << 10;

// At the beginning of the file. The sections follow each other in this order.
struct ImageHeader {
  std::uint64_t magic = kImageMagic;
  std::uint64_t request_bytes = 0;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t key_bytes = 0;  // of texts
  std::uint64_t words = 0;
  std::uint64_t word_bytes = 0;
  std::uint8_t has_window = 0;
  std::uint8_t has_integer_keys = 0;
  std::uint8_t weights = 0;     // WeightColumn::Kind
  std::uint8_t type_width = 0;  // TypeWidth; types are written as four bytes

  // Offsets of the sections.
  std::uint64_t degrees() const { return sizeof(ImageHeader) + request_bytes; }
  std::uint64_t targets() const { return degrees() + vertices * sizeof(std::uint32_t); }
  std::uint64_t weight_bits() const { return targets() + edges * sizeof(VertexId); }
  std::uint64_t reals() const { return weight_bits() + edges * sizeof(std::int64_t); }
  std::uint64_t types() const { return reals() + edges; }
  std::uint64_t keys() const { return types() + edges * sizeof(TypeNumber); }
  std::uint64_t key_texts() const {
    return keys() + vertices * (has_integer_keys != 0 ? sizeof(std::int64_t) : sizeof(uint32_t));
  }
  std::uint64_t word_lengths() const { return key_texts() + key_bytes; }
  std::uint64_t word_texts() const { return word_lengths() + words * sizeof(std::uint32_t); }
  std::uint64_t end() const { return word_texts() + word_bytes; }
};

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
