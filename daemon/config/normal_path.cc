#include "daemon/config/normal_path.h"

#include <filesystem>
#include <system_error>

namespace sash {

std::string NormalPath(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
  return (failure ? std::filesystem::path(path) : absolute).lexically_normal().string();
}

}  // namespace sash
