// VertexDictionary: vertex keys to dense ids and back. It also holds the types of the edges
// (TypeTable), so a reader that can name the vertices of an edge can name its type.
//
// Ids are assigned in the order of first appearance, which puts hubs first. A key can be forgotten;
// its id is then assigned again, the lowest free id first, so that ids stay dense.
//
// Thread safety
//   A Writer and Prefetch*() belong to the engine thread. Any thread may call the other functions:
//   KeyOf(), TextOf(), IntegerOf() and KeyLess() take no lock, and require an id from a published
//   view that the caller still pins. Find() waits for a Writer; its answer stays true only while
//   the caller pins a view that names the key. The caller of Forget() ensures that no other thread
//   can use the id any more, and that their last reads happen before (VertexLifetimes).
//
// Invariants
//   (1) Known keys and their ids map one to one; ids are below id_limit().
//   (2) An entry never moves, and never changes while its id is in use.
//   (3) Memory is bounded by the most keys ever known at once. Texts longer than KeyText::kShort,
//       and the hash table, take memory for the keys known now.
//   (4) A lookup takes O(1) steps on average, even if a producer chooses keys to slow it down: the
//       secret of the hash is not known outside. Only slots in the table depend on the secret.
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
#include "windows/ingest/type_table.h"
#include "windows/ingest/vertex_key.h"

namespace sash {

// The hash of a vertex key, from VertexDictionary::HashOf().
enum class KeyHash : std::uint32_t {};

class VertexDictionary {
 public:
  // `hash`: tests may fix its secret.
  explicit VertexDictionary(KeyKind kind, KeyedHash hash = KeyedHash())
      : kind_(kind), hash_(hash) {}
  VertexDictionary(const VertexDictionary&) = delete;
  VertexDictionary& operator=(const VertexDictionary&) = delete;
  ~VertexDictionary();

  // Holds the dictionary's lock while keys are interned or forgotten.
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
    // Forgets the keys of ids that are in use: Find() does not find them any more.
    void Forget(std::span<const VertexId> ids) {
      AssertHeld();
      dictionary_.Forget(ids);
    }
    void Forget(VertexId id) { Forget({&id, 1}); }

   private:
    // Every Writer holds the mutex. Clang cannot see this through the std::optional in which the
    // engine keeps a Writer from event to event.
    void AssertHeld() const SASH_ASSERT_HELD(dictionary_.mutex_) {}

    VertexDictionary& dictionary_;
  };

  KeyKind kind() const { return kind_; }

  // PrefetchSlot() and PrefetchEntry() hide the cache misses of Intern(key, HashOf(key)) behind the
  // work on earlier keys: call PrefetchSlot() some events ahead, and PrefetchEntry() a few events
  // later, when the slot is in the cache. They need no Writer and change nothing, whatever happens
  // to the key meanwhile.
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

  // Empty if `key` is not known, or has the other kind.
  std::optional<VertexId> Find(const VertexKey& key) const;

  VertexKey KeyOf(VertexId id) const;
  // String keys only; valid as long as `id` is in use.
  std::string_view TextOf(VertexId id) const { return texts_[id].view(); }
  std::int64_t IntegerOf(VertexId id) const { return integers_[id]; }  // integer keys only

  // The order of keys in results: by UTF-8 bytes, or numerical.
  bool KeyLess(VertexId a, VertexId b) const {
    return kind_ == KeyKind::kString ? TextOf(a) < TextOf(b) : integers_[a] < integers_[b];
  }

  // The number of known keys.
  std::size_t size() const { return size_.load(std::memory_order_acquire); }
  // One above the greatest id ever in use: the size for arrays indexed by id.
  VertexId id_limit() const { return id_limit_.load(std::memory_order_acquire); }
  std::size_t bytes() const;

  TypeTable& types() { return types_; }
  const TypeTable& types() const { return types_; }

 private:
  // A thread that waits for the lock gets it next. Otherwise a Writer that locks again at once
  // would overtake the threads that it has woken, again and again.
  void Lock() const SASH_ACQUIRE(mutex_) {
    const MutexLock turn(turn_);
    mutex_.Lock();
  }
  // Only for the thread that uses Writers: no other thread changes the table, so it needs no lock.
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
  // By id; the kind of keys decides which of the two is used. Written with the lock held, read
  // without.
  StableVector<KeyText> texts_;
  StableVector<std::int64_t> integers_;
  TypeTable types_;
};

}  // namespace sash
