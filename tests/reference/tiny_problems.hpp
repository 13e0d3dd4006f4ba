// Problems of two to four numbers that were solved by hand, with the derivation.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "pdbfw/solve.hpp"
#include "reference/dense.hpp"

namespace pdbfw::reference {

struct TinyProblem {
  std::string name;
  Problem problem;
  std::vector<double> x;  // optimal
  std::vector<double> y;  // optimal: y_i = f_i'(a_i'x)
  double optimum;
};

inline Problem tiny(Index n, Index d, std::vector<double> entries, std::vector<double> b, Formulation formulation) {
  return make_problem(sparse(DenseMatrix(n, d, std::move(entries))), std::move(b), formulation);
}

// A = I, b = (2, 0), squared loss, no ridge, |x|_1 <= 1. At x = (1, 0): grad = A'(Ax - b)/n = (-1/2, 0). The linear
// oracle answers (1, 0) = x itself, so x is optimal. P* = (1/2)(1/2) = 1/4.
inline TinyProblem vertex_of_the_ball() {
  return {"vertex of the ball",
          tiny(2, 2, {1, 0, 0, 1}, {2, 0}, {.loss = "squared", .radius = 1, .ridge = {0, false}}),
          {1, 0},
          {-1, 0},
          0.25};
}

// A = I, b = (2, 1), squared loss, ridge 1, |x|_1 <= 100 (slack). Each coordinate alone: (x_i - b_i)/2 + x_i = 0, so
// x = b/3 = (2/3, 1/3), y = x - b = (-4/3, -2/3). P* = (1/4)(16/9 + 4/9) + (1/2)(4/9 + 1/9) = 5/9 + 5/18 = 5/6.
inline TinyProblem slack_ball() {
  return {"slack ball",
          tiny(2, 2, {1, 0, 0, 1}, {2, 1}, {.loss = "squared", .radius = 100, .ridge = {1, false}}),
          {2.0 / 3, 1.0 / 3},
          {-4.0 / 3, -2.0 / 3},
          5.0 / 6};
}

// A = I, b = (2, 1), squared loss, ridge 1, |x|_1 <= 1/2. With the multiplier t:
// (x_i - b_i)/2 + x_i + t = 0, so x = (b - 2t)/3, sum (3 - 4t)/3 = 1/2, t = 3/8, x = (5/12, 1/12), y = (-19/12,
// -11/12). P* = (1/4)(361 + 121)/144 + (1/2)(25 + 1)/144 = 482/576 + 52/576 = 534/576 = 89/96.
inline TinyProblem face_of_the_ball() {
  return {"face of the ball",
          tiny(2, 2, {1, 0, 0, 1}, {2, 1}, {.loss = "squared", .radius = 0.5, .ridge = {1, false}}),
          {5.0 / 12, 1.0 / 12},
          {-19.0 / 12, -11.0 / 12},
          89.0 / 96};
}

// The same with b = (-2, 1): the ball is symmetric, x = (-5/12, 1/12). On the simplex the first coordinate would have
// to be negative, so x = (0, 1/2): gradient (x_i - b_i)/2 + x_i = (1, 1/4), and the smaller one is where x lies.
// P* = (1/4)(4 + 1/4) + 1/8 = 17/16 + 2/16 = 19/16.
inline TinyProblem vertex_of_the_simplex() {
  return {"vertex of the simplex",
          tiny(2, 2, {1, 0, 0, 1}, {-2, 1}, {.loss = "squared", .set = "simplex", .radius = 0.5, .ridge = {1, false}}),
          {0, 0.5},
          {2, -0.5},
          19.0 / 16};
}

// One sample, one feature: a = 1, label 1, smooth hinge (smoothing 1), ridge 1/2, |x| <= 10.
// (1 - x)^2/2 + x^2/4 on 0 <= x <= 1: x - 1 + x/2 = 0, x = 2/3, y = -1/3, P* = 1/18 + 1/9 = 1/6.
inline TinyProblem one_by_one_hinge() {
  return {"one by one, smooth hinge",
          tiny(1, 1, {1}, {1}, {.loss = "smooth_hinge", .radius = 10, .ridge = {0.5, false}}),
          {2.0 / 3},
          {-1.0 / 3},
          1.0 / 6};
}

// The same row twice with both labels, squared hinge, ridge 1: P(x) = ((1-x)^2 + (1+x)^2)/4 + x^2/2 on |x| <= 1, by
// symmetry x = 0, y = (-1, 1), P* = 1/2.
inline TinyProblem opposite_labels() {
  return {"opposite labels",
          tiny(2, 1, {1, 1}, {1, -1}, {.loss = "squared_hinge", .radius = 3, .ridge = {1, false}}),
          {0},
          {-1, 1},
          0.5};
}

// Both labels on the same row, logistic, ridge 1: symmetric, x = 0, y = (-1/2, 1/2), P* = log 2.
inline TinyProblem opposite_labels_logistic() {
  return {"opposite labels, logistic",
          tiny(2, 1, {1, 1}, {1, -1}, {.loss = "logistic", .radius = 3, .ridge = {1, false}}),
          {0},
          {-0.5, 0.5},
          std::log(2.0)};
}

// a = 1, b = 10, Huber with width 1, ridge 1, |x| <= 100. While x <= 9: derivative -1 + x = 0, so x = 1, y = -1,
// P* = (9 - 1/2) + 1/2 = 9.
inline TinyProblem linear_piece_of_huber() {
  return {"linear piece of Huber",
          tiny(1, 1, {1}, {10}, {.loss = "huber", .radius = 100, .ridge = {1, false}}),
          {1},
          {-1},
          9};
}

// A = (1, 1), b = 1, squared loss, diagonal ridge (1, 3), slack. x_1 = -y, x_2 = -y/3, y = x_1 + x_2 - 1 = -4y/3 - 1,
// y = -3/7, x = (3/7, 1/7). P* = (9/49)/2 + (9/49 + 3/49)/2 = 21/98 = 3/14.
inline TinyProblem diagonal_ridge() {
  return {"diagonal ridge",
          tiny(1, 2, {1, 1}, {1},
               {.loss = "squared", .radius = 100, .ridge = {1, false}, .ridge_scale = std::vector<double>{1, 3}}),
          {3.0 / 7, 1.0 / 7},
          {-3.0 / 7},
          3.0 / 14};
}

// b = 0, squared loss: x = 0, y = 0, P* = 0. Here P(0) = 0 too, and a relative gap means nothing.
inline TinyProblem zero_optimum() {
  return {"zero optimum",
          tiny(2, 2, {1, 2, 3, 4}, {0, 0}, {.loss = "squared", .radius = 1, .ridge = {1, false}}),
          {0, 0},
          {0, 0},
          0};
}

// And where x >= 0 need not meet its radius of 2: x = (0, 1/3), where (x_2 - 1)/2 + x_2 = 0 and the first slope, 1, is
// not negative. P* = (1/4)(4 + 4/9) + 1/18 = 10/9 + 1/18 = 7/6.
inline TinyProblem slack_nonnegative() {
  return {
      "x >= 0 with a slack radius",
      tiny(2, 2, {1, 0, 0, 1}, {-2, 1}, {.loss = "squared", .set = "nonnegative", .radius = 2, .ridge = {1, false}}),
      {0, 1.0 / 3},
      {2, -2.0 / 3},
      7.0 / 6};
}

inline std::vector<TinyProblem> tiny_problems() {
  return {vertex_of_the_ball(),    slack_ball(),       face_of_the_ball(), vertex_of_the_simplex(),
          slack_nonnegative(),     one_by_one_hinge(), opposite_labels(),  opposite_labels_logistic(),
          linear_piece_of_huber(), diagonal_ridge(),   zero_optimum()};
}

}  // namespace pdbfw::reference
