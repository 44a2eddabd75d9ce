#include "windows/jobs/plugin/plugin_call.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <variant>

#include "windows/base/parallel.h"
#include "windows/jobs/kept_reason.h"
#include "windows/jobs/key_order.h"
#include "windows/jobs/plugin/plugin_lists.h"

namespace sash {
namespace {

const PluginValue* ValueOf(const PluginSetting& setting, const char* name) {
  if (name == nullptr) return nullptr;
  const auto found = std::ranges::find(setting.values, name, &PluginParameter::name);
  return found == setting.values.end() ? nullptr : &found->value;
}

template <typename Type>
const Type* ValueAs(const PluginSetting& setting, const char* name) {
  const PluginValue* const value = ValueOf(setting, name);
  return value == nullptr ? nullptr : std::get_if<Type>(value);
}

std::string WhatWasThrown() {
  try {
    throw;
  } catch (const std::exception& thrown) {
    return std::string("it threw an exception: ") + thrown.what();
  } catch (...) {
    return "it threw an exception";
  }
}

}  // namespace

// The functions of sash_run.
struct PluginFunctions {
  static PluginCall& CallOf(const sash_run* run) {
    return *static_cast<const PluginCall::Handle*>(run)->call;
  }
  static const PluginSetting& SettingOf(const sash_run* run) { return CallOf(run).setting_; }

  static double Number(const sash_run* run, const char* name) {
    if (const auto* real = ValueAs<double>(SettingOf(run), name)) return *real;
    const auto* const whole = ValueAs<std::int64_t>(SettingOf(run), name);
    return whole == nullptr ? 0 : static_cast<double>(*whole);
  }
  static std::int64_t Integer(const sash_run* run, const char* name) {
    const auto* const whole = ValueAs<std::int64_t>(SettingOf(run), name);
    return whole == nullptr ? 0 : *whole;
  }
  static int Boolean(const sash_run* run, const char* name) {
    const auto* const truth = ValueAs<bool>(SettingOf(run), name);
    return truth != nullptr && *truth ? 1 : 0;
  }
  static const char* Text(const sash_run* run, const char* name) {
    const auto* const text = ValueAs<std::string>(SettingOf(run), name);
    return text == nullptr ? "" : text->c_str();
  }

  static int ReadLists(const sash_run* run, int direction, unsigned with, std::size_t first,
                       std::size_t last, sash_visit visit, void* state) {
    PluginCall& call = CallOf(run);
    return ReadPluginLists(call.setting_.view, direction, with, first, last, call.stop_, visit,
                           state);
  }
  static void Degrees(const sash_run* run, int direction, std::size_t first, std::size_t last,
                      std::uint32_t* degrees) {
    ReadPluginDegrees(SettingOf(run).view, direction, first, last, degrees);
  }

  static std::size_t Key(const sash_run* run, sash_id vertex, char* buffer, std::size_t room) {
    const PluginCall& call = CallOf(run);
    if (!HasEdge(call.setting_.view, vertex)) return 0;
    char digits[24];
    std::string_view text;
    if (call.keys_.kind() == KeyKind::kString) {
      text = call.keys_.TextOf(vertex);
    } else {
      const auto printed =
          std::to_chars(digits, digits + sizeof(digits), call.keys_.IntegerOf(vertex));
      text = std::string_view(digits, static_cast<std::size_t>(printed.ptr - digits));
    }
    if (buffer != nullptr) std::memcpy(buffer, text.data(), std::min(room, text.size()));
    return text.size();
  }
  static std::int64_t IntegerKey(const sash_run* run, sash_id vertex) {
    const PluginCall& call = CallOf(run);
    if (call.keys_.kind() != KeyKind::kInteger || !HasEdge(call.setting_.view, vertex)) return 0;
    return call.keys_.IntegerOf(vertex);
  }
  static sash_id Find(const sash_run* run, const char* key, std::size_t length) {
    const PluginCall& call = CallOf(run);
    const std::string_view text(key == nullptr ? "" : key, key == nullptr ? 0 : length);
    VertexKey wanted = std::string(text);
    if (call.keys_.kind() == KeyKind::kInteger) {
      std::int64_t number = 0;
      const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
      if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return SASH_NO_ID;
      wanted = number;
    }
    const std::optional<VertexId> id = call.keys_.Find(wanted);
    return id && HasEdge(call.setting_.view, *id) ? *id : SASH_NO_ID;
  }
  static void OrderByKeyOf(const sash_run* run, sash_id* vertices) {
    const PluginCall& call = CallOf(run);
    std::ranges::copy(OrderByKey(call.setting_.view, call.keys_, {}).by_place, vertices);
  }
  static const char* TypeWord(const sash_run* run, std::uint32_t type, std::size_t* length) {
    const TypeTable& types = CallOf(run).keys_.types();
    const std::string_view word = type > types.size() ? std::string_view() : types.WordOf(type);
    if (length != nullptr) *length = word.size();
    return word.empty() ? "" : word.data();
  }

  static void ParallelFor(const sash_run* run, std::size_t count, std::size_t block, sash_body body,
                          void* state) {
    PluginCall& call = CallOf(run);
    ParallelBlocks(count, std::max<std::size_t>(block, 1), call.setting_.threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     if (call.stop_.load(std::memory_order_relaxed)) return;
                     try {
                       body(state, begin, end);
                     } catch (...) {
                       const MutexLock lock(call.mutex_);
                       call.Complain(RunFault::kPluginFailed, WhatWasThrown());
                     }
                   });
  }

