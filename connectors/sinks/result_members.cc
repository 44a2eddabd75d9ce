#include "connectors/sinks/result_members.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "connectors/sinks/time_text.h"

namespace sash {
namespace {

// Writes the values of parameters, one overload for each type of value.
struct ParameterJson {
  JsonText& json;

  void operator()(const bool* value) const { json.Bool(*value); }
  void operator()(const int* value) const { json.Integer(*value); }
  void operator()(const double* value) const { json.Number(*value); }
  template <ParameterChoice Choice>
  void operator()(const Choice* value) const {
    json.Text(ChoiceWord(*value));
  }
  void operator()(const std::vector<VertexKey>* value) const {
    json.BeginArray();
    for (const VertexKey& key : *value) json.KeyValue(key);
    json.EndArray();
  }
};

struct PluginValueJson {
  JsonText& json;

  void operator()(bool value) const { json.Bool(value); }
  void operator()(std::int64_t value) const { json.Integer(value); }
  void operator()(double value) const { json.Number(value); }
  void operator()(const std::string& value) const { json.Text(value); }
};

struct FigureWriter {
  JsonText& json;

  void operator()(std::uint64_t value) const { json.Unsigned(value); }
  void operator()(std::optional<double> value) const {
    if (value) {
      json.Number(*value);
    } else {
      json.Null();
    }
  }
  void operator()(Weight value) const { json.WeightValue(value); }
  void operator()(const std::optional<EventTime>& time) const {
    if (time) {
      json.Text(TimeText(*time));
    } else {
      json.Null();
    }
  }
};

// {topic: {partition: what `write` writes}}
template <typename Value>
void WritePlaces(const std::map<TopicPartition, Value>& places, JsonText& json, const auto& write) {
  json.BeginObject();
  const std::string* topic = nullptr;  // the map is ordered by topic, then partition
  for (const auto& [place, value] : places) {
    if (topic == nullptr || *topic != place.topic) {
      if (topic != nullptr) json.EndObject();
      topic = &place.topic;
      json.Key(place.topic).BeginObject();
    }
    json.Key(std::to_string(place.partition));
    write(value);
  }
  if (topic != nullptr) json.EndObject();
  json.EndObject();
}

}  // namespace

void WriteWindowCounts(const Provenance& from, JsonText& json, bool is_past) {
  json.Key("empty").Bool(from.empty).Key("final").Bool(from.is_final());
  if (is_past) json.Key("past").Bool(true);
  json.Key("gap").Bool(from.gap);
  if (from.accepted) json.Key("accepted").Unsigned(*from.accepted);
  json.Key("edges").Unsigned(from.edges).Key("vertices").Unsigned(from.vertices);
}

void WriteCut(const std::map<TopicPartition, std::int64_t>& cut, JsonText& json) {
  WritePlaces(cut, json, [&](std::int64_t offset) { json.Integer(offset); });
}

void WriteProvenance(const Provenance& from, JsonText& json, bool is_past) {
  json.Key("window").Text(from.window).Key("snapshot").Unsigned(from.snapshot.value);
  json.Key("window_start").Text(TimeText(from.window_start));
  json.Key("window_end").Text(TimeText(from.window_end)).Key("watermark");
  if (from.watermark) {
    json.Text(TimeText(*from.watermark));
  } else {
    json.Null();
  }
  WriteWindowCounts(from, json, is_past);
  json.Key("late").Unsigned(from.late).Key("refused").Unsigned(from.refused);
  json.Key("offsets");
  WritePlaces(from.offsets, json, [&](const OffsetSpan& span) {
    json.BeginArray().Integer(span.least).Integer(span.greatest).EndArray();
  });
  if (from.cut) WriteCut(*from.cut, json.Key("cut"));
}

void WriteParameters(const JobParameters& parameters, JsonText& json) {
  if (const auto* plugin = std::get_if<PluginParameters>(&parameters)) {
    json.Key("plugin").Text(plugin->kernel ? plugin->kernel->title : plugin->file);
    for (const PluginParameter& each : plugin->values) {
      std::visit(PluginValueJson{json.Key(each.name)}, each.value);
    }
    return;
  }
  std::vector<std::string_view> given;
  VisitParameters(parameters, [&](const Parameter& parameter, const ConstParameterValue& value) {
    if (!IsNothing(value)) given.push_back(parameter.name);
  });
  VisitParameters(parameters, [&](const Parameter& parameter, const ConstParameterValue& value) {
    const std::string_view condition = parameter.shown_with;
    if (!condition.empty() && std::ranges::find(given, condition) == given.end()) return;
    json.Key(parameter.name);
    const std::string_view word = WordFor(parameter, value);
    if (word.empty()) {
      std::visit(ParameterJson{json}, value);
    } else {
      json.Text(word);
    }
  });
}

void WriteBaseline(const ResultBaseline& baseline, JsonText& json) {
  json.Key("baseline");
  if (baseline.results == 0) {
    json.Null().Key("baseline_missing").Text(baseline.missing);
    return;
  }
  json.BeginObject().Key("job").Text(baseline.job).Key("window").Text(baseline.window);
  json.Key("window_end").Text(TimeText(baseline.window_end));
  if (baseline.accepted) json.Key("accepted").Unsigned(*baseline.accepted);
  json.Key("results").Unsigned(baseline.results);
  json.Key("vertices").Number(baseline.vertices).EndObject();
}

void WriteComparison(const ComparedRow& row, JsonText& json) {
  const auto number = [&](std::string_view name, double value) {
    json.Key(name);
    if (std::isnan(value)) {
      json.Null();
    } else {
      json.Number(value);
    }
  };
  number("baseline_score", row.score);
  json.Key("baseline_rank");
  if (row.rank > 0) {
    json.Unsigned(row.rank).Key("rank_change").Integer(row.rank_change);
  } else {
    json.Null().Key("rank_change").Null();
  }
  number("surprise", row.surprise);
}

void WriteFigures(const std::vector<ResultFigure>& figures, bool of_run, JsonText& json) {
  for (const ResultFigure& figure : figures) {
    if (figure.is_of_run == of_run) {
      std::visit(FigureWriter{json.Key(figure.name)}, figure.value);
    }
  }
}

}  // namespace sash
