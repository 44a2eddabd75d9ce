#include "daemon/plugins/plugin_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "daemon/config/error_list.h"
#include "daemon/plugins/plugin_elf.h"
#include "daemon/plugins/plugin_file.h"
#include "windows/base/mutex.h"

namespace sash {
namespace {

constexpr const char* kSymbol = "sash_plugin";
constexpr std::size_t kMostFigures = 32;

Error Unusable(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

// The members of a result, which a figure must not replace.
const std::set<std::string_view>& TakenNames() {
  static const std::set<std::string_view> names = {
      "schema", "job",       "kernel",     "window",   "snapshot",   "window_start",
      "empty",  "final",     "gap",        "accepted", "edges",      "window_end",
      "late",   "refused",   "offsets",    "mode",     "parameters", "watermark",
      "drift",  "seconds",   "iterations", "error",    "converged",  "top",
      "sets",   "members",   "pairs",      "reached",  "top_edges",  "vertices",
      "rows",   "truncated", "levels",     "triggered"};
  return names;
}

bool IsPlainWord(const char* word) {
  const std::string_view text = word == nullptr ? std::string_view() : std::string_view(word);
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// A loaded object; closes it unless it is kept.
class OpenLibrary {
 public:
  explicit OpenLibrary(const std::string& file)
      : handle_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  ~OpenLibrary() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }
  OpenLibrary(const OpenLibrary&) = delete;
  OpenLibrary& operator=(const OpenLibrary&) = delete;

  bool is_open() const { return handle_ != nullptr; }
  const void* Find(const char* symbol) const { return ::dlsym(handle_, symbol); }
  void Keep() { handle_ = nullptr; }

 private:
  void* handle_;
};

// The bytes that the symbol table has for the variable at this address; 0: it is not known.
std::size_t BytesOfSymbol(const void* address) {
  Dl_info about{};
  const ElfW(Sym)* symbol = nullptr;
  void* found = nullptr;
  if (::dladdr1(address, &about, &found, RTLD_DL_SYMENT) == 0) return 0;
  symbol = static_cast<const ElfW(Sym)*>(found);
  return symbol == nullptr ? 0 : symbol->st_size;
}

// Why the description is not one of this ABI.
std::optional<std::string> WhyNotOfAbi(const void* described) {
  std::size_t size = 0;
  std::uint32_t abi = 0;
  const std::size_t bytes = BytesOfSymbol(described);
  if (bytes < offsetof(sash_kernel, output)) {
    return fmt::format(
        "its symbol `{}` is not a `sash_kernel`: it has {} bytes; define `const "
        "sash_kernel {} = {{...}};`",
        kSymbol, bytes, kSymbol);
  }
  std::memcpy(&size, described, sizeof(size));
  std::memcpy(&abi, static_cast<const std::byte*>(described) + offsetof(sash_kernel, abi),
              sizeof(abi));
  if (abi != SASH_ABI) {
    return fmt::format(
        "it is of ABI {}, and this sashd knows ABI {}: compile it with the <sash/kernel.h> of this "
        "sashd",
        abi, SASH_ABI);
  }
  if (size < sizeof(sash_kernel) || size > bytes) {
    return fmt::format(
        "its `size` is {}, but `{}` has {} bytes and needs {}: give "
        "sizeof(sash_kernel)",
        size, kSymbol, bytes, sizeof(sash_kernel));
  }
  const auto* const from = static_cast<const std::byte*>(described);
  if (std::any_of(from + sizeof(sash_kernel), from + size,
                  [](std::byte each) { return each != std::byte{0}; })) {
    return "it uses members of `sash_kernel` that this sashd does not know: install a newer sashd, "
           "or compile it with the <sash/kernel.h> of this one";
  }
  return std::nullopt;
}

// Why what the kernel says about itself is wrong.
std::optional<std::string> WhyNotWhole(const sash_kernel& table) {
  if (!IsPlainWord(table.name)) return "its `name` must have 1 to 64 of a-z 0-9 _";
  if (table.version == nullptr || *table.version == '\0') return "its `version` is missing";
  if (table.about == nullptr || *table.about == '\0') return "its `about` is missing";
  if (table.output < SASH_SCORES || table.output > SASH_EDGES) {
    return fmt::format(
        "its `output` is {}; it must be SASH_SCORES, SASH_SETS, SASH_DEPTHS or "
        "SASH_EDGES (1 to 4)",
        table.output);
  }
  if (table.run == nullptr) return "its `run` is missing";
  constexpr std::uint64_t kMostBytes = 1 << 20;
  if (table.bytes_per_vertex > kMostBytes || table.bytes_per_edge > kMostBytes) {
    return fmt::format(
        "it asks for {} bytes for each vertex and {} for each edge; give at most "
        "{}",
        table.bytes_per_vertex, table.bytes_per_edge, kMostBytes);
  }
  return std::nullopt;
}

std::optional<std::string> ReadFigures(const sash_kernel& table, PluginLibrary& library) {
  if (table.figures == nullptr) return std::nullopt;
  for (const char* const* name = table.figures; *name != nullptr; ++name) {
    if (library.figures.size() == kMostFigures) {
      return fmt::format(
          "it has more than {} figures, or its list `figures` has no NULL at its "
          "end",
          kMostFigures);
    }
    if (!IsPlainWord(*name)) return "a name in its `figures` must have 1 to 64 of a-z 0-9 _";
    const bool is_twice = std::ranges::find(library.figures, *name) != library.figures.end();
    if (is_twice || TakenNames().contains(*name)) {
      return fmt::format("its figure `{}` has a name that {}; give another name", *name,
                         is_twice ? "it gives twice" : "every result has");
    }
    library.figures.emplace_back(*name);
  }
  return std::nullopt;
}

Result<std::shared_ptr<const PluginLibrary>> Read(const std::string& file) {
  const auto not_loaded = [](std::string_view why) {
    return Unusable(
        fmt::format("cannot be loaded: {}; give a shared object for this machine, "
                    "linked with all that it uses",
                    why));
  };
  if (const auto why = WhyNotLoadable(file)) return not_loaded(*why);
  OpenLibrary opened(file);
  if (!opened.is_open()) return not_loaded(::dlerror());
  const void* const described = opened.Find(kSymbol);
  if (described == nullptr) {
    return Unusable(
        fmt::format("is not a plug-in: it does not define `{}` (see <sash/kernel.h>)", kSymbol));
  }
  if (auto why = WhyNotOfAbi(described)) return Unusable("cannot be used: " + *why);
  auto library = std::make_shared<PluginLibrary>();
  std::memcpy(&library->table, described, sizeof(sash_kernel));
  library->file = file;
  if (Status filled = FillLibrary(*library); !filled) return filled.error();
  opened.Keep();
  return std::shared_ptr<const PluginLibrary>(std::move(library));
}

// What this process has loaded. The dynamic linker has one table for the process, too.
class LoadedLibraries {
 public:
  Result<std::shared_ptr<const PluginLibrary>> Load(const std::string& file) {
    const MutexLock lock(mutex_);
    const PluginFileState state = StateOfPlugin(file);
    if (const auto found = libraries_.find(file); found != libraries_.end()) {
      if (found->second.first == state) return found->second.second;
      return Unusable(
          "has changed since it was loaded, and this process has the earlier version: restart, or "
          "give the new version another name");
    }
    Result<std::shared_ptr<const PluginLibrary>> read = Read(file);
    if (read) libraries_.emplace(file, std::pair(state, read.value()));
    return read;
  }

 private:
  Mutex mutex_;
  std::map<std::string, std::pair<PluginFileState, std::shared_ptr<const PluginLibrary>>> libraries_
      SASH_GUARDED_BY(mutex_);
};

}  // namespace

Status FillLibrary(PluginLibrary& library) {
  const auto unusable = [](const std::string& why) { return Unusable("cannot be used: " + why); };
  if (auto why = WhyNotWhole(library.table)) return unusable(*why);
  if (auto why = ReadFigures(library.table, library)) return unusable(*why);
  if (library.table.parameters != nullptr) {
    Result<ParameterSchema> schema = ParameterSchema::Parse(library.table.parameters);
    if (!schema) return unusable("its schema of parameters " + schema.error().message);
    library.schema = std::move(schema).value();
  }
  library.title = fmt::format("{} {}", library.table.name, library.table.version);
  return Ok{};
}

Result<std::shared_ptr<const PluginLibrary>> LoadPluginLibrary(const std::string& file) {
  static LoadedLibraries libraries;
  return libraries.Load(file);
}

}  // namespace sash
