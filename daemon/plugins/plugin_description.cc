#include "daemon/plugins/plugin_description.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "windows/base/json_nesting.h"

namespace sash {
namespace {

using DescriptionJson = nlohmann::json;

Error NotUnderstood() {
  return {ErrorCode::kInvalidArgument,
          "cannot be used: sashd does not understand its process's description of it"};
}

int NeverRun(const sash_run* /*run*/) { return -1; }

// The members of a description; a missing one, or one of another type, is nothing.
class DescriptionReader {
 public:
  explicit DescriptionReader(const DescriptionJson& json) : json_(json) {}

  const char* Text(const char* name, std::list<std::string>& texts) {
    const DescriptionJson member = json_.value(name, DescriptionJson());
    if (!member.is_string()) return nullptr;
    return texts.emplace_back(member.get<std::string>()).c_str();
  }
  std::uint64_t Whole(const char* name) {
    const DescriptionJson member = json_.value(name, DescriptionJson());
    return member.is_number_unsigned() ? member.get<std::uint64_t>() : UINT64_MAX;
  }
  std::vector<const char*> Texts(const char* name, std::list<std::string>& texts) {
    std::vector<const char*> found;
    for (const DescriptionJson& each : json_.value(name, DescriptionJson::array())) {
      if (each.is_string()) found.push_back(texts.emplace_back(each.get<std::string>()).c_str());
    }
    found.push_back(nullptr);
    return found;
  }

 private:
  const DescriptionJson& json_;
};

}  // namespace

std::string DescriptionOf(const PluginLibrary& library) {
  const sash_kernel& table = library.table;
  DescriptionJson json = {{"name", table.name},
                          {"version", table.version},
                          {"about", table.about},
                          {"output", table.output},
                          {"bytes_per_vertex", table.bytes_per_vertex},
                          {"bytes_per_edge", table.bytes_per_edge},
                          {"figures", library.figures}};
  if (table.parameters != nullptr) json["parameters"] = table.parameters;
  return json.dump(-1, ' ', false, DescriptionJson::error_handler_t::replace);
}

Result<std::shared_ptr<const PluginLibrary>> LibraryFrom(std::string_view description,
                                                         const std::string& file) {
  if (IsNestedTooDeeply(description)) return NotUnderstood();
  const DescriptionJson json =
      DescriptionJson::parse(description, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return NotUnderstood();
  DescriptionReader reader(json);
  auto library = std::make_shared<DescribedLibrary>();
  library->file = file;
  const std::vector<const char*> figures = reader.Texts("figures", library->texts);
  const std::uint64_t output = reader.Whole("output");
  library->table = {.size = sizeof(sash_kernel),
                    .abi = SASH_ABI,
                    .output = output > SASH_EDGES ? 0 : static_cast<std::uint32_t>(output),
                    .name = reader.Text("name", library->texts),
                    .version = reader.Text("version", library->texts),
                    .about = reader.Text("about", library->texts),
                    .parameters = reader.Text("parameters", library->texts),
                    .figures = figures.data(),
                    .bytes_per_vertex = reader.Whole("bytes_per_vertex"),
                    .bytes_per_edge = reader.Whole("bytes_per_edge"),
                    .run = NeverRun};
  if (Status filled = FillLibrary(*library); !filled) return std::move(filled).error();
  library->table.figures = nullptr;  // PluginKernel::figures has them
  return std::shared_ptr<const PluginLibrary>(std::move(library));
}

}  // namespace sash
