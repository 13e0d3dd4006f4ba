#include "cli/liblinear_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/options.hpp"

namespace pdbfw::cli {

void LiblinearFlags::add(CLI::App& parser) {
  parser_ = &parser;
  const Flags add(parser, "For users of LIBLINEAR, whose options these are");
  add.text("-s", "TYPE", type_, "5: the l1 norm and the squared hinge; 6: the l1 norm and the logistic loss");
  add.text("-c", "C", cost_, "With -s: the loss counts C times, which is --alpha 1/(C n); default 1");
  add.text("-B", "NUMBER", bias_, ">= 0: an intercept is learnt, which nothing holds back");
  add.flag("-R", bias_is_free_, "With -B, and the same without: the intercept is not penalised");
  add.text("-w", "", weights_, "-wi NUMBER: class i counts so much")->allow_extra_args(false)->take_all();
  add.text("-v", "FOLDS", folds_, "Cross-validate with so many folds, print the accuracy and write no model");
  add.text("-n", "COUNT", threads_, "As --threads");
  add.text("-e", "NUMBER", epsilon_, "Has no say: --tol, a proven gap, is the one stop rule");
  for (CLI::Option* hidden : {parser.add_option("-p", tube_), parser.add_flag("-C", finds_cost_)}) hidden->group("");
}

bool LiblinearFlags::given(const std::string& flag) const { return parser_->get_option(flag)->count() > 0; }

void LiblinearFlags::apply(Request& request) const {
  if (finds_cost_) throw InputError("-C", "given", "not here; pdbfw cv finds the radius by cross-validation");
  if (given("-p")) throw InputError("-p", fmt::format("'{}'", tube_), "not here; --loss huber has --huber-width");
  if (given("-n")) field("threads").set(request, threads_);
  if (!given("-s")) {
    for (const char* flag : {"-c", "-B", "-R", "-w", "-v"})
      if (given(flag)) throw InputError(flag, "without -s", "with -s 5 or -s 6");
    return;
  }
  if (type_ != "5" && type_ != "6")
    throw InputError("-s", fmt::format("'{}'", type_),
                     "5 or 6, which have an l1 norm; the others have an l2 norm alone and give no sparse model");
  (void)parse_positive("-c", cost_);
  if (parse_number("-B", bias_, "a finite number") >= 0) request.formulation.intercept = true;
  request.formulation.loss = type_ == "5" ? "squared_hinge" : "logistic";
  request.formulation.ridge = {0, false};
  (void)folds();
}

std::string LiblinearFlags::remarks() const {
  std::string lines;
  if (given("-B") && !bias_is_free_ && parse_number("-B", bias_, "a finite number") >= 0)
    lines +=
        fmt::format("pdbfw: -B {}: the intercept is not penalised; LIBLINEAR penalises it unless -R is given\n", bias_);
  if (given("-e"))
    lines += fmt::format("pdbfw: -e {} has no say: the stop rule is a proven relative gap, --tol\n", epsilon_);
  return lines;
}

std::optional<double> LiblinearFlags::cost() const {
  if (!has_penalty()) return std::nullopt;
  return parse_positive("-c", cost_);
}

ClassWeight LiblinearFlags::class_weight(const std::array<double, 2>& labels) const {
  ClassWeight weight;
  for (const std::string& text : weights_) {
    const std::size_t equals = std::min(text.find('='), text.size() - 1);
    const std::string_view label = std::string_view(text).substr(0, equals),
                           value = std::string_view(text).substr(equals + 1);
    constexpr std::string_view kRule = "-wi NUMBER, i a label and the number >= 0";
    const double wanted = parse_number("-w", label, kRule), number = parse_number("-w", value, kRule);
    if (!(number >= 0)) throw InputError("-w", fmt::format("'{}'", text), kRule);
    if (wanted != labels[0] && wanted != labels[1])
      throw InputError("-w", fmt::format("label {}", label),
                       fmt::format("one of the labels of the data, {} and {}", labels[0], labels[1]));
    (wanted == labels[0] ? weight.negative : weight.positive) = number;
  }
  return weight;
}

std::optional<Index> LiblinearFlags::folds() const {
  if (!given("-v")) return std::nullopt;
  constexpr std::string_view kRule = "an integer, 2 .. 1,000";
  const Index folds = parse_count("-v", folds_, kRule);
  if (folds < 2 || folds > 1'000) throw InputError("-v", fmt::format("'{}'", folds_), kRule);
  return folds;
}

std::vector<std::string> with_class_weights_joined(std::vector<std::string> words) {
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("+-.0123456789") == std::string_view::npos;
  };
  std::vector<std::string> out;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool is_weight = words[k].starts_with("-w") && is_number(std::string_view(words[k]).substr(2));
    if (!is_weight || k + 1 == words.size()) {
      out.push_back(std::move(words[k]));
      continue;
    }
    out.push_back(fmt::format("-w{}={}", words[k].substr(2), words[k + 1]));
    ++k;
  }
  return out;
}

}  // namespace pdbfw::cli
