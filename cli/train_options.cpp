#include "cli/train_options.hpp"

namespace pdbfw::cli {
namespace {

void add_learning(CLI::App& parser, TrainOptions& options) {
  const Flags add(parser);
  Flags(parser, heading(Field::Group::model))
      .read(
          "--alpha", "NUMBER", [&options](const std::string& text) { options.alpha = parse_positive("alpha", text); },
          "Instead of --radius: the weight of the sum of the absolute weights, added to what is\n"
          "minimised. The radius that says the same is found, told and kept in the model");
  add.text("--start", "OLD_MODEL", options.start,
           "Begin at this model, learnt from similar data or for another radius or ridge:\nthe same answer, "
           "sooner. Features that it does not know begin at zero; - is standard input");
  add.text("--targets", "NAME", options.targets,
           "Set trace: whether a row has any number of labels (3,17,40), one class, or several numbers (a .npy\nfile "
           "of --labels); auto: as the loss says, else classes unless some row has several labels.\n"
           "(auto | labels | classes | numbers; default auto)");
  add.flag("--probabilities", options.wants_probabilities,
           "Losses smooth_hinge and squared_hinge: fit a sigmoid to scores out of five folds, so that\n"
           "predict --probabilities can tell them (logistic and softmax have them anyway)");
}

void add_writing(CLI::App& parser, TrainOptions& options) {
  const Flags add(parser);
  add.text("--format", "NAME", options.format,
           "Of the model file; mapped: binary, for many processes of pdbfw predict at once.\n"
           "(pdbfw | liblinear | mapped; default mapped if the name ends in .pdbm, else pdbfw)");
  add.flag("--no-proof", options.leaves_out_proof, "Leave the dual point out of the model: a smaller file");
  add.read(
      "--patience", "SECONDS",
      [&options](const std::string& text) { options.patience = parse_positive("patience", text); },
      "Of several processes (mpirun): seconds without a word from the others after which one\n"
      "gives up. (default 300)");
  add.text("--trace", "FILE", options.trace, "Write the course of the solve as CSV");
}

}  // namespace

void TrainOptions::add(CLI::App& app) {
  parser = &app;
  data.add(app);
  Flags(app).optional_argument(
      "MODEL", model,
      "Where the model goes; - is standard output.\n(default: the data's file name without .gz, .bz2, .xz "
      "or .zst,\nplus .model, in this folder)");
  flags.add_all(app);
  files.add(app, true);
  liblinear.add(app);
  memory.add(app);
  checkpoints.add(app);
  app.get_option("DATA")->required(false);  // a checkpoint knows it
  add_learning(app, *this);
  add_writing(app, *this);
  add_report(app);
}

}  // namespace pdbfw::cli
