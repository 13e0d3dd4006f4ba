// Matrix completion: two thirds of a table are known, the rest is guessed, and the radius is found by what is held out.
#include <cmath>
#include <iostream>
#include <pdbfw/recovery.hpp>

int main() {
  // Ratings of 40 people for 30 films: every film has a length and every person a taste for it, that is rank 1, and
  // some people are kinder than others, which the means of the rows take care of.
  const pdbfw::Index people = 40, films = 30;
  const auto rating = [](pdbfw::Index i, pdbfw::Index j) {
    const auto person = static_cast<double>(i), film = static_cast<double>(j);
    const double mood = 0.05 * std::sin(37 * person + 11 * film * film);
    return 3 + 0.1 * static_cast<double>(i % 7) + std::sin(person) * std::cos(2 * film) + mood;
  };
  std::vector<pdbfw::Index> row, column;
  std::vector<double> value;
  for (pdbfw::Index i = 0; i < people; ++i)
    for (pdbfw::Index j = 0; j < films; ++j)
      if ((i + 2 * j) % 3 != 0) {
        row.push_back(i);
        column.push_back(j);
        value.push_back(rating(i, j));
      }

  const pdbfw::Completion done = pdbfw::complete({people, films, row, column, value});
  const std::vector<pdbfw::Index> asked_row = {0, 3}, asked_column = {0, 6};  // not among those above
  const std::vector<double> guess = pdbfw::predict(done.means, done.result.X, asked_row, asked_column);

  std::cout << done.result.message << "\nradius " << done.radius << ", rank " << done.result.X.rank()
            << ", held-out RMSE " << done.held_out->rmse << "\nperson 3 would give film 6 " << guess[1]
            << "; the truth is " << rating(3, 6) << '\n';
  return std::abs(guess[1] - rating(3, 6)) < 0.2 ? 0 : 1;
}
