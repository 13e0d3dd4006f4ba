// The message of the InputError that a call throws.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "pdbfw/errors.hpp"

namespace pdbfw::test {

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

template <class Call>
void expect_error(const Call& call, const std::string& message) {
  EXPECT_EQ(message_of([&] { (void)call(); }), message);
}

}  // namespace pdbfw::test
