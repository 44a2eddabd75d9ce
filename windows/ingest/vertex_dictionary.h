// VertexDictionary: vertex keys to dense ids and back.
//
// Ids are handed out in order of first appearance, which puts hubs first. A key can be forgotten;
// its id is then handed out again, the lowest free one first, so that ids stay dense.
//
// Thread safety
//   A Writer and Prefetch*() belong to the engine thread, the rest to any: KeyOf(), TextOf(),
//   IntegerOf(), KeyLess() without a lock, for an id that reached the caller through a published
//   view that it still pins; Find() waits for a Writer, and what it found stays true only while the
//   caller pins a view that names the key. Whoever calls Forget() sees to it that nobody can name
//   the id any more, and that their last reading of it happens before (VertexLifetimes).
//
// Invariants
//   (1) Of the keys that are known, id and key are one to one; ids are below id_limit().
//   (2) An entry never moves, and never changes while its id is in use.
//   (3) Memory is bounded by the most keys ever known at once; texts longer than
//       KeyText::kShort and the hash table follow the keys known now.
//   (4) A lookup takes O(1) steps on average, whichever keys a stranger chooses: he does not know
//       the secret of the hash. Nothing but places in the table depends on it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "windows/base/ids.h"
#include "windows/base/keyed_hash.h"
#include "windows/base/mutex.h"
#include "windows/ingest/edge_event.h"
#include "windows/ingest/free_ids.h"
#include "windows/ingest/id_table.h"
#include "windows/ingest/key_text.h"
#include "windows/ingest/stable_vector.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

// Of a vertex key; VertexDictionary::HashOf() makes it.
enum class KeyHash : std::uint32_t {};

class VertexDictionary {
 public:
  // `hash`: tests may fix its secret.
  explicit VertexDictionary(KeyKind kind, KeyedHash hash = KeyedHash())
      : kind_(kind), hash_(hash) {}
  VertexDictionary(const VertexDictionary&) = delete;
  VertexDictionary& operator=(const VertexDictionary&) = delete;
  ~VertexDictionary();

  // Holds the dictionary's lock while a batch is interned or forgotten.
  class Writer {
   public:
    explicit Writer(VertexDictionary& dictionary) : dictionary_(dictionary) { dictionary_.Lock(); }
    ~Writer() {
      AssertHeld();
      dictionary_.mutex_.Unlock();
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    VertexId Intern(std::string_view key) { return Intern(key, dictionary_.HashOf(key)); }
    VertexId Intern(std::int64_t key) { return Intern(key, dictionary_.HashOf(key)); }
    VertexId Intern(std::string_view key, KeyHash hash) {
      AssertHeld();
      return dictionary_.InternText(key, hash);
    }
    VertexId Intern(std::int64_t key, KeyHash hash) {
      AssertHeld();
      return dictionary_.InternInteger(key, hash);
    }
    // The ids are in use. Their keys are no longer found.
    void Forget(std::span<const VertexId> ids) {
      AssertHeld();
      dictionary_.Forget(ids);
    }
    void Forget(VertexId id) { Forget({&id, 1}); }

   private:
    // True of every Writer. Clang cannot follow one through the std::optional in which the engine
    // keeps it from event to event.
    void AssertHeld() const SASH_ASSERT_HELD(dictionary_.mutex_) {}

    VertexDictionary& dictionary_;
  };

  KeyKind kind() const { return kind_; }

  // They hide the cache misses of Intern(key, HashOf(key)) behind the work on the keys before it:
  // PrefetchSlot() some events ahead, PrefetchEntry() a few later, when the slot has come. They
  // need no Writer, and change nothing, whatever happens to the key meanwhile.
  KeyHash HashOf(std::string_view key) const { return static_cast<KeyHash>(hash_(key)); }
  KeyHash HashOf(std::int64_t key) const {
    return static_cast<KeyHash>(hash_(static_cast<std::uint64_t>(key)));
  }
  void PrefetchSlot(KeyHash hash) const { ids().Prefetch(Bits(hash)); }
  // Returns the id that the key probably has, or kNoVertex.
  VertexId PrefetchEntry(KeyHash hash) const {
    const VertexId id = ids().First(Bits(hash));
    if (id == kNoVertex) return id;
    if (kind_ == KeyKind::kString) {
      __builtin_prefetch(&texts_[id]);
    } else {
      __builtin_prefetch(&integers_[id]);
    }
    return id;
  }

  // Nothing when `key` is not known, or of the other kind.
  std::optional<VertexId> Find(const VertexKey& key) const;

  VertexKey KeyOf(VertexId id) const;
  // String keys only; valid as long as `id` is in use.
  std::string_view TextOf(VertexId id) const { return texts_[id].view(); }
  std::int64_t IntegerOf(VertexId id) const { return integers_[id]; }  // integer keys only

  // The order of keys in results: UTF-8 bytes, or numerically.
  bool KeyLess(VertexId a, VertexId b) const {
    return kind_ == KeyKind::kString ? TextOf(a) < TextOf(b) : integers_[a] < integers_[b];
  }

  // Keys that are known.
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  // One above the greatest id ever in use: what arrays indexed by id must hold.
  VertexId id_limit() const { return id_limit_.load(std::memory_order_acquire); }
  std::size_t bytes() const;

 private:
  // Whoever waits for the lock is the next to have it: a Writer that comes back at once would
  // otherwise be before those whom it has woken, again and again.
  void Lock() const SASH_ACQUIRE(mutex_) {
    const MutexLock turn(turn_);
    mutex_.Lock();
  }
  // Only for the thread that has Writers: no other thread changes the table, so it needs no lock.
  const IdTable& ids() const SASH_NO_THREAD_SAFETY_ANALYSIS { return ids_; }
  static std::uint32_t Bits(KeyHash hash) { return static_cast<std::uint32_t>(hash); }
  VertexId InternText(std::string_view key, KeyHash hash) SASH_REQUIRES(mutex_);
  VertexId InternInteger(std::int64_t key, KeyHash hash) SASH_REQUIRES(mutex_);
  void Forget(std::span<const VertexId> ids) SASH_REQUIRES(mutex_);
  void Forget(VertexId id, KeyHash hash) SASH_REQUIRES(mutex_);
  KeyHash HashOfId(VertexId id) const;
  VertexId TakeId() SASH_REQUIRES(mutex_);
  VertexId Lookup(KeyHash hash, std::string_view key) const SASH_REQUIRES(mutex_);
  VertexId Lookup(KeyHash hash, std::int64_t key) const SASH_REQUIRES(mutex_);

  const KeyKind kind_;
  const KeyedHash hash_;
  mutable Mutex turn_;  // held while waiting for mutex_
  mutable Mutex mutex_;
  IdTable ids_ SASH_GUARDED_BY(mutex_);
  FreeIds free_ SASH_GUARDED_BY(mutex_);
  std::size_t long_text_bytes_ SASH_GUARDED_BY(mutex_) = 0;
  std::atomic<std::size_t> size_ = 0;
  std::atomic<VertexId> id_limit_ = 0;
  // By id, one of the two. Written with the lock held, read without.
  StableVector<KeyText> texts_;
  StableVector<std::int64_t> integers_;
};

}  // namespace sash
