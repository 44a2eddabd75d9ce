// A kernel of your own, written vertex by vertex (C++20), on the ABI of kernel.h. A program is a
// class. sashd makes one for each run, and calls its const functions for many vertices at once:
//
//   #include <sash/vertex_program.h>
//
//   struct Reach : sash::program::Program<double, double> {
//     static constexpr const char* kName = "reach";
//     static constexpr const char* kAbout = "The greatest key from which a path leads here.";
//
//     void Initialize(sash::program::Vertex<Reach>& v) const;   // superstep 0: may send
//     void Compute(sash::program::Vertex<Reach>& v, std::span<const double> messages) const;
//     double Combine(double a, double b) const;                 // optional
//     double Score(const double& value) const;                  // or Set(), or Depth()
//   };
//   SASH_VERTEX_PROGRAM(Reach)
//
// Supersteps. What a vertex sends in one superstep arrives in the next. Compute() is called for a
// vertex that has messages, or has not said Halt() in its last call. The run ends when there are
// neither, or when the program's Halt() says so; after kMostSupersteps it fails.
//
// Messages. With Combine(), which is commutative and associative, a vertex sends one message to all
// along its edges; receivers pull, and get one combined message, or none. Without it, vertices may
// also send to single neighbours, and a receiver gets all letters, in the order of the senders'
// keys. A message may depend on the edge: `Message Along(const Message&, const Edge&) const`.
//
// Optional members of a program
//   P(const Window&)                          reads parameters; may call Fail()
//   static constexpr Follow kFollow           kOut; kIn; kBoth: the neighbours as a set
//   static constexpr const char* kVersion, *kParameters (a schema, as sash_kernel::parameters)
//   static constexpr const char* kFigures[]   names, ended by nullptr
//   static constexpr int kMostSupersteps
//   static constexpr std::size_t kBytesPerVertex, kBytesPerEdge   memory that values point to
//   bool Halt(const Totals&, int superstep) const         whether this superstep was the last
//   double Residual(const Totals&) const                  for the reports of progress
//   void Finish(const Window&, const Totals&, int superstep) const    gives the figures
//
// Answers: `double Score(const Value&) const` (or std::optional<double>), `std::uint32_t Set(...)`
// (below the number of vertices), or `std::int32_t Depth(...)` (-1: not reached).
//
// The number of threads changes no answer: blocks of vertices are fixed, and totals are added in
// their order. Without Combine(), ids change no answer either. With it, a sum of doubles is added
// in the order of the lists, so its last bits may differ after a restart, as in sashd's PageRank.
//
// Source: Malewicz et al.: Pregel, a system for large-scale graph processing (SIGMOD 2010).
#ifndef SASH_VERTEX_PROGRAM_H
#define SASH_VERTEX_PROGRAM_H

#include <sash/kernel.h>
#include <sash/vertex/answer.h>
#include <sash/vertex/supersteps.h>
#include <sash/vertex/window.h>

#include <cstddef>
#include <cstdint>

namespace sash::program {

// Totals of a program without aggregators.
struct NoTotals {
  void Add(const NoTotals&) {}
};

// The base class of each program. `V`: what a vertex holds; `M`: a message; `T`: aggregators, which
// begin at T{}, get the values of vertices by Vertex::total(), and are added by T::Add(const T&).
template <typename V, typename M, typename T = NoTotals>
struct Program {
  using Value = V;
  using Message = M;
  using Totals = T;
  static constexpr Follow kFollow = Follow::kOut;
  static constexpr const char* kVersion = "1.0";
  static constexpr const char* kParameters = nullptr;
  static constexpr const char* const* kFigures = nullptr;
  static constexpr int kMostSupersteps = 100'000;
  static constexpr std::size_t kBytesPerVertex = 0;
  static constexpr std::size_t kBytesPerEdge = 0;
};

// The run of a program, as sash_kernel::run.
template <typename P>
int RunProgram(const sash_run* run) {
  const Window window(run);
  const P program = MakeProgram<P>(window);
  if (window.has_failed()) return 1;
  return Supersteps<P>(window, program).Run();
}

template <typename P>
constexpr sash_kernel KernelOf() {
  return {sizeof(sash_kernel),
          SASH_ABI,
          OutputOf<P>(),
          P::kName,
          P::kVersion,
          P::kAbout,
          P::kParameters,
          P::kFigures,
          Supersteps<P>::kBytesPerVertex,
          Supersteps<P>::kBytesPerEdge,
          RunProgram<P>};
}

}  // namespace sash::program

// The entry point of a shared object: once in a program's file, outside of namespaces.
#define SASH_VERTEX_PROGRAM(Class) \
  const sash_kernel sash_plugin = ::sash::program::KernelOf<Class>()

#endif
