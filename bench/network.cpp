// A network between namespaces, with the bandwidth and the delay that are asked for; for bench/network.py, as root.
//
//   bench_network BITS_PER_SECOND DELAY_SECONDS NAMESPACE...
//
// Every namespace gets a device net0. What it sends to 198.18.0.(k + 1) is handed to namespace k after the delay, and
// not before the link of the sender and that of the receiver have had time for it and for all before it. Nothing is
// lost: a sender whose link is busy for long is not read from, which the kernel tells its programs. Says "ready" when
// the devices are there and ends with its standard input, taking the devices along.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// How far a link may be behind before its sender is not read from: as much as a short queue of a network card.
constexpr double kLongestQueue = 0.005;
constexpr std::size_t kLongestPacket = 65'536;
// The destination of an IPv4 packet ends with this byte, and the version is in the upper half of the first one.
constexpr std::size_t kLastByteOfAddress = 19;

int checked(int code, const std::string& what) {
  if (code < 0) throw std::runtime_error(what + ": " + std::strerror(errno));
  return code;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// The kernel's end is the device net0 in that namespace.
int open_device(const std::string& name) {
  const int space = checked(::open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC), name);
  checked(::setns(space, CLONE_NEWNET), "setns");
  ::close(space);
  const int device = checked(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), "/dev/net/tun");
  ifreq request{};
  request.ifr_flags = static_cast<short>(IFF_TUN | IFF_NO_PI);
  std::strcpy(request.ifr_name, "net0");
  checked(::ioctl(device, TUNSETIFF, &request), "TUNSETIFF");
  return device;
}

struct Packet {
  double at;            // when it arrives
  std::uint64_t order;  // of two at the same time, the first goes first
  std::size_t to;
  std::vector<char> bytes;
};
struct Later {
  bool operator()(const Packet& a, const Packet& b) const { return a.at != b.at ? a.at > b.at : a.order > b.order; }
};

struct Node {
  int device = -1;
  double out_is_free = 0, in_is_free = 0;  // when the link has sent, or received, all that it has been given
  bool is_read = true;
};

class Network {
 public:
  Network(double rate, double delay, const std::vector<std::string>& names) : rate_(rate), delay_(delay) {
    poll_ = checked(::epoll_create1(EPOLL_CLOEXEC), "epoll");
    timer_ = checked(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), "timerfd");
    for (const std::string& name : names) nodes_.push_back({.device = open_device(name)});
    for (std::size_t k = 0; k < nodes_.size(); ++k) watch(nodes_[k].device, k, EPOLLIN, EPOLL_CTL_ADD);
    watch(timer_, kTimer, EPOLLIN, EPOLL_CTL_ADD);
    watch(STDIN_FILENO, kInput, EPOLLIN, EPOLL_CTL_ADD);
  }

  void run() {
    while (true) {
      epoll_event events[16];
      const int count = ::epoll_wait(poll_, events, 16, -1);
      if (count < 0 && errno != EINTR) checked(count, "epoll_wait");
      for (int e = 0; e < count; ++e) {
        if (events[e].data.u64 == kInput) return;
        if (events[e].data.u64 < nodes_.size()) take_from(events[e].data.u64);
      }
      deliver();
      set_timer();
    }
  }

 private:
  static constexpr std::uint64_t kTimer = 1'000'000, kInput = 1'000'001;

  void watch(int file, std::uint64_t who, std::uint32_t events, int what) const {
    epoll_event event{};
    event.events = events;
    event.data.u64 = who;
    checked(::epoll_ctl(poll_, what, file, &event), "epoll_ctl");
  }

  void take_from(std::size_t from) {
    Node& sender = nodes_[from];
    while (sender.out_is_free < now() + kLongestQueue) {
      const ssize_t size = ::read(sender.device, buffer_.data(), buffer_.size());
      if (size <= static_cast<ssize_t>(kLastByteOfAddress)) return;
      const auto to = static_cast<std::size_t>(static_cast<unsigned char>(buffer_[kLastByteOfAddress])) - 1;
      if ((buffer_[0] >> 4) != 4 || to >= nodes_.size()) continue;  // multicast, and other versions
      const double takes = 8 * static_cast<double>(size) / rate_;
      sender.out_is_free = std::max(now(), sender.out_is_free) + takes;
      Node& receiver = nodes_[to];
      // The first bit can be received before the last one has been sent.
      receiver.in_is_free = std::max(sender.out_is_free + delay_, receiver.in_is_free + takes);
      packets_.push({receiver.in_is_free, ++order_, to, {buffer_.begin(), buffer_.begin() + size}});
    }
    sender.is_read = false;
    watch(sender.device, from, 0, EPOLL_CTL_MOD);
  }

  void deliver() {
    const double time = now();
    for (; !packets_.empty() && packets_.top().at <= time; packets_.pop()) {
      const Packet& packet = packets_.top();
      // A device that is not up yet refuses, as a cable that is not plugged in would.
      static_cast<void>(!::write(nodes_[packet.to].device, packet.bytes.data(), packet.bytes.size()));
    }
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (nodes_[k].is_read || nodes_[k].out_is_free >= time + kLongestQueue / 2) continue;
      nodes_[k].is_read = true;
      watch(nodes_[k].device, k, EPOLLIN, EPOLL_CTL_MOD);
    }
  }

  // The next packet arrives, or a sender is read from again.
  void set_timer() const {
    double at = packets_.empty() ? HUGE_VAL : packets_.top().at;
    for (const Node& node : nodes_)
      if (!node.is_read) at = std::min(at, node.out_is_free - kLongestQueue / 2);
    itimerspec wanted{};
    if (std::isfinite(at)) {
      const double wait = std::max(at - now(), 1e-9);
      wanted.it_value.tv_sec = static_cast<time_t>(wait);
      wanted.it_value.tv_nsec = static_cast<long>(1e9 * (wait - std::floor(wait)));
    }
    checked(::timerfd_settime(timer_, 0, &wanted, nullptr), "timerfd_settime");
  }

  double rate_, delay_;
  std::vector<Node> nodes_;
  std::priority_queue<Packet, std::vector<Packet>, Later> packets_;
  std::vector<char> buffer_ = std::vector<char>(kLongestPacket);
  std::uint64_t order_ = 0;
  int poll_ = -1, timer_ = -1;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4) throw std::runtime_error("usage: bench_network BITS_PER_SECOND DELAY_SECONDS NAMESPACE...");
    // Packets wait for their time, not for a processor that the ranks keep busy.
    const sched_param priority{.sched_priority = 1};
    static_cast<void>(::sched_setscheduler(0, SCHED_FIFO, &priority));
    Network network(std::atof(argv[1]), std::atof(argv[2]), {argv + 3, argv + argc});
    std::puts("ready");
    std::fflush(stdout);
    network.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_network: %s\n", error.what());
    return 1;
  }
}