  static int Progress(const sash_run* run, int iteration, double residual) {
    PluginCall& call = CallOf(run);
    const MutexLock lock(call.mutex_);
    call.report_ = {iteration, residual};
    return ShouldStop(run);
  }
  static int ShouldStop(const sash_run* run) {
    return CallOf(run).stop_.load(std::memory_order_relaxed) ? 1 : 0;
  }

  static int PutScores(const sash_run* run, const double* scores, const std::uint8_t* has,
                       std::size_t count) {
    return CallOf(run).Put(
        [&](PluginAnswerReader& answer) { return answer.TakeScores(scores, has, count); });
  }
  static int PutSets(const sash_run* run, const std::uint32_t* sets, std::size_t count) {
    return CallOf(run).Put(
        [&](PluginAnswerReader& answer) { return answer.TakeSets(sets, count); });
  }
  static int PutDepths(const sash_run* run, const std::int32_t* depths, std::size_t count) {
    return CallOf(run).Put(
        [&](PluginAnswerReader& answer) { return answer.TakeDepths(depths, count); });
  }
  static int PutEdges(const sash_run* run, const sash_id* sources, const sash_id* targets,
                      std::size_t count) {
    return CallOf(run).Put(
        [&](PluginAnswerReader& answer) { return answer.TakeEdges(sources, targets, count); });
  }
  static int PutFigure(const sash_run* run, const char* name, double value) {
    return CallOf(run).Put(
        [&](PluginAnswerReader& answer) { return answer.TakeFigure(name, value); });
  }
  static void Fail(const sash_run* run, const char* why) {
    PluginCall& call = CallOf(run);
    const MutexLock lock(call.mutex_);
    const bool says_why = why != nullptr && *why != '\0';
    call.Complain(RunFault::kPluginFailed, says_why ? why : "it does not say why");
  }
};

PluginCall::PluginCall(PluginSetting setting, const VertexDictionary& keys)
    : setting_(std::move(setting)), keys_(keys), answer_(*setting_.kernel, setting_.view) {
  FillHandle();
}

void PluginCall::FillHandle() {
  using Functions = PluginFunctions;
  handle_.call = this;
  handle_.size = sizeof(sash_run);
  handle_.abi = SASH_ABI;
  handle_.key_kind = keys_.kind() == KeyKind::kInteger ? SASH_KEYS_INTEGER : SASH_KEYS_TEXT;
  VisitView(setting_.view, [&](const auto& graph) {
    const std::span<const VertexId> vertices = graph.vertices();
    handle_.vertex_count = vertices.size();
    handle_.vertices = vertices.data();
    handle_.edge_count = graph.edge_count();
    handle_.id_limit = graph.id_limit();
  });
  handle_.parameters = setting_.json.c_str();
  handle_.number = Functions::Number;
  handle_.integer = Functions::Integer;
  handle_.boolean = Functions::Boolean;
  handle_.text = Functions::Text;
  handle_.read_lists = Functions::ReadLists;
  handle_.degrees = Functions::Degrees;
  handle_.key = Functions::Key;
  handle_.integer_key = Functions::IntegerKey;
  handle_.find = Functions::Find;
  handle_.order_by_key = Functions::OrderByKeyOf;
  handle_.type_word = Functions::TypeWord;
  handle_.parallel_for = Functions::ParallelFor;
  handle_.progress = Functions::Progress;
  handle_.should_stop = Functions::ShouldStop;
  handle_.put_scores = Functions::PutScores;
  handle_.put_sets = Functions::PutSets;
  handle_.put_depths = Functions::PutDepths;
  handle_.put_edges = Functions::PutEdges;
  handle_.put_figure = Functions::PutFigure;
  handle_.fail = Functions::Fail;
}

void PluginCall::Run() {
  most_threads = setting_.most_threads;
  KeepInnerLoopsSerial();
  handle_.threads = static_cast<std::uint32_t>(ThreadCount(setting_.threads));
  int returned = -1;
  std::optional<std::string> thrown;
  try {
    returned = setting_.kernel->table.run(&handle_);
  } catch (...) {
    thrown = WhatWasThrown();
  }
  const MutexLock lock(mutex_);
  if (thrown) {
    Complain(RunFault::kPluginFailed, *std::move(thrown));
  } else if (returned != 0) {
    Complain(RunFault::kPluginFailed, "it returned " + std::to_string(returned));
  } else if (!answer_.is_given()) {
    Complain(RunFault::kWrongAnswer, "it returned 0 without an answer");
  }
  ended_ = true;
  ended_changed_.NotifyAll();
}

bool PluginCall::AwaitEnd(Duration patience) {
  const SteadyTime until = std::chrono::steady_clock::now() + patience;
  const MutexLock lock(mutex_);
  while (!ended_) {
    if (!ended_changed_.WaitUntil(mutex_, until)) break;
  }
  return ended_;
}

PluginCall::Report PluginCall::report() const {
  const MutexLock lock(mutex_);
  return report_;
}

// The first reason stays: what follows is often its consequence.
void PluginCall::Complain(RunFault fault, std::string why) {
  if (failure_) return;
  failure_ =
      RunFailure{fault, "plug-in " + setting_.kernel->title + ": " + KeptReason(std::move(why))};
}

template <typename Taken>
int PluginCall::Put(const Taken& taken) {
  const MutexLock lock(mutex_);
  if (PluginComplaint wrong = taken(answer_)) {
    Complain(RunFault::kWrongAnswer, *std::move(wrong));
    return -1;
  }
  return 0;
}

std::optional<RunFailure> PluginCall::TakeFailure() {
  const MutexLock lock(mutex_);
  return std::move(failure_);
}

PluginAnswer PluginCall::TakeAnswer() {
  const MutexLock lock(mutex_);
  return answer_.Take();
}

}  // namespace sash
