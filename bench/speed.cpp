// How long solves take, in pass pairs, on one data set: `bench_speed '{"data": FILE, "cases": [...], ...}'` prints one
// JSON object a line for every run that is asked for. The scripts beside it (speed.py, scaling.py, split.py) ask and
// make tables of the answers.
//
//   data          a data file, or a recipe {"rows": ..., "features": ..., "row_nonzeros": ..., "support": ...}
//   cases         [{"radius": 300, "ridge": "10/n"}, ...]; with "radii" instead: a path over them, beside solves of
//   each alone repeats       of every solve, in turns; the pass pair is measured anew before each of them engines also
//   the engines of auto alone, cut off at 4 times the time that auto took threads       also auto with this number of
//   threads tol           1e-6 if not given; a path may have its own max_seconds   of one solve
#include <algorithm>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linalg/pass_pair.hpp"
#include "pdbfw/pdbfw.hpp"

namespace pdbfw {
namespace {

using Json = nlohmann::ordered_json;

// Processor time of all threads: what neighbours on the same machine cannot disturb much.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The pass pair in processor time: the library's own measure is by the clock on the wall.
double cpu_pass_pair(const DataMatrix& A) {
  constexpr double kEnoughSeconds = 0.1;
  const std::vector<double> x(static_cast<std::size_t>(A.columns()), 1.0), y(static_cast<std::size_t>(A.rows()), 1.0);
  std::vector<double> w(y.size()), z(x.size());
  const double start = cpu_seconds();
  double seconds = 0;
  int pairs = 0;
  while (pairs < 3 || seconds < kEnoughSeconds) {
    multiply(A, x, w);
    multiply_transposed(A, y, z);
    seconds = cpu_seconds() - start;
    ++pairs;
  }
  return seconds / pairs;
}

struct Loaded {
  Dataset data;
  double load_seconds = 0;
  double transpose_seconds = 0;
};

Loaded load(const Json& source) {
  Loaded out;
  const double start = cpu_seconds();
  if (source.is_string()) {
    out.data = read_dataset(source.get<std::string>());
    out.data.target = encode_labels(out.data.target).sign;
  } else {
    const Synthetic usual;
    out.data = generate({.rows = source.value("rows", usual.rows),
                         .features = source.value("features", usual.features),
                         .row_nonzeros = source.value("row_nonzeros", usual.row_nonzeros),
                         .support = source.value("support", usual.support)})
                   .data;
  }
  out.load_seconds = cpu_seconds() - start;
  (void)out.data.A->by_row();
  (void)out.data.A->by_column();
  out.transpose_seconds = cpu_seconds() - start - out.load_seconds;
  return out;
}

struct Contender {
  Settings settings;
  Result last{};
  bool is_out = false;                                            // a solve that failed is not repeated
  std::vector<double> seconds{}, cpu{}, pass_pair{}, cpu_pair{};  // one a repeat
};

void run_once(const Problem& problem, Contender& who) {
  if (who.is_out) return;
  const double pass_pair = measure_pass_pair(*problem.A), cpu_pair = cpu_pass_pair(*problem.A);
  const double start = cpu_seconds();
  try {
    who.last = solve(problem, who.settings);
  } catch (const InputError&) {
    if (who.settings.solver == "auto") throw;
    who.is_out = true;  // not every engine takes every problem
    return;
  }
  who.cpu.push_back(cpu_seconds() - start);
  who.seconds.push_back(who.last.seconds);
  who.pass_pair.push_back(pass_pair);
  who.cpu_pair.push_back(cpu_pair);
  who.is_out = who.last.status != Status::converged;
}

// Auto first. The engines alone are given some times the time that it took.
std::vector<Contender> contest(const Problem& problem, const Json& question) {
  constexpr double kPatience = 4, kLeastSeconds = 0.1;
  Settings settings;
  settings.tol = question.value("tol", 1e-6);
  settings.max_seconds = question.value("max_seconds", 60.0);
  std::vector<Contender> all{{settings}};
  run_once(problem, all.front());
  if (const int threads = question.value("threads", 1); threads > 1) {
    all.push_back({settings});
    all.back().settings.threads = threads;
  }
  settings.max_seconds = std::max(kPatience * all.front().seconds.front(), kLeastSeconds);
  for (const char* engine : {"sequential", "working_set"}) {
    if (!question.value("engines", false)) break;
    all.push_back({settings});
    all.back().settings.solver = engine;
  }
  // In turns, so that what else happens on the machine meets all alike.
  for (int r = 0; r < question.value("repeats", 1); ++r)
    for (Contender& who : all)
      if (r > 0 || &who != &all.front()) run_once(problem, who);
  return all;
}

Json trace(const Result& result) {
  Json points = Json::array();
  for (const TracePoint& point : result.trace)
    points.push_back({point.seconds, point.relative_gap, point.is_certified ? 1 : 0});
  return points;
}

Json to_json(const Contender& who, const Problem& problem) {
  const auto nonzeros = std::ranges::count_if(who.last.x, [](double value) { return value != 0; });
  // A certificate as the solver asks for it, to tell what part of the solve they are.
  const double start = cpu_seconds();
  (void)certify(problem, who.last.x, who.last.y);
  const double certificate = cpu_seconds() - start;
  return {{"solver", who.settings.solver},
          {"threads", who.settings.threads},
          {"engines", who.last.solver},
          {"status", to_string(who.last.status)},
          {"relative_gap", who.last.certificate.relative_gap},
          {"nonzeros", nonzeros},
          {"iterations", who.last.work.iterations},
          {"passes", who.last.work.data_passes},
          {"certificate_seconds", certificate},
          {"seconds", who.seconds},
          {"cpu", who.cpu},
          {"pass_pair", who.pass_pair},
          {"cpu_pair", who.cpu_pair}};
}

// A path over the radii, and every one of them alone and from nothing, in turns.
Json compare_path(const Problem& problem, const Json& asked, const Json& question) {
  const std::vector<double> radii = asked.at("radii");
  Settings settings;
  settings.tol = asked.value("tol", question.value("tol", 1e-6));
  settings.max_seconds = question.value("max_seconds", 60.0);
  std::vector<double> path_cpu;
  Json alone_cpu = Json::array(), status = Json::array();
  double path_passes = 0, alone_passes = 0;
  for (int r = 0; r < question.value("repeats", 1); ++r) {
    const double start = cpu_seconds();
    const std::vector<PathPoint> path = solve_path(problem, radii, settings);
    path_cpu.push_back(cpu_seconds() - start);
    std::vector<double> each;
    status.clear();
    path_passes = alone_passes = 0;
    for (const PathPoint& point : path) {
      Problem alone = problem;
      alone.set = problem.set->with_radius(point.radius);
      const double before = cpu_seconds();
      const Result result = solve(alone, settings);
      each.push_back(cpu_seconds() - before);
      status.push_back(to_string(point.result.status == Status::converged ? result.status : point.result.status));
      path_passes += point.result.work.data_passes;
      alone_passes += result.work.data_passes;
    }
    alone_cpu.push_back(each);
  }
  return {{"data", question.at("data")},
          {"radii", radii},
          {"ridge", asked.at("ridge")},
          {"tol", settings.tol},
          {"status", status},
          {"path_cpu", path_cpu},
          {"alone_cpu", alone_cpu},
          {"path_passes", path_passes},
          {"alone_passes", alone_passes}};
}

void answer(const Json& question) {
  const Loaded loaded = load(question.at("data"));
  const DataMatrix& A = *loaded.data.A;
  for (const Json& asked : question.at("cases")) {
    const bool is_path = asked.contains("radii");
    Formulation formulation;
    formulation.radius = is_path ? asked.at("radii").at(0) : asked.at("radius");
    formulation.ridge = Ridge::parse(asked.at("ridge").get<std::string>());
    const Problem problem = make_problem(loaded.data.A, loaded.data.target, formulation);
    if (is_path) {
      std::cout << compare_path(problem, asked, question).dump() << std::endl;
      continue;
    }
    const std::vector<Contender> all = contest(problem, question);
    for (const Contender& who : all) {
      if (who.seconds.empty()) continue;
      Json line{{"data", question.at("data")}, {"radius", asked.at("radius")}, {"ridge", asked.at("ridge")}};
      line.update(to_json(who, problem));
      if (&who == &all.front())
        line.update(Json{{"n", A.rows()},
                         {"d", A.columns()},
                         {"entries", A.nonzeros()},
                         {"load_seconds", loaded.load_seconds},
                         {"transpose_seconds", loaded.transpose_seconds},
                         {"trace", trace(who.last)}});
      if (who.settings.threads > 1)
        line["same_bits"] = who.last.x == all.front().last.x && who.last.y == all.front().last.y;
      std::cout << line.dump() << std::endl;
    }
  }
}

}  // namespace
}  // namespace pdbfw

int main(int count, char** arguments) {
  try {
    if (count != 2) throw std::runtime_error("usage: bench_speed JSON; the head of bench/speed.cpp says what it holds");
    pdbfw::answer(pdbfw::Json::parse(arguments[1]));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
