#include "cli/interrupt.hpp"

namespace pdbfw::cli {
namespace {

// A signal handler can reach nothing but a global.
volatile std::sig_atomic_t is_flag_raised = 0;

void raise_flag(int) { is_flag_raised = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  is_flag_raised = 0;
  struct sigaction polite {};
  polite.sa_handler = raise_flag;
  sigemptyset(&polite.sa_mask);
  // SA_RESETHAND: the second signal finds the default action again.
  polite.sa_flags = static_cast<int>(SA_RESETHAND | static_cast<unsigned>(SA_RESTART));
  sigaction(SIGINT, &polite, &old_int_);
  sigaction(SIGTERM, &polite, &old_term_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

bool InterruptGuard::is_requested() const { return is_interrupt_requested(); }

bool is_interrupt_requested() { return is_flag_raised != 0; }

}  // namespace pdbfw::cli
