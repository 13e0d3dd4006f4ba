#include "cli/radii_flags.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/registry.hpp"
#include "base/clock.hpp"

namespace pdbfw::cli {

void RadiiFlags::add(CLI::App& parser) {
  const Flags flags(parser, "The radii");
  flags.text("--radii", "LIST", radii_,
             "These, separated by commas. (default: from the data, --points of them up to --radius\n"
             "or to where a larger one changes nothing)");
  flags.text("--points", "COUNT", points_, "How many; 1 .. 100,000; default 20");
  flags.text("--smallest", "NUMBER", smallest_, "The smallest as a share of the largest, in (0, 1); default 0.001");
  const Flags penalties(parser, "Penalties instead of radii");
  penalties.text("--by", "NAME", by_,
                 "What is varied; alpha: --points penalties from the data, from the one that allows no feature\n"
                 "down to --smallest of it. (radius | alpha; default radius)");
  penalties.text("--alphas", "LIST", alphas_, "These penalties, separated by commas");
}

bool RadiiFlags::are_penalties() const { return !alphas_.empty() || chosen("by", by_, {"radius", "alpha"}) == 1; }

std::vector<double> RadiiFlags::given() const {
  return are_penalties() ? parse_positive_list("alphas", alphas_) : parse_positive_list("radii", radii_);
}

void RadiiFlags::check(const FieldFlags& fields) const {
  (void)grid();
  (void)given();
  if (are_penalties() && (!radii_.empty() || fields.given("radius")))
    throw InputError("alphas", "with radii", "one of the two");
}

PathOptions RadiiFlags::grid() const {
  const PathOptions grid{parse_count("points", points_, "an integer, 1 .. 100,000"),
                         parse_number("smallest", smallest_, "a number in (0, 1)")};
  if (grid.points < 1 || grid.points > 100'000)
    throw InputError("points", fmt::format("'{}'", points_), "an integer, 1 .. 100,000");
  if (!(grid.smallest > 0 && grid.smallest < 1))
    throw InputError("smallest", fmt::format("'{}'", smallest_), "a number in (0, 1)");
  return grid;
}

void PathProblemFlags::add(CLI::App& parser) {
  fields.add_all(parser);
  files.add(parser, false);
  radii.add(parser);
}

PathData PathProblemFlags::read() const {
  PathData out{{}, fields.request(), 0};
  fields.require_a_say(out.request);
  if (is_low_rank(out.request.formulation) || out.request.formulation.set == kPolytope)
    throw InputError("set", fmt::format("'{}'", out.request.formulation.set),
                     "l1, simplex or nonnegative for a path of radii");
  validate(out.request.settings);
  const int threads = out.request.settings.threads;
  const ReadOptions reading = data.read_options(threads);
  const Stopwatch load;
  files.read(threads, out.request.formulation);
  Dataset rows = read_dataset(data.path(), reading);
  out.samples = {.A = std::move(rows.A), .target = std::move(rows.target), .name = data.name()};
  static_cast<void>(out.samples.A->by_column());
  out.load_seconds = load.seconds();
  return out;
}

void PathProblemFlags::check_output(std::string_view option, const std::string& path,
                                    std::vector<std::string> taken) const {
  for (const std::string& input : files.paths()) taken.push_back(input);
  taken.emplace_back("-");
  require_output(option, path, data, taken);
}

}  // namespace pdbfw::cli
