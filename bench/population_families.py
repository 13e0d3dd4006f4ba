"""The data of bench/population.py: families generated from seeds, scikit-learn's own sets, and real ones.

`make_data(family, seed, scale, folder)` is (X, numbers, labels): a dense array by rows or a CSR matrix, a real target
for the squared loss, and labels of -1 and +1. Sizes vary by a third with the seed; `scale` shrinks them all.
"""

import zlib

import numpy as np
import scipy.sparse as sp


class Draw:
    """The random numbers of one data set, and sizes that vary with them."""

    def __init__(self, family, seed, scale):
        self.rng = np.random.default_rng([zlib.crc32(family.encode()), seed])
        self.scale = scale

    def size(self, largest):
        return max(20, int(largest * self.scale * self.rng.uniform(0.67, 1)))

    def normal(self, *shape):
        return self.rng.normal(size=shape)

    def sparse(self, rows, columns, density, values=None):
        X = sp.random(rows, columns, density, "csr", np.float64, random_state=self.rng, data_rvs=values)
        X.sort_indices()
        return X


def planted(draw, X, noise=0.5, support=12):
    """A sparse linear model of X whose scores have unit variance, with noise: numbers, and their signs."""
    spread = np.sqrt(np.maximum(second_moment(X), 1e-300))
    usable = np.flatnonzero(spread > 1e-12)
    chosen = draw.rng.choice(usable, min(support, usable.size), replace=False)
    weights = np.zeros(X.shape[1])
    weights[chosen] = draw.normal(chosen.size) / spread[chosen]
    score = X @ weights
    score = (score - score.mean()) / max(score.std(), 1e-12)
    return with_labels(score + noise * draw.normal(X.shape[0]))


def with_labels(numbers):
    return numbers, np.where(numbers > np.median(numbers), 1.0, -1.0)


def second_moment(X):
    """The variance of every column."""
    mean = np.asarray(X.mean(axis=0)).ravel()
    squares = X.multiply(X) if sp.issparse(X) else X * X
    return np.asarray(squares.mean(axis=0)).ravel() - mean**2


def autoregressive(draw, rows, columns, correlation):
    from scipy.signal import lfilter

    return np.ascontiguousarray(
        lfilter([np.sqrt(1 - correlation**2)], [1, -correlation], draw.normal(rows, columns + 50), axis=1)[:, 50:]
    )


def one_hot_columns(draw, rows, levels):
    """One column for every level of every category, the levels as frequent as Zipf's law says."""
    blocks = []
    for count in levels:
        share = 1 / np.arange(1, count + 1)
        level = draw.rng.choice(count, rows, p=share / share.sum())
        blocks.append(sp.csr_matrix((np.ones(rows), (np.arange(rows), level)), shape=(rows, count)))
    return sp.csr_matrix(sp.hstack(blocks))


def word_counts(draw, rows, columns, words):
    """Documents whose words are drawn by a power law."""
    share = 1 / np.arange(1, columns + 1) ** 1.05
    length = draw.rng.poisson(words, rows) + 1
    word = draw.rng.choice(columns, length.sum(), p=share / share.sum())
    row = np.repeat(np.arange(rows), length)
    X = sp.csr_matrix((np.ones(word.size), (row, word)), shape=(rows, columns))
    X.sum_duplicates()
    return X


def dense_tall(draw):
    X = draw.normal(draw.size(5000), draw.size(200))
    return X, *planted(draw, X)


def dense_square(draw):
    X = draw.normal(draw.size(900), draw.size(900))
    return X, *planted(draw, X)


def dense_wide(draw):
    X = draw.normal(draw.size(300), draw.size(4000))
    return X, *planted(draw, X)


def correlated_tall(draw):
    X = autoregressive(draw, draw.size(4000), draw.size(200), 0.9)
    return X, *planted(draw, X)


def correlated_wide(draw):
    X = autoregressive(draw, draw.size(300), draw.size(4000), 0.95)
    return X, *planted(draw, X, support=20)


