// The colouring of colouring.cc as a vertex program, with the same colours. A vertex waits for its
// neighbours that come before it (more neighbours, or as many and an earlier key), takes the least
// colour that none of them has, and tells it to the others. Vertices that do not wait for each
// other are coloured in the same superstep.
//
//   c++ -std=c++20 -O2 -shared -fPIC -o vertex_colouring.so vertex_colouring.cc
//
// Source: Jones, Plassmann: A parallel graph coloring heuristic (SIAM Journal on Scientific
// Computing 14, 1993), with the order of Welsh and Powell.
#include <sash/vertex_program.h>

#include <algorithm>
#include <vector>

namespace {

struct ColouredVertex {
  std::uint32_t colour = 0;
  std::uint32_t awaited = 0;               // neighbours that come before, without a colour yet
  std::vector<std::uint32_t> taken{};      // their colours
  std::vector<std::uint32_t> followers{};  // neighbours that come after, by place
};

// A letter holds a degree in the first superstep, and a colour later.
class ColourProgram : public sash::program::Program<ColouredVertex, std::uint32_t> {
 public:
  using Vertex = sash::program::Vertex<ColourProgram>;
  using Letters = std::span<const sash::program::Letter<std::uint32_t>>;

  static constexpr const char* kName = "vertex_colouring";
  static constexpr const char* kAbout = "Colours vertices so that neighbours differ.";
  static constexpr sash::program::Follow kFollow = sash::program::Follow::kBoth;
  static constexpr int kMostSupersteps = 10'000'000;
  // Each neighbour is in `taken` or `followers`, which grow by doubling.
  static constexpr std::size_t kBytesPerVertex = 32;
  static constexpr std::size_t kBytesPerEdge = 16;

  void Initialize(Vertex& v) const { v.Send(v.degree()); }

  void Compute(Vertex& v, Letters letters) const {
    ColouredVertex& self = v.value();
    if (v.superstep() == 1) {
      Compare(v, letters);
    } else {
      for (const auto& letter : letters) self.taken.push_back(letter.message);
      self.awaited -= static_cast<std::uint32_t>(letters.size());
    }
    if (self.awaited == 0) Take(v);
    v.Halt();
  }

  std::uint32_t Set(const ColouredVertex& vertex) const { return vertex.colour; }

 private:
  static void Compare(Vertex& v, Letters letters) {
    ColouredVertex& self = v.value();
    for (const auto& letter : letters) {
      const bool comes_before =
          letter.message != v.degree() ? letter.message > v.degree() : letter.from < v.place();
      if (comes_before) {
        ++self.awaited;
      } else {
        self.followers.push_back(letter.from);
      }
    }
    self.taken.reserve(self.awaited);
  }

  static void Take(Vertex& v) {
    ColouredVertex& self = v.value();
    std::sort(self.taken.begin(), self.taken.end());
    for (const std::uint32_t colour : self.taken) {
      if (colour == self.colour) ++self.colour;
    }
    for (const std::uint32_t follower : self.followers) v.SendTo(follower, self.colour);
  }
};

}  // namespace

SASH_VERTEX_PROGRAM(ColourProgram);
