"""The problems of judge.py as conic programs, for Clarabel: an interior-point method that shares nothing with pdbfw."""

import clarabel
import numpy as np
import scipy.sparse as sp
from judge import CLASS_LOSSES, VectorProblem


class Program:
    """Minimise (1/2) v' diag(quadratic) v + linear'v subject to: every `right - sum of matrix @ part` lies in its cone."""

    def __init__(self):
        self.linear, self.quadratic, self.rows, self.right, self.cones = [], [], [], [], []

    def variables(self, count, linear=0.0, quadratic=0.0):
        first = len(self.linear)
        self.linear += np.broadcast_to(linear, count).tolist()
        self.quadratic += np.broadcast_to(quadratic, count).tolist()
        return range(first, first + count)

    def constrain(self, cone, right, *terms):
        self.rows.append([(part, sp.csc_array(matrix)) for matrix, part in terms])
        self.right.append(np.asarray(right, dtype=float))
        self.cones.append(cone)

    def equal(self, right, *terms):
        self.constrain(clarabel.ZeroConeT(len(right)), right, *terms)

    def at_most(self, right, *terms):
        self.constrain(clarabel.NonnegativeConeT(len(right)), right, *terms)

    def nonnegative(self, part):
        self.at_most(np.zeros(len(part)), (-sp.eye_array(len(part)), part))

    def solve(self):
        """(primal value, dual value), or None where Clarabel does not claim to have solved it."""
        size = len(self.linear)
        blocks = [sum((sp.csc_array((m.tocoo().data, (m.tocoo().row, part[0] + m.tocoo().col)),
                                    shape=(len(right), size)) for part, m in terms), sp.csc_array((len(right), size)))
                  for terms, right in zip(self.rows, self.right)]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.max_iter = 200
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-9
        found = clarabel.DefaultSolver(sp.csc_matrix(sp.diags_array(self.quadratic)), np.array(self.linear),
                                       sp.csc_matrix(sp.vstack(blocks)), np.concatenate(self.right), self.cones,
                                       settings).solve()
        return (found.obj_val, found.obj_val_dual) if found.status == clarabel.SolverStatus.Solved else None


def exponentials(program, right, terms, limit):
    """exp(right_k - terms) summed over k <= limit, row by row; `right` and `terms` are lists, one entry a summand."""
    rows = len(right[0])
    powers = [program.variables(rows) for _ in right]
    for exponent, of_exponent, power in zip(right, terms, powers):
        # (x, 1, z) with exp(x) <= z, sample by sample: three rows of each
        spread = [sp.csc_array(sp.kron(sp.eye_array(rows), np.eye(3)[:, [k]])) for k in range(3)]
        offset = spread[0] @ exponent + spread[1] @ np.ones(rows)
        program.constrain(None, offset, *[(spread[0] @ sp.csc_array(m), part) for m, part in of_exponent],
                          (-spread[2], power))
        program.cones.pop()
        program.cones += [clarabel.ExponentialConeT()] * rows
    program.at_most(np.full(rows, limit), *[(sp.eye_array(rows), power) for power in powers])


def add_scalar_losses(program, loss, b, share, score, smoothing, huber_width):
    """sum_i share_i f(b_i, score_i); the score is a list of (matrix, part)."""
    n, eye = len(b), sp.eye_array(len(b))
    if loss == "squared":
        error = program.variables(n, quadratic=share)
        return program.equal(b, *score, (-eye, error))
    if loss == "huber":
        middle = program.variables(n, quadratic=share)
        tails = [program.variables(n, linear=huber_width * share) for _ in range(2)]
        program.equal(b, *score, (-eye, middle), (-eye, tails[0]), (eye, tails[1]))
        return [program.nonnegative(tail) for tail in tails]
    of_margin = [(sp.diags_array(-b) @ sp.csc_array(matrix), part) for matrix, part in score]
    if loss == "logistic":
        # log(1 + exp(-m)) <= t:  exp(-t) + exp(-m - t) <= 1
        t = program.variables(n, linear=share)
        minus = [(-matrix, part) for matrix, part in of_margin]
        return exponentials(program, [np.zeros(n), np.zeros(n)], [[(eye, t)], [*minus, (eye, t)]], 1.0)
    curved = program.variables(n, quadratic=share / (smoothing if loss == "smooth_hinge" else 1))
    parts = [curved] if loss == "squared_hinge" else [curved, program.variables(n, linear=share)]
    program.at_most(-np.ones(n), *of_margin, *[(-eye, part) for part in parts])
    return [program.nonnegative(part) for part in parts]


