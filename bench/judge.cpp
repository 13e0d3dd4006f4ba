// The judge of bench/peers: one problem on real data, whose points it certifies and which it solves itself.
//
//   bench_judge DATA LOSS RADIUS RIDGE        then one command a line on standard input, one JSON object a line as
//   answer:
//     certify FILE             the point in FILE (d doubles, as in memory), brought into the ball: how good is it?
//     solve TOL SECONDS FILE   pdbfw with default settings; its point goes to FILE
//
// Times are processor seconds and seconds on the clock; memory is what the process holds now and held at most.
#include "core/judge.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "pdbfw/pdbfw.hpp"

namespace pdbfw {
namespace {

using Json = nlohmann::ordered_json;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Timer {
 public:
  [[nodiscard]] Json json() const {
    return {{"seconds", clock_.seconds()}, {"cpu_seconds", processor_seconds() - begin_}};
  }

 private:
  Stopwatch clock_;
  double begin_ = processor_seconds();
};

// In megabytes, from the kernel's own account of this process: VmRSS (now) or VmHWM (the most since the last reset).
double memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kilobytes = 0; word == name + ":" && status >> kilobytes) return kilobytes / 1024;
  return std::numeric_limits<double>::quiet_NaN();
}

void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::vector<double> read_point(const std::string& path, Index d) {
  std::vector<double> x(static_cast<std::size_t>(d));
  const auto bytes = static_cast<std::streamsize>(x.size() * sizeof(double));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(x.data()), bytes);
  if (file.gcount() != bytes) throw InputError(path, std::to_string(file.gcount()) + " bytes", "one double a feature");
  return x;
}

void write_point(const std::string& path, const std::vector<double>& x) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(x.data()), static_cast<std::streamsize>(x.size() * sizeof(double)));
}

double l1_norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += std::abs(value);
  return sum;
}

// The multiplier of the radius at a solution x whose constraint is active: max_j |grad_j P(x)|, and <-grad P(x), x> /
// |x|_1, which is the same there and below it elsewhere.
struct Multiplier {
  double largest = 0;
  double mean = 0;
};

Multiplier multiplier(const Problem& problem, const std::vector<double>& x) {
  std::vector<double> gradient(x.size());
  multiply_transposed(*problem.A, dual_candidate(problem, x), gradient);
  for (double& g : gradient) g /= static_cast<double>(problem.n());
  problem.regulariser->add_gradient(x, gradient);
  Multiplier found;
  for (std::size_t j = 0; j < x.size(); ++j) {
    found.largest = std::max(found.largest, std::abs(gradient[j]));
    found.mean -= gradient[j] * x[j];
  }
  found.mean /= std::max(l1_norm(x), std::numeric_limits<double>::min());
  return found;
}

// A penalised method misses the radius by a little. It is judged at the better of two points: its own, shrunk into the
// ball if need be, and the one on the same ray that meets the radius.
Certificate judge(const Problem& problem, std::vector<double> x) {
  const double norm = l1_norm(x), radius = problem.set->radius();
  const auto certified = [&](double scale) {
    std::vector<double> scaled(x);
    for (double& value : scaled) value *= scale;
    return certify(problem, scaled, dual_candidate(problem, scaled));
  };
  const Certificate on_sphere = certified(norm > 0 ? radius / norm : 1);
  if (norm >= radius) return on_sphere;
  const Certificate own = certified(1);
  return own.gap < on_sphere.gap ? own : on_sphere;
}

Json certify_file(const Problem& problem, const std::string& path) {
  const std::vector<double> x = read_point(path, problem.d());
  const Certificate c = judge(problem, x);
  const Multiplier m = multiplier(problem, x);
  const auto nonzeros = x.size() - static_cast<std::size_t>(std::count(x.begin(), x.end(), 0.0));
  return {{"primal", c.primal},   {"dual", c.dual},          {"relative_gap", c.relative_gap}, {"l1_norm", l1_norm(x)},
          {"nonzeros", nonzeros}, {"multiplier", m.largest}, {"mean_multiplier", m.mean}};
}

Json solve_to_file(const Problem& problem, double tol, double seconds, const std::string& path) {
  reset_peak();
  const Timer timer;
  const double begin = processor_seconds();
  const Result result =
      solve(problem, {.tol = tol}, [&](const Progress&) { return processor_seconds() - begin < seconds; });
  Json answer = timer.json();
  write_point(path, result.x);
  answer["peak_mb"] = memory("VmHWM");
  answer["status"] = to_string(result.status);
  answer["relative_gap"] = result.certificate.relative_gap;
  answer["primal"] = result.certificate.primal;
  answer["dual"] = result.certificate.dual;
  answer["solver"] = result.solver;
  return answer;
}

Json answer(const Problem& problem, const std::string& line) {
  std::istringstream words(line);
  std::string command, path;
  words >> command;
  if (command == "certify" && words >> path) return certify_file(problem, path);
  if (double tol = 0, seconds = 0; command == "solve" && words >> tol >> seconds >> path)
    return solve_to_file(problem, tol, seconds, path);
  throw InputError("command", line, "certify FILE or solve TOL SECONDS FILE");
}

void serve(const std::vector<std::string>& arguments) {
  const std::string& loss = arguments[1];
  const Dataset data = read_dataset(arguments[0]);
  const bool is_regression = loss == "squared" || loss == "huber";
  const Problem problem =
      make_problem(data.A, is_regression ? data.target : encode_labels(data.target).sign,
                   {.loss = loss, .radius = std::stod(arguments[2]), .ridge = Ridge::parse(arguments[3])});
  const double before = memory("VmRSS");
  const Timer timer;
  static_cast<void>(data.A->by_column());
  Json shape = timer.json();
  shape.update({{"n", problem.n()}, {"d", problem.d()}, {"nonzeros", data.A->nonzeros()}, {"data_mb", before}});
  std::cout << shape << std::endl;
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(problem, line) << std::endl;
}

}  // namespace
}  // namespace pdbfw

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() != 4) {
    std::cerr << "usage: bench_judge DATA LOSS RADIUS RIDGE\n";
    return 1;
  }
  try {
    pdbfw::serve(arguments);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
