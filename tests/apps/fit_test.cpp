// One door for all that is learnt: what fit gives back is what the solvers, the judge and the metrics say.
#include "pdbfw/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "apps/fit_rules.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/temporary_folder.hpp"
#include "linalg/chosen_rows.hpp"
#include "pdbfw/cross_validation.hpp"
#include "support/class_problems.hpp"
#include "support/problems.hpp"
#include "support/thread_team.hpp"

namespace pdbfw {
namespace fit_test {

constexpr Index kRows = 60;

Samples of_one(const std::string& loss, std::uint64_t seed = 3) {
  Random random(seed);
  const reference::DenseMatrix A = test::random_matrix({.n = kRows, .d = 12}, random);
  std::vector<double> target = test::random_targets(A, loss != "squared", random);
  if (loss != "squared")
    for (double& label : target) label = label > 0 ? 7 : 3;
  return {.A = reference::sparse(A), .target = std::move(target)};
}

Samples of_classes() {
  const test::ClassData data = test::random_classes({.n = kRows, .d = 12}, 3, 5);
  Samples samples{.A = data.A};
  for (const Index place : data.classes.index)
    samples.target.push_back(data.classes.original[static_cast<std::size_t>(place)]);
  return samples;
}

Samples of_labels() {
  const Samples classes = of_classes();
  Samples samples{.A = classes.A, .targets = Targets::labels, .ids = {4, 9, 40}};
  for (Index i = 0; i < kRows; ++i) {  // every third row has one more
    const Index own = static_cast<Index>(classes.target[static_cast<std::size_t>(i)]) / 10;
    samples.labels.place.push_back(own);
    if (i % 3 == 0 && own < 2) samples.labels.place.push_back(2);
    samples.labels.offsets.push_back(static_cast<Index>(samples.labels.place.size()));
  }
  return samples;
}

Samples of_numbers() {
  Random random(8);
  Samples samples{.A = of_classes().A, .target = test::random_vector(2 * kRows, random), .targets = Targets::numbers};
  return samples;
}

struct Case {
  std::string name;
  Samples samples;
  Formulation formulation;
  ModelKind kind;
};

std::vector<Case> cases() {
  return {{"two classes", of_one("logistic"), {.loss = "logistic", .radius = 2, .intercept = true}, ModelKind::vector},
          {"one number", of_one("squared"), {.loss = "squared", .radius = 2, .standardise = true}, ModelKind::vector},
          {"against the rest", of_classes(), {.loss = "squared_hinge", .radius = 2}, ModelKind::one_vs_rest},
          {"jointly", of_classes(), {.loss = "softmax", .radius = 5, .intercept = true}, ModelKind::joint},
          {"matrix of classes", of_classes(), {.loss = "", .set = "trace", .radius = 3}, ModelKind::matrix},
          {"matrix of labels", of_labels(), {.loss = "", .set = "trace", .radius = 3}, ModelKind::matrix},
          {"matrix of numbers", of_numbers(), {.loss = "", .set = "trace", .radius = 3}, ModelKind::matrix}};
}

constexpr double kTol = 1e-7;
const FitOptions kPrecise{.settings = {.tol = kTol}};

TEST(Fit, EveryKindIsLearntProvenAndMeasured) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Fitted fitted = fit(c.samples, c.formulation, kPrecise);
    const Model& model = fitted.model;
    EXPECT_TRUE(fitted.has_converged) << fitted.outcomes.front().message;
    EXPECT_EQ(model.kind, c.kind);
    EXPECT_EQ(model.samples, kRows);
    EXPECT_EQ(model.features(), 12);
    EXPECT_EQ(fitted.outcomes.size(), c.kind == ModelKind::one_vs_rest ? 3U : 1U);
    EXPECT_NO_THROW(check_known(model));
    // The judge finds what the fit states, from the samples and the model alone, and by the stored proof.
    const std::vector<Proven> proven = certify(c.samples, model, model.formulation);
    ASSERT_EQ(proven.size(), model.certificates.size());
    for (std::size_t k = 0; k < proven.size(); ++k) {
      EXPECT_TRUE(confirms(proven[k].certificate, model.certificates[k], model.formulation.radius));
      EXPECT_TRUE(is_in_set(proven[k].certificate, model.formulation.radius));
      EXPECT_LE(proven[k].certificate.relative_gap, kTol);
    }
    // The measures are those of the model's own scores, and better than chance.
    const FitMeasures measures = measure_fit(c.samples, model, predict_scores(*c.samples.A, model).table());
    EXPECT_EQ(measures.accuracy, fitted.measures.accuracy);
    EXPECT_EQ(measures.rmse, fitted.measures.rmse);
    EXPECT_EQ(measures.labels.micro_f1, fitted.measures.labels.micro_f1);
    if (measures.kind != FitMeasures::Kind::numbers) {
      EXPECT_GT(std::max(measures.accuracy, measures.labels.micro_f1), 0.6);
    }
    EXPECT_EQ(measures.kind == FitMeasures::Kind::numbers, model.classes.empty() && model.labels.empty());
  }
}

