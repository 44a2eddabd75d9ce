// Forms of the keys of source.time that say how event times are written: unit, base, format, zone.
//
// Thread safety: values.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "connectors/codec/format_spec.h"
#include "daemon/config/key_row.h"

namespace sash {

struct TimeUnitForm {
  std::vector<Shape> Shapes() const;
  void Read(const Section& time, const KeySpec& key, FormatSpec& format) const;
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const FormatSpec& format) const;
  bool Same(const FormatSpec& a, const FormatSpec& b) const;
};

struct TimeBaseForm {
  std::vector<Shape> Shapes() const;
  void Read(const Section& time, const KeySpec& key, EventTime& base) const;
  void Print(YamlPrinter& out, int depth, const KeySpec& key, EventTime base) const;
};

struct TimeFormatForm {
  std::vector<Shape> Shapes() const;
  void Read(const Section& time, const KeySpec& key, FormatSpec& format) const;
  void Print(YamlPrinter& out, int depth, const KeySpec& key, const FormatSpec& format) const;
  bool Same(const FormatSpec& a, const FormatSpec& b) const;
};

TextForm ZoneForm();

// The rows of these keys, and their names.
const KeyRows<FormatSpec>& TimeTextRows();
std::array<std::string_view, 4> TimeTextKeys();

// Copies the values of these keys.
void TakeTimeText(const FormatSpec& from, FormatSpec& to);

// The rules between these keys.
void CheckTimeText(const Section& time, const FormatSpec& format);

}  // namespace sash
