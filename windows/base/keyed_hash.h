// KeyedHash: a hash for keys from untrusted input: SipHash-1-3 with a secret of the process.
//
// Vertex keys come from any producer of records, and ids follow the order of those keys. If the
// hash were known, a producer could compute any number of colliding keys, and inserting n of them
// into a table would take n² steps. Without the secret a producer cannot find such keys.
//
// SipHash: Aumasson, Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012; with one round
// per word and three at the end, as in the hash tables of Rust and Python.
//
// Thread safety: like an integer.
//
// Invariants
//   (1) Within a process equal keys have equal hashes, whichever object computes them.
//   (2) The secret decides only slots in tables: no result, file or order may depend on it.
//   (3) Without the secret all bits look random. So any of the bits can choose a slot, and 32 of
//       them are enough for a table of up to 2^32 slots.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace sash {

class KeyedHash {
 public:
  struct Secret {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
  };

  KeyedHash() : KeyedHash(OfProcess()) {}
  explicit KeyedHash(Secret secret) : secret_(secret) {}

  // The hash of the number's 8 bytes, the lowest first.
  std::uint64_t operator()(std::uint64_t number) const {
    State state(secret_);
    state.Take(number);
    return state.Finish(sizeof(number));
  }
  std::uint64_t operator()(std::string_view text) const;

  // Drawn at random by the first call.
  static const Secret& OfProcess();

 private:
  class State {
   public:
    explicit State(const Secret& secret)
        : v0_(secret.first ^ 0x736f6d6570736575),
          v1_(secret.second ^ 0x646f72616e646f6d),
          v2_(secret.first ^ 0x6c7967656e657261),
          v3_(secret.second ^ 0x7465646279746573) {}

    void Take(std::uint64_t word) {
      v3_ ^= word;
      Round();
      v0_ ^= word;
    }

    // `size`: the size of the whole input, in bytes. `rest`: its last bytes, fewer than a word.
    std::uint64_t Finish(std::uint64_t size, std::uint64_t rest = 0) {
      Take(size << 56 | rest);
      v2_ ^= 0xff;
      Round();
      Round();
      Round();
      return v0_ ^ v1_ ^ v2_ ^ v3_;
    }

   private:
    void Round() {
      v0_ += v1_;
      v2_ += v3_;
      v1_ = std::rotl(v1_, 13) ^ v0_;
      v3_ = std::rotl(v3_, 16) ^ v2_;
      v0_ = std::rotl(v0_, 32) + v3_;
      v2_ += v1_;
      v3_ = std::rotl(v3_, 21) ^ v0_;
      v1_ = std::rotl(v1_, 17) ^ v2_;
      v2_ = std::rotl(v2_, 32);
    }

    std::uint64_t v0_;
    std::uint64_t v1_;
    std::uint64_t v2_;
    std::uint64_t v3_;
  };

  Secret secret_;
};

}  // namespace sash