TEST(Fit, AModelFileHoldsAllOfIt) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("model");
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Model model = fit(c.samples, c.formulation, kPrecise).model;
    write_model(path, model);
    const Model again = read_model(path);
    const std::vector<Proven> proven = certify(c.samples, again, again.formulation);
    for (std::size_t k = 0; k < proven.size(); ++k)
      EXPECT_TRUE(confirms(proven[k].certificate, model.certificates[k], model.formulation.radius));
    EXPECT_EQ(predict_scores(*c.samples.A, again).score, predict_scores(*c.samples.A, model).score);
  }
}

TEST(Fit, BeginsAtAnEarlierModelWithItsProof) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Fitted first = fit(c.samples, c.formulation, kPrecise);
    FitOptions again{.settings = {.tol = 2 * kTol}, .start = &first.model};
    const Fitted second = fit(c.samples, c.formulation, again);
    EXPECT_TRUE(second.has_started_with_proof);
    EXPECT_LE(second.outcomes.front().work.iterations, 1);
    // Another number of rows has another proof; the weights are of use all the same.
    Model without_proof = first.model;
    without_proof.proof.clear();
    without_proof.matrix_proof = {};
    again.start = &without_proof;
    const Fitted third = fit(c.samples, c.formulation, again);
    EXPECT_FALSE(third.has_started_with_proof);
    EXPECT_TRUE(third.has_converged);
  }
}

TEST(Fit, OneVectorIsWhatSolveFinds) {
  const Samples samples = of_one("logistic");
  const Formulation f{.loss = "logistic", .radius = 2, .free_features = {4}, .intercept = true};
  std::vector<double> signs;
  for (const double label : samples.target) signs.push_back(label == 7 ? 1 : -1);
  const Problem problem = make_problem(samples.A, signs, f);
  const Result result = solve(problem, kPrecise.settings);
  const Fitted fitted = fit(samples, f, kPrecise);
  EXPECT_EQ(fitted.model.weights.front().dense(), feature_weights(problem, result));
  EXPECT_EQ(fitted.model.proof.front().dense(), result.y);
  EXPECT_EQ(fitted.model.intercept(), result.intercept);
  EXPECT_EQ(fitted.model.classes, (std::vector<double>{3, 7}));
  EXPECT_EQ(fitted.model.certificates.front().primal, result.certificate.primal);
  EXPECT_EQ(fitted.ridge, 1.0 / kRows);
  EXPECT_EQ(fitted.size.entries, 11);
  EXPECT_NEAR(fitted.size.norm, 2, 1e-6);
  EXPECT_FALSE(fitted.has_slack_radius);
  EXPECT_TRUE(fit(samples, {.loss = "squared_hinge", .radius = 1e4}, kPrecise).has_slack_radius);
}

TEST(Fit, APenaltyTakesTheRadiusPlace) {
  const Samples samples = of_one("logistic");
  const Formulation f{.loss = "logistic", .ridge = {0, false}};
  FitOptions by_alpha = kPrecise, by_cost = kPrecise;
  by_alpha.alpha = 0.05;
  by_cost.cost = 1 / (0.05 * kRows);
  const Fitted alpha = fit(samples, f, by_alpha), cost = fit(samples, f, by_cost);
  ASSERT_TRUE(alpha.penalty && cost.penalty);
  EXPECT_NEAR(cost.penalty->alpha, 0.05, 1e-15);
  EXPECT_LE(alpha.penalty->certificate.relative_gap, kTol);
  EXPECT_NEAR(alpha.formulation.radius, alpha.size.norm, 1e-6);
  EXPECT_NEAR(alpha.outcomes.front().multiplier, 0.05, 1e-3);
  EXPECT_NEAR(cost.penalty->certificate.primal, alpha.penalty->certificate.primal, 1e-6);
  // A row of weight 0 counts nothing for a cost.
  Formulation weighted = f;
  weighted.sample_weight.assign(kRows, 1.0);
  weighted.sample_weight[0] = 0;
  EXPECT_NEAR(fit(samples, weighted, by_cost).penalty->alpha, 0.05 * kRows / (kRows - 1), 1e-15);
}

