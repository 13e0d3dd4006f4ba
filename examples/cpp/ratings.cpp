// Some entries of a matrix, and entries that are asked for, from text (docs/data-formats.md).
#include <filesystem>
#include <fstream>
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string ratings_path = folder / "pdbfw-example-ratings.csv",
                    asked_path = folder / "pdbfw-example-asked.csv";
  std::ofstream(ratings_path) << "user,film,rating\nann,\"Toy Story, 1\",4.5\nbob,Heat,3\n";
  std::ofstream(asked_path) << "bob,\"Toy Story, 1\"\n";

  const pdbfw::Ratings ratings = pdbfw::read_ratings(ratings_path);
  const pdbfw::Pairs asked = pdbfw::read_pairs(asked_path, ratings.rows, ratings.columns);

  std::cout << ratings.value.size() << " entries of a " << ratings.rows.count << " x " << ratings.columns.count
            << " matrix; what would " << ratings.rows.name(asked.row[0]) << " say of "
            << ratings.columns.name(asked.column[0]) << "?\n";
  std::filesystem::remove(ratings_path);
  std::filesystem::remove(asked_path);
  return asked.row[0] == 1 && asked.column[0] == 0 ? 0 : 1;
}
