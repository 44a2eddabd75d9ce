// Flood and echo as a vertex program: a wave from one vertex, over edges in both directions, makes
// a tree of shortest paths, and the echo counts it on the way back. The score of a vertex is the
// size of its branch; vertices that the wave does not reach have none. The figure `heard`
// is their number as the root hears it: 0 if it is not in the window.
//
// A vertex that gets the wave takes the sender with the earliest key as parent and passes the wave
// on to all other neighbours. It has heard from all when each neighbour has sent one message, a
// wave or an echo; then it sends its echo to the parent.
//
//   c++ -std=c++20 -O2 -shared -fPIC -o vertex_flood_echo.so vertex_flood_echo.cc
//
// Source: Chang: Echo algorithms, depth parallel operations on general graphs (IEEE Transactions on
// Software Engineering 8, 1982).
#include <sash/vertex_program.h>

#include <optional>

namespace {

constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

struct WaveVertex {
  bool is_reached = false;
  std::uint32_t parent = kNoParent;  // by place
  std::uint32_t heard = 0;           // neighbours
  std::uint64_t branch = 1;          // vertices
};

struct WaveMessage {
  std::uint64_t branch = 0;  // 0: the wave; otherwise an echo
};

struct EchoTotals {
  std::uint64_t heard = 0;  // vertices, by the root
  void Add(const EchoTotals& other) { heard += other.heard; }
};

class FloodEcho : public sash::program::Program<WaveVertex, WaveMessage, EchoTotals> {
 public:
  using Vertex = sash::program::Vertex<FloodEcho>;
  using Letters = std::span<const sash::program::Letter<WaveMessage>>;

  static constexpr const char* kName = "vertex_flood_echo";
  static constexpr const char* kAbout = "The size of each branch of a wave from one vertex.";
  static constexpr sash::program::Follow kFollow = sash::program::Follow::kBoth;
  static constexpr const char* kParameters = R"({"type": "object", "properties": {
      "root": {"type": "string", "description": "The key of the vertex to begin at."}}})";
  static constexpr const char* kFigures[] = {"heard", nullptr};

  explicit FloodEcho(const sash::program::Window& window)
      : root_(window.Find(window.Text("root"))) {}

  void Initialize(Vertex& v) const {
    if (v.id() == root_) {
      v.value().is_reached = true;
      v.Send({});
      EchoIfAllHeard(v);
    }
    v.Halt();
  }

  void Compute(Vertex& v, Letters letters) const {
    WaveVertex& self = v.value();
    if (!self.is_reached) {
      self.is_reached = true;
      self.parent = letters[0].from;
      for (const std::uint32_t neighbour : v.neighbours()) {
        if (neighbour != self.parent) v.SendTo(neighbour, {});
      }
    }
    self.heard += static_cast<std::uint32_t>(letters.size());
    for (const auto& letter : letters) self.branch += letter.message.branch;
    EchoIfAllHeard(v);
    v.Halt();
  }

  std::optional<double> Score(const WaveVertex& vertex) const {
    return vertex.is_reached ? std::optional(static_cast<double>(vertex.branch)) : std::nullopt;
  }
  // The root's echo is the last event.
  void Finish(const sash::program::Window& window, const EchoTotals& totals, int) const {
    window.Figure("heard", static_cast<double>(totals.heard));
  }

 private:
  static void EchoIfAllHeard(Vertex& v) {
    if (v.value().heard < v.degree()) return;
    if (v.value().parent == kNoParent) {
      v.total().heard += v.value().branch;
    } else {
      v.SendTo(v.value().parent, {v.value().branch});
    }
  }

  sash_id root_;
};

}  // namespace

SASH_VERTEX_PROGRAM(FloodEcho);