TEST(Fit, ProbabilitiesAreCalibrated) {
  FitOptions options = kPrecise;
  options.wants_probabilities = true;
  const Model one = fit(of_one("squared_hinge"), {.loss = "squared_hinge", .radius = 2}, options).model;
  ASSERT_EQ(one.sigmoids.size(), 1U);
  EXPECT_GT(one.sigmoids.front().slope, 0);
  const Model several = fit(of_classes(), {.loss = "squared_hinge", .radius = 2}, options).model;
  EXPECT_EQ(several.sigmoids.size(), 3U);
  const Samples classes = of_classes();
  const Matrix shares = probabilities(several, predict_scores(*classes.A, several).score);
  EXPECT_NEAR(shares.row(0).sum(), 1, 1e-12);
}

// The rows of one member; the last one has few.
Samples part_of(const Samples& all, const TeamPtr& team) {
  const Index n = all.A->rows(), first = (n - 5) * team->rank() / (team->size() - 1);
  const Index last = team->rank() + 1 == team->size() ? n : (n - 5) * (team->rank() + 1) / (team->size() - 1);
  Samples own = all;
  own.A = row_range(all.A, first, last);
  const Index width = all.numbers_per_row();
  own.target = {all.target.begin() + first * width, all.target.begin() + last * width};
  own.labels = {};
  for (Index i = first; i < last && all.targets == Targets::labels; ++i) {
    for (const Index label : all.labels[i]) own.labels.place.push_back(label);
    own.labels.offsets.push_back(static_cast<Index>(own.labels.place.size()));
  }
  return shared_by(team, std::move(own));
}

TEST(Fit, ATeamLearnsWhatOneProcessLearns) {
  for (const Case& c : cases()) {
    if (c.kind == ModelKind::joint || c.formulation.standardise) continue;  // not for teams
    SCOPED_TRACE(c.name);
    Formulation f = c.formulation;
    if (c.kind != ModelKind::matrix) f.sample_weight.assign(kRows, 2.0);
    if (c.kind != ModelKind::matrix) f.sample_weight[7] = 1;
    const Fitted alone = fit(c.samples, f, kPrecise);
    test::run_team(3, [&](const TeamPtr& team) {
      const Fitted fitted = fit(part_of(c.samples, team), f, kPrecise);
      EXPECT_TRUE(fitted.has_converged) << fitted.outcomes.front().message;
      EXPECT_TRUE(fitted.traffic && fitted.traffic->calls > 0);
      EXPECT_EQ(fitted.model.samples, kRows);
      EXPECT_EQ(fitted.model.classes, alone.model.classes);
      EXPECT_EQ(fitted.measures.rows, kRows);
      EXPECT_NEAR(fitted.measures.accuracy, alone.measures.accuracy, 0.05);
      EXPECT_NEAR(fitted.measures.rmse, alone.measures.rmse, 1e-3);
      EXPECT_NEAR(fitted.measures.labels.micro_f1, alone.measures.labels.micro_f1, 0.05);
      for (std::size_t k = 0; k < alone.model.certificates.size(); ++k) {
        EXPECT_LE(fitted.model.certificates[k].dual, alone.model.certificates[k].primal + 1e-12);
        EXPECT_LE(alone.model.certificates[k].dual, fitted.model.certificates[k].primal + 1e-12);
      }
      if (team->rank() != 0) return;
      // The first member's model is proven by one process that has all rows.
      Formulation in_force = fitted.model.formulation;
      in_force.sample_weight = f.sample_weight;
      const std::vector<Proven> proven = certify(c.samples, fitted.model, in_force);
      for (std::size_t k = 0; k < proven.size(); ++k)
        EXPECT_TRUE(confirms(proven[k].certificate, fitted.model.certificates[k], in_force.radius));
    });
  }
}