def factors(draw):
    """Few factors and a little noise of its own in every column."""
    rows, columns = draw.size(2000), draw.size(300)
    X = draw.normal(rows, 10) @ draw.normal(10, columns) + 0.3 * draw.normal(rows, columns)
    return X, *planted(draw, X)


def duplicated_columns(draw):
    """Every column twice, once more with the other sign, and once more nearly so."""
    part = draw.normal(draw.size(2000), draw.size(100))
    X = np.hstack([part, part, -part, part + 1e-3 * draw.normal(*part.shape)])
    return np.ascontiguousarray(X[:, draw.rng.permutation(X.shape[1])]), *planted(draw, part)


def constant_columns(draw):
    """Ones, zeros and large constants among the columns, and means that are not zero."""
    X = draw.normal(draw.size(2000), draw.size(250))
    X += draw.normal(1, X.shape[1])
    X[:, :5], X[:, 5:10], X[:, 10:12] = 1, 0, 100
    return X, *planted(draw, X)


def one_hot(draw):
    X = one_hot_columns(draw, draw.size(30000), [2, 3, 5, 8, 12, 20, 30, 60])
    return X, *planted(draw, X)


def one_hot_and_numbers(draw):
    """A table as it comes: categories beside numbers in their own units."""
    rows = draw.size(8000)
    numbers = np.column_stack(
        [draw.rng.uniform(18, 90, rows), draw.rng.lognormal(10, 1, rows), draw.rng.poisson(2, rows), draw.normal(rows)]
    )
    X = sp.csr_matrix(sp.hstack([one_hot_columns(draw, rows, [2, 7, 15, 50]), sp.csr_matrix(numbers)]))
    return X, *planted(draw, X)


def heavy_tailed(draw):
    X = draw.rng.standard_t(1.5, size=(draw.size(2000), draw.size(300)))
    return X, *planted(draw, np.tanh(X))


def badly_scaled(draw):
    X = draw.normal(draw.size(2000), draw.size(400))
    X *= draw.rng.lognormal(0, 3, X.shape[1])
    return X, *planted(draw, X)


def raw_counts(draw):
    X = word_counts(draw, draw.size(5000), draw.size(3000), 80)
    return X, *planted(draw, X)


def dense_counts(draw):
    """Genotypes: 0, 1 or 2, neighbours alike."""
    latent = autoregressive(draw, draw.size(500), draw.size(3000), 0.8)
    X = np.digitize(latent, [0.3, 1.3]).astype(np.float64)
    return X, *planted(draw, X)


def sparse_binary_tall(draw):
    X = draw.sparse(draw.size(50000), 300, 0.05, np.ones)
    return X, *planted(draw, X)


def sparse_square(draw):
    X = draw.sparse(draw.size(5000), draw.size(5000), 0.005, draw.rng.standard_normal)
    return X, *planted(draw, X)


def sparse_wide(draw):
    X = draw.sparse(draw.size(1000), draw.size(30000), 0.003, draw.rng.standard_normal)
    return X, *planted(draw, X)


def text_like(draw):
    """A power law of words, weighed by rarity, rows of unit length."""
    X = word_counts(draw, draw.size(20000), draw.size(20000), 60)
    X.data = 1 + np.log(X.data)
    rarity = np.log(X.shape[0] / np.maximum(1, np.bincount(X.indices, minlength=X.shape[1])))
    X = X @ sp.diags(rarity)
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X = sp.csr_matrix(sp.diags(1 / np.maximum(length, 1e-12)) @ X)
    return X, *planted(draw, X, support=200)


def separable(draw):
    X = draw.normal(draw.size(1000), draw.size(300))
    return X, *planted(draw, X, noise=0)


def noise_only(draw):
    X = draw.normal(draw.size(1000), draw.size(600))
    return X, *with_labels(draw.normal(X.shape[0]))


