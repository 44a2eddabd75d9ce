// KeyRow: everything about one key of the configuration. It binds the key to a member of the
// section's struct, and holds the possible values, whether a change needs a restart, and the words
// that describe the key. Reading, printing, comparing, live changes, the JSON Schema and the
// comments of configs/reference.yaml all walk over rows. The default is the initial value in the
// struct.
//
//   using Key = KeyRow<LogRate>;
//   Key("every", &LogRate::every, TimeSpan{.zero = false}, "The interval of the lines.", kLive)
//
// A key that no form fits has its own form or functions next to its row: ReadBy(), or the
// constructor that takes a KeySpec.
//
// Thread safety: values; a table of rows is built once.
//
// Invariants:
// (1) Rows are read and described in table order. They are printed by `turn`, then in table order.
// (2) TakeLiveRows() changes only the members of live rows.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "daemon/config/key_forms.h"
#include "daemon/config/key_table.h"
#include "daemon/config/yaml_printer.h"
#include "daemon/config/yaml_section.h"

namespace sash {

inline constexpr auto kLive = Change::kLive;

// For rows that bind several members: the struct itself.
inline constexpr auto kWhole = [](auto& spec) -> auto& { return spec; };
// The member `inner` of the member `outer`.
template <typename Outer, typename Inner>
auto Of(Outer outer, Inner inner) {
  return [ outer, inner ](auto& spec) -> auto& {
    return std::invoke(inner, std::invoke(outer, spec));
  };
}

// The context that readers of a section need in addition to its text.
struct NoContext {};

template <typename Spec, typename Context>
struct KeyRow;
template <typename Spec, typename Context = NoContext>
using KeyRows = std::vector<KeyRow<Spec, Context>>;

template <typename Spec, typename Context>
void ReadRows(const Section& section, const KeyRows<Spec, Context>& rows, Spec& spec,
              Context& context) {
  for (const auto& row : rows) row.Read(section, spec, context);
}
template <typename Spec>
void ReadRows(const Section& section, const KeyRows<Spec>& rows, Spec& spec) {
  NoContext none;
  ReadRows(section, rows, spec, none);
}

// The places of rows in the order in which they are printed: by turn, then as listed.
std::vector<std::size_t> PrintingOrder(const std::vector<int>& turns);

template <typename Spec, typename Context>
void PrintRows(YamlPrinter& out, int depth, const KeyRows<Spec, Context>& rows, const Spec& spec) {
  std::vector<int> turns;
  for (const auto& row : rows) turns.push_back(row.turn);
  for (const std::size_t place : PrintingOrder(turns)) {
    rows[place].binding->Print(out, depth, spec);
  }
}

template <typename Spec, typename Context>
bool SameRows(const KeyRows<Spec, Context>& rows, const Spec& a, const Spec& b) {
  for (const auto& row : rows) {
    if (!row.binding->Same(a, b)) return false;
  }
  return true;
}

// `to` with the values of `from` where a running process takes them.
template <typename Spec, typename Context>
void TakeLiveRows(const KeyRows<Spec, Context>& rows, const Spec& from, Spec& to) {
  for (const auto& row : rows) row.binding->Take(from, to);
}

template <typename Spec, typename Context>
SectionSpec SectionFrom(std::string_view section, const KeyRows<Spec, Context>& rows,
                        std::vector<std::string_view> exactly_one = {}) {
  SectionSpec spec{section, {}, std::move(exactly_one)};
  for (const auto& row : rows) spec.keys.push_back(row.key);
  return spec;
}

// A nested section. An optional member is set if the section is present.
template <typename Spec>
struct Nested {
  std::string_view section;
  const KeyRows<Spec>& rows;

  std::vector<Shape> Shapes() const { return {SectionShape{section}}; }
  void Read(const Section& around, const KeySpec& key, Spec& spec) const {
    if (around.Has(key.name)) ReadRows(around.Child(key.name, section), rows, spec);
  }
  void Read(const Section& around, const KeySpec& key, std::optional<Spec>& spec) const {
    if (around.Has(key.name)) Read(around, key, spec.emplace());
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const Spec& spec) const {
    out.Line(depth, key.name);
    PrintRows(out, depth + 1, rows, spec);
  }
  void Print(YamlPrinter& out, int depth, const KeySpec& key,
             const std::optional<Spec>& spec) const {
    if (spec) Print(out, depth, key, *spec);
  }
  bool Same(const Spec& a, const Spec& b) const { return SameRows(rows, a, b); }
  bool Same(const std::optional<Spec>& a, const std::optional<Spec>& b) const {
    return a.has_value() == b.has_value() && (!a || Same(*a, *b));
  }
  void Take(const Spec& from, Spec& to) const { TakeLiveRows(rows, from, to); }
};

// What a row does with the value of its key. This is one class for each key. Four std::function
// objects for each key took a fifth of the time in which this library compiles.
template <typename Spec, typename Context>
class KeyBinding {
 public:
  virtual ~KeyBinding() = default;
  virtual void Read(const Section& section, Spec& to, Context& context) const = 0;
  virtual void Print(YamlPrinter& out, int depth, const Spec& from) const = 0;
  virtual bool Same(const Spec& a, const Spec& b) const = 0;
  virtual void Take(const Spec& from, Spec& to) const = 0;
};

// `Member` is a pointer to a member, or a function from the struct to a reference.
template <typename Spec, typename Context, typename Member, typename Form>
class BoundKey final : public KeyBinding<Spec, Context> {
 public:
  BoundKey(KeySpec key, Member member, Form form)
      : key_(std::move(key)), member_(std::move(member)), form_(std::move(form)) {}