std::string message(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Fit, RefusesWhatItWouldNotObey) {
  const Samples two = of_one("logistic"), classes = of_classes(), labels = of_labels();
  const auto expect = [&](const Samples& samples, const Formulation& f, const FitOptions& options, const char* says) {
    EXPECT_NE(message([&] { (void)fit(samples, f, options); }).find(says), std::string::npos)
        << message([&] { (void)fit(samples, f, options); });
  };
  expect(labels, {.loss = "logistic"}, {}, "any number of labels per row");
  expect(of_numbers(), {.loss = "squared"}, {}, "several numbers per row");
  expect(labels, {.loss = "softmax", .set = "trace"}, {}, "one class a row for the loss softmax");
  expect(two, {.loss = "logistic"}, {.wants_probabilities = true}, "probabilities");
  expect(two, {.loss = "logistic"}, {.alpha = -1.0}, "alpha");
  expect(two, {.loss = "logistic", .set = "simplex"}, {.alpha = 1.0}, "a radius for the set simplex");
  expect(two, {.loss = "logistic"}, {.settings = {.solver = "squential"}}, "sequential");
  expect(classes, {.loss = "logistic"}, {.alpha = 1.0}, "a radius for each of several classes");
  expect(classes, {.loss = "logistic"}, {.checkpoints = {.path = "c"}}, "checkpoint");
  expect(classes, {.loss = "softmax"}, {.alpha = 1.0}, "none for classes learnt jointly");
  expect(classes, {.loss = "softmax"}, {.checkpoints = {.path = "c"}}, "none for classes learnt jointly");
  expect(classes, {.loss = "softmax"}, {.settings = {.solver = "pdbfw"}}, "auto for classes learnt jointly");
  for (const Formulation& f : {Formulation{.loss = "", .set = "trace", .intercept = true},
                               Formulation{.loss = "", .set = "trace", .standardise = true},
                               Formulation{.loss = "", .set = "trace", .sample_weight = std::vector<double>(kRows, 1)},
                               Formulation{.loss = "", .set = "trace", .class_weight = {1, 2, false}}})
    expect(classes, f, {}, " for the set trace");
  const Model start = fit(two, {.loss = "logistic"}).model;
  expect(classes, {.loss = "logistic"}, {.start = &start}, "start: a model of the kind vector");
  expect(classes, {.loss = "", .set = "trace"}, {.start = &start}, "start: a model of the kind vector");
  expect(two, {.loss = "logistic"}, {.alpha = 1.0, .start = &start}, "with a radius, not with a penalty");
}

TEST(Fit, GoesOnFromACheckpoint) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("checkpoint");
  for (const Case& c : cases()) {
    if (c.kind == ModelKind::joint || c.kind == ModelKind::one_vs_rest) continue;
    SCOPED_TRACE(c.name);
    FitOptions kept = kPrecise;
    kept.checkpoints = {.path = path, .every_seconds = 0, .options = {{"colour", "red"}}};
    const Fitted first = fit(c.samples, c.formulation, kept);
    kept.checkpoints.resumed = std::make_shared<const Checkpoint>(read_checkpoint(path));
    EXPECT_EQ(kept.checkpoints.resumed->options.front(), (Checkpoint::Option{"colour", "red"}));
    const Fitted second = fit(c.samples, c.formulation, kept);
    EXPECT_LE(second.outcomes.front().work.iterations, 1);
    Samples other = c.samples;
    other.A = of_one("logistic", 99).A;
    EXPECT_NE(message([&] { (void)fit(other, c.formulation, kept); }).find("checkpoint: "), std::string::npos);
  }
  int failures = 0;
  FitOptions nowhere = kPrecise;
  nowhere.checkpoints = {
      .path = "/does/not/exist/c", .every_seconds = 0, .on_failure = [&](const std::string&) { ++failures; }};
  EXPECT_TRUE(fit(of_one("logistic"), {.loss = "logistic"}, nowhere).has_converged);
  EXPECT_EQ(failures, 1);
}

TEST(FitPath, EveryPointIsAFitOfItsOwn) {
  const Samples samples = of_one("logistic");
  const Formulation f{.loss = "logistic", .intercept = true};
  const std::vector<Fitted> path = fit_path(samples, f, {.values = {0.5, 1, 2}}, {.tol = kTol});
  ASSERT_EQ(path.size(), 3U);
  for (const Fitted& point : path) {
    Formulation own = f;
    own.radius = point.formulation.radius;
    const Fitted single = fit(samples, own, kPrecise);
    EXPECT_NEAR(point.model.certificates.front().primal, single.model.certificates.front().primal, 1e-6);
    EXPECT_EQ(point.measures.rows, kRows);
    EXPECT_TRUE(confirms(certify(samples, point.model, point.model.formulation).front().certificate,
                         point.model.certificates.front(), own.radius));
  }
  EXPECT_EQ(largest_radius_of(path).formulation.radius, 2);
  const Index few = static_cast<Index>(path.front().model.weights.front().at.size());
  EXPECT_LE(static_cast<Index>(largest_radius_of(path, few).model.weights.front().at.size()), few);
  EXPECT_NE(message([&] { (void)largest_radius_of(path, 0); }).find("most_features"), std::string::npos);
  for (const Fitted& point : fit_path(samples, f, {.is_by_penalty = true, .values = {0.1, 0.05}}, {.tol = kTol})) {
    ASSERT_TRUE(point.penalty);
    EXPECT_LE(point.penalty->certificate.relative_gap, kTol);
  }
  EXPECT_TRUE(fit_path(samples, f, {}, {}, [](const Progress&) { return false; }).empty());
}

