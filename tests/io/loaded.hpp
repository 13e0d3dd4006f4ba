// Bytes as if they came from a file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "io/bytes/input.hpp"

namespace pdbfw::test {

inline LoadedFile loaded(std::string bytes) {
  const auto storage = std::make_shared<const std::string>(std::move(bytes));
  return {std::as_bytes(std::span(*storage)), storage};
}

}  // namespace pdbfw::test