  void Read(const Section& section, Spec& to, Context& /*context*/) const override {
    form_.Read(section, key_, std::invoke(member_, to));
  }
  void Print(YamlPrinter& out, int depth, const Spec& from) const override {
    form_.Print(out, depth, key_, std::invoke(member_, from));
  }
  bool Same(const Spec& a, const Spec& b) const override {
    if constexpr (requires { form_.Same(std::invoke(member_, a), std::invoke(member_, b)); }) {
      return form_.Same(std::invoke(member_, a), std::invoke(member_, b));
    } else {
      return std::invoke(member_, a) == std::invoke(member_, b);
    }
  }
  void Take(const Spec& from, Spec& to) const override {
    if constexpr (requires { form_.Take(std::invoke(member_, from), std::invoke(member_, to)); }) {
      form_.Take(std::invoke(member_, from), std::invoke(member_, to));
    } else if constexpr (requires { std::invoke(member_, to) = std::invoke(member_, from); }) {
      if (key_.change == kLive) std::invoke(member_, to) = std::invoke(member_, from);
    }
  }

 private:
  const KeySpec key_;
  const Member member_;
  const Form form_;
};

// A key with functions of its own.
template <typename Spec, typename Context>
class FreeKey final : public KeyBinding<Spec, Context> {
 public:
  using Reader = std::function<void(const Section&, Spec&, Context&)>;
  using Printing = std::function<void(YamlPrinter&, int depth, const Spec&)>;
  using Comparison = std::function<bool(const Spec&, const Spec&)>;

  FreeKey(Reader reader, Printing printing, Comparison comparison)
      : reader_(std::move(reader)),
        printing_(std::move(printing)),
        comparison_(std::move(comparison)) {}

  void Read(const Section& section, Spec& to, Context& context) const override {
    if (reader_) reader_(section, to, context);
  }
  void Print(YamlPrinter& out, int depth, const Spec& from) const override {
    if (printing_) printing_(out, depth, from);
  }
  bool Same(const Spec& a, const Spec& b) const override {
    return !comparison_ || comparison_(a, b);
  }
  void Take(const Spec& /*from*/, Spec& /*to*/) const override {}  // not while a process runs

 private:
  const Reader reader_;          // none: another row reads it as well
  const Printing printing_;      // none: another row prints it as well
  const Comparison comparison_;  // none: another row compares it as well
};

template <typename Spec, typename Context = NoContext>
struct KeyRow {
  using Free = FreeKey<Spec, Context>;
  using Binding = KeyBinding<Spec, Context>;

  KeySpec key;
  std::shared_ptr<const Binding> binding;
  std::optional<typename Free::Reader> reader{};  // reads in place of the binding
  int turn = 0;  // when it is printed, among the keys of its section

  // `member` is a pointer to a member, or a function from the struct to a reference.
  template <typename Member, typename Form>
  KeyRow(std::string_view name, Member member, Form plain, std::string_view about,
         Presence presence = kOptional, Change change = Change::kRestart) {
    auto form = FormOf(std::move(plain));
    key = {name, form.Shapes(), about, presence, change};
    binding = std::unique_ptr<const Binding>(
        new BoundKey<Spec, Context, Member, decltype(form)>(key, member, std::move(form)));
  }
  template <typename Member, typename Form>
  KeyRow(std::string_view name, Member member, Form form, std::string_view about, Change change)
      : KeyRow(name, member, std::move(form), about, kOptional, change) {}

  KeyRow(KeySpec spec, typename Free::Reader read, typename Free::Printing printing,
         typename Free::Comparison comparison)
      : key(std::move(spec)),
        binding(
            std::make_shared<Free>(std::move(read), std::move(printing), std::move(comparison))) {}

  void Read(const Section& section, Spec& to, Context& context) const {
    if (!reader) return binding->Read(section, to, context);
    if (*reader) (*reader)(section, to, context);
  }

  // The row with another reader (none: another row reads it), or printed in another turn.
  KeyRow ReadBy(typename Free::Reader read) const {
    KeyRow changed = *this;
    changed.reader = std::move(read);
    return changed;
  }
  KeyRow InTurn(int when) const {
    KeyRow changed = *this;
    changed.turn = when;
    return changed;
  }
  // The row with its own text for the reference: of its default, or of its range.
  KeyRow Default(std::string_view text) const {
    KeyRow changed = *this;
    changed.key.default_text = text;
    return changed;
  }
  KeyRow Range(std::string_view text) const {
    KeyRow changed = *this;
    changed.key.range_text = text;
    return changed;
  }
};

}  // namespace sash