TEST(FitPath, HeldOutRowsAreCountedByModelsThatHaveNotSeenThem) {
  const Samples samples = of_one("logistic");
  const Formulation f{.loss = "logistic", .ridge = {0, false}};
  FitOptions options = kPrecise;
  options.alpha = 0.05;
  const HeldOutFit found = fit_held_out(samples, f, options, 4);
  const std::vector<Index> fold = make_folds(samples.target, 4, 0);
  Index correct = 0;
  for (Index k = 0; k < 4; ++k) {
    Formulation of_others = f;
    for (const Index own : fold) of_others.sample_weight.push_back(own == k ? 0 : 1);
    const Model model = fit(samples, of_others, options).model;
    const Matrix scores = predict_scores(*samples.A, model).score;
    for (Index i = 0; i < kRows; ++i)
      if (fold[static_cast<std::size_t>(i)] == k &&
          model.classes[is_positive(scores(i, 0)) ? 1 : 0] == samples.target[static_cast<std::size_t>(i)])
        ++correct;
  }
  EXPECT_EQ(found.correct, correct);
  EXPECT_DOUBLE_EQ(found.accuracy, static_cast<double>(correct) / kRows);
  EXPECT_FALSE(fit_held_out(samples, f, options, 4, [](const Progress&) { return false; }).is_complete);
}

class SamplesFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  // Tests run side by side: each has a folder of its own.
  const test::TemporaryFolder folder_;
  std::string path_ = folder_.path("samples-0.txt");
};

TEST_F(SamplesFile, TargetsAreReadAsTheyAre) {
  const Samples one = read_samples(write("3 1:1\n7 2:1\n3 1:2\n"));
  EXPECT_EQ(one.targets, Targets::one_per_row);
  EXPECT_EQ(one.target, (std::vector<double>{3, 7, 3}));
  EXPECT_EQ(different_targets(one, 9), (std::vector<double>{3, 7}));
  const Samples several = read_samples(write("3 1:1\n7,9 2:1\n"));
  EXPECT_EQ(several.targets, Targets::labels);
  EXPECT_EQ(several.ids, (std::vector<Index>{3, 7, 9}));
  EXPECT_THROW((void)read_samples(path_, {}, Targets::one_per_row), SeveralLabels);
  EXPECT_NE(message([&] { (void)read_samples(path_, {}, Targets::numbers); }).find("labels: none"), std::string::npos);
  write("3 1:1\n");
  EXPECT_NE(message([&] { (void)read_samples(path_, {.memory = 1}, Targets::one_per_row); }).find("memory"),
            std::string::npos);
}

TEST_F(SamplesFile, ATeamSharesOneFile) {
  write("3 1:1\n7 2:1\n3 1:2\n7 4:1\n5 1:1\n");
  test::run_team(2, [&](const TeamPtr& team) {
    const Samples own = read_samples(path_, {}, Targets::one_per_row, team);
    EXPECT_EQ(own.rows(), 5);
    EXPECT_EQ(own.nonzeros(), 5);
    EXPECT_EQ(own.A->columns(), 4);
    EXPECT_EQ(own.first_row, team->rank() == 0 ? 0 : 2);
    EXPECT_EQ(different_targets(own, 9), (std::vector<double>{3, 5, 7}));
    EXPECT_EQ(own_rows(own, {1, 2, 3, 4, 5}, "weight").front(), team->rank() == 0 ? 1 : 3);
    EXPECT_NE(message([&] { (void)own_rows(own, {1}, "weight"); }).find("weight: 1 of them"), std::string::npos);
  });
  EXPECT_NE(message([&] {
              test::run_team(6,
                             [&](const TeamPtr& team) { (void)read_samples(path_, {}, Targets::one_per_row, team); });
            }).find("at least one for each of 6 processes"),
            std::string::npos);
}

}  // namespace fit_test
}  // namespace pdbfw