def rare_positives(draw):
    X = draw.sparse(draw.size(20000), draw.size(200), 0.1, draw.rng.standard_normal)
    numbers, _ = planted(draw, X)
    return X, numbers, np.where(numbers > np.quantile(numbers, 0.99), 1.0, -1.0)


def tiny(draw):
    X = draw.normal(60, 15)
    return X, *planted(draw, X, support=4)


GENERATED = {
    make.__name__: make
    for make in [
        dense_tall,
        dense_square,
        dense_wide,
        correlated_tall,
        correlated_wide,
        factors,
        duplicated_columns,
        constant_columns,
        one_hot,
        one_hot_and_numbers,
        heavy_tailed,
        badly_scaled,
        raw_counts,
        dense_counts,
        sparse_binary_tall,
        sparse_square,
        sparse_wide,
        text_like,
        separable,
        noise_only,
        rare_positives,
        tiny,
    ]
}

# scikit-learn's own sets. Targets that are numbers give labels by their median, classes give numbers -1 and +1.


def loaded(name, is_positive=None):
    def make(_):
        from sklearn import datasets

        X, y = getattr(datasets, name)(return_X_y=True)
        return (np.ascontiguousarray(X), *(with_labels(y) if is_positive is None else as_classes(is_positive(y))))

    return make


def as_classes(is_positive):
    labels = np.where(is_positive, 1.0, -1.0)
    return labels, labels


def made(name, **options):
    def make(draw):
        from sklearn import datasets

        X, y = getattr(datasets, name)(random_state=int(draw.rng.integers(2**31)), **options)
        return X, *(as_classes(y > 0) if np.unique(y).size == 2 else with_labels(y))

    return make


def low_rank_matrix(draw):
    from sklearn.datasets import make_low_rank_matrix

    X = make_low_rank_matrix(1000, 400, effective_rank=20, random_state=int(draw.rng.integers(2**31)))
    return X, *planted(draw, X)


SKLEARN = {
    "breast_cancer": loaded("load_breast_cancer", lambda y: y == 1),
    "diabetes": loaded("load_diabetes"),
    "digits": loaded("load_digits", lambda y: y >= 5),
    "wine": loaded("load_wine", lambda y: y == 1),
    "make_classification": made("make_classification", n_samples=2000, n_features=200, n_informative=10),
    "make_regression": made("make_regression", n_samples=1000, n_features=500, noise=10.0),
    "make_sparse_uncorrelated": made("make_sparse_uncorrelated", n_samples=1000, n_features=500),
    "make_friedman1": made("make_friedman1", n_samples=3000, n_features=50, noise=1.0),
    "make_low_rank_matrix": low_rank_matrix,
    "make_hastie_10_2": made("make_hastie_10_2", n_samples=6000),
}


# Real sets, by the name that bench/population.py gives them.


def real(name, folder):
    """From the arrays that bench/peers/prepare.py made, or MNIST's images; CSR unless most entries are there."""
    if name == "mnist":
        X, digit = mnist(folder)
        keep = np.isin(digit, [0, 9])
        return sp.csr_matrix(X[keep] / 255.0), *as_classes(digit[keep] == 9)
    stored = np.load(folder / f"{name}.npz")
    X = sp.csr_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=stored["shape"])
    if X.nnz > 0.5 * X.shape[0] * X.shape[1]:
        X = X.toarray()
    return X, *as_classes(stored["y"] == stored["y"].max())


def mnist(folder):
    import gzip

    with gzip.open(folder / "train-images-idx3-ubyte.gz") as file:
        images = np.frombuffer(file.read(), np.uint8, offset=16).reshape(60000, 784)
    with gzip.open(folder / "train-labels-idx1-ubyte.gz") as file:
        return images, np.frombuffer(file.read(), np.uint8, offset=8)


def make_data(family, seed, scale=1.0, folder=None):
    if folder:
        return real(family, folder)
    X, numbers, labels = {**GENERATED, **SKLEARN}[family](Draw(family, seed, scale))
    return X, np.ascontiguousarray(numbers, dtype=np.float64), labels