def add_class_losses(program, p, score):
    """Of MatrixProblem p; score(k) is a list of (matrix, part) for the scores of class k."""
    n, eye = len(p.A), sp.eye_array(len(p.A))
    true = np.eye(p.outputs)[p.B]

    def of_true(sign):
        return [(sign * sp.diags_array(true[:, k]) @ sp.csc_array(m), part) for k in range(p.outputs) for m, part in score(k)]

    if p.loss == "softmax":
        # log sum_k exp(w_k) - w_true <= t
        t = program.variables(n, linear=p.share)
        terms = [[*[(-sp.csc_array(m), part) for m, part in score(k)], *of_true(1), (eye, t)] for k in range(p.outputs)]
        return exponentials(program, [np.zeros(n)] * p.outputs, terms, 1.0)
    # min over r of  max_k (g_k - r_k) - (g_true - r_true) + |r|^2 / (2 smoothing),   g = w + 1 - e_true
    top = program.variables(n, linear=p.share)
    r = [program.variables(n, linear=p.share * true[:, k], quadratic=p.share / p.smoothing) for k in range(p.outputs)]
    for k in range(p.outputs):
        program.at_most(true[:, k] - 1, *score(k), (-eye, r[k]), (-eye, top))
    w_true = program.variables(n, linear=-p.share)
    return program.equal(np.zeros(n), *of_true(1), (-eye, w_true))


def add_ball(program, x, radius, alpha=0.0):
    """|x|_1 <= radius, or alpha |x|_1 in the objective."""
    eye, zero = sp.eye_array(len(x)), np.zeros(len(x))
    size = program.variables(len(x), linear=alpha)
    for sign in (1, -1):
        program.at_most(zero, (sign * eye, x), (-eye, size))
    if not alpha:
        program.at_most([radius], (np.ones((1, len(x))), size))


def optimum_of_vector(p: VectorProblem):
    program = Program()
    held = p.is_held
    rows = p.counts > 0
    x = program.variables(np.count_nonzero(held), quadratic=p.curvatures)
    score = [(p.A[rows][:, held] / p.units, x)] if len(x) else []
    outside = p.A[rows][:, ~held]
    if p.intercept:
        outside = np.column_stack([outside, np.ones(len(outside))])
    if outside.shape[1]:
        score.append((outside, program.variables(outside.shape[1])))
    if p.set == "polytope":
        shares = program.variables(len(p.atoms))
        program.nonnegative(shares)
        program.equal([1.0], (np.ones((1, len(shares))), shares))
        program.equal(np.zeros(len(x)), (np.eye(len(x)), x), (-p.radius * p.atoms.T, shares))
    elif p.set == "simplex":
        program.nonnegative(x)
        program.equal([p.radius], (np.ones((1, len(x))), x))
    elif len(x):
        add_ball(program, x, p.radius, p.alpha)
        if p.set == "nonnegative":
            program.nonnegative(x)
    share = p.counts[rows] / p.counts.sum()
    add_scalar_losses(program, p.loss, p.b[rows], share, score, p.smoothing, p.huber_width)
    return program.solve()


def optimum_of_matrix(p):
    program = Program()
    d = p.A.shape[1]
    columns = [program.variables(d, quadratic=p.ridge_weight) for _ in range(p.outputs)]
    offsets = [program.variables(1) for _ in range(p.outputs)] if p.intercept else []
    ones = np.ones((len(p.A), 1))

    def score(k):
        return [(p.A, columns[k])] + ([(ones, offsets[k])] if p.intercept else [])

    if p.set == "trace":
        add_trace_ball(program, columns, d, p.radius)
    elif p.set == "l1":
        add_ball(program, range(columns[0][0], columns[-1][-1] + 1), p.radius)
    else:
        for column in columns:
            add_ball(program, column, p.radius)
    if p.loss in CLASS_LOSSES:
        add_class_losses(program, p, score)
    else:
        for k in range(p.outputs):
            add_scalar_losses(program, p.loss.removeprefix("multilabel_"), p.B[:, k], p.share, score(k), p.smoothing,
                              p.huber_width)
    return program.solve()


def add_trace_ball(program, columns, d, radius):
    """The singular values of X sum to at most the radius: M = (W, X; X', W') is positive semidefinite, tr M <= 2 radius."""
    side = d + len(columns)
    place = {(i, j): i + j * (j + 1) // 2 for j in range(side) for i in range(j + 1)}  # of the upper triangle
    triangle = program.variables(len(place))
    program.constrain(clarabel.PSDTriangleConeT(side), np.zeros(len(place)), (-sp.eye_array(len(place)), triangle))
    diagonal = np.zeros((1, len(place)))
    diagonal[0, [place[i, i] for i in range(side)]] = 1
    program.at_most([2 * radius], (diagonal, triangle))
    for k, column in enumerate(columns):
        # off the diagonal the triangle has the entries times the root of 2
        pick = sp.csc_array((np.ones(d), (np.arange(d), [place[i, d + k] for i in range(d)])), shape=(d, len(place)))
        program.equal(np.zeros(d), (np.sqrt(2) * sp.eye_array(d), column), (-pick, triangle))
