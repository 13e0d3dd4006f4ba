#include "cli/train_options.hpp"

#include <fmt/format.h>

namespace pdbfw::cli {
namespace {

void add_learning(CLI::App& parser, TrainOptions& options) {
  parser
      .add_option_function<std::string>(
          "--alpha",
          [&options](const std::string& text) {
            options.alpha = parse_number("alpha", text, "a finite number > 0");
            if (!(*options.alpha > 0)) throw InputError("alpha", fmt::format("'{}'", text), "a finite number > 0");
          },
          "Instead of --radius: the weight of the sum of the absolute weights, added to what is\n"
          "minimised. The radius that says the same is found, told and kept in the model")
      ->type_name("NUMBER")
      ->group(std::string(heading(Field::Group::model)));
  parser
      .add_option("--start", options.start,
                  "Begin at this model, learnt from similar data or for another radius or ridge:\nthe same answer, "
                  "sooner. Features that it does not know begin at zero; - is standard input")
      ->type_name("OLD_MODEL");
  parser
      .add_option(
          "--targets", options.targets,
          "Set trace: whether a row has any number of labels (3,17,40), one class, or several numbers (a .npy\nfile "
          "of --labels); auto: as the loss says, else classes unless some row has several labels.\n"
          "(auto | labels | classes | numbers; default auto)")
      ->type_name("NAME");
  parser.add_flag("--probabilities", options.wants_probabilities,
                  "Losses smooth_hinge and squared_hinge: fit a sigmoid to scores out of five folds, so that\n"
                  "predict --probabilities can tell them (logistic and softmax have them anyway)");
}

void add_writing(CLI::App& parser, TrainOptions& options) {
  parser
      .add_option("--format", options.format,
                  "Of the model file; mapped: binary, for many processes of pdbfw predict at once.\n"
                  "(pdbfw | liblinear | mapped; default mapped if the name ends in .pdbm, else pdbfw)")
      ->type_name("NAME");
  parser.add_flag("--no-proof", options.leaves_out_proof, "Leave the dual point out of the model: a smaller file");
  parser
      .add_option_function<std::string>(
          "--patience",
          [&options](const std::string& text) {
            options.patience = parse_number("patience", text, "a finite number > 0");
            if (!(options.patience > 0)) throw InputError("patience", fmt::format("'{}'", text), "a finite number > 0");
          },
          "Of several processes (mpirun): seconds without a word from the others after which one\n"
          "gives up. (default 300)")
      ->type_name("SECONDS");
  parser.add_option("--trace", options.trace, "Write the course of the solve as CSV")->type_name("FILE");
}

}  // namespace

void TrainOptions::add(CLI::App& app) {
  parser = &app;
  data.add(app);
  app.add_option("MODEL", model,
                 "Where the model goes; - is standard output.\n(default: the data's file name without .gz, .bz2, .xz "
                 "or .zst,\nplus .model, in this folder)")
      ->type_name("");
  flags.add_all(app);
  atoms.add(app);
  weights.add(app);
  features.add(app);
  liblinear.add(app);
  memory.add(app);
  checkpoints.add(app);
  app.get_option("DATA")->required(false);  // a checkpoint knows it
  add_learning(app, *this);
  add_writing(app, *this);
  add_json(app);
  add_quiet(app);
}

}  // namespace pdbfw::cli
