// Window: what a program can ask about its run, whichever vertex it computes.
//
// Thread safety: any thread may call it during the run.
#ifndef SASH_VERTEX_WINDOW_H
#define SASH_VERTEX_WINDOW_H

#include <sash/kernel.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace sash::program {

class Window {
 public:
  explicit Window(const sash_run* run) : run_(run) {}

  std::uint64_t vertex_count() const { return run_->vertex_count; }
  std::uint64_t edge_count() const { return run_->edge_count; }  // parallel edges included

  // Parameters; one that the schema does not have is 0 or "".
  double Number(const char* name) const { return run_->number(run_, name); }
  std::int64_t Integer(const char* name) const { return run_->integer(run_, name); }
  bool Boolean(const char* name) const { return run_->boolean(run_, name) != 0; }
  std::string Text(const char* name) const { return run_->text(run_, name); }

  // The vertex with this key, or SASH_NO_ID.
  sash_id Find(std::string_view key) const { return run_->find(run_, key.data(), key.size()); }
  std::string Key(sash_id id) const {
    std::string key(run_->key(run_, id, nullptr, 0), '\0');
    run_->key(run_, id, key.data(), key.size());
    return key;
  }

  void Figure(const char* name, double value) const { run_->put_figure(run_, name, value); }
  // The run fails with this reason; the first counts.
  void Fail(const std::string& why) const {
    run_->fail(run_, why.c_str());
    has_failed_ = true;
  }
  bool has_failed() const { return has_failed_; }
  const sash_run* run() const { return run_; }

 private:
  const sash_run* run_;
  mutable std::atomic<bool> has_failed_ = false;
};

// A program with a constructor from Window gets it; others begin as they are.
template <typename P>
P MakeProgram(const Window& window) {
  if constexpr (std::is_constructible_v<P, const Window&>) {
    return P(window);
  } else {
    return P();
  }
}

}  // namespace sash::program

#endif
