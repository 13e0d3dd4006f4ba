"""
A signal from its intensities alone
===================================

Detectors count photons: they measure the size of a wave and lose its phase. From enough intensities
:math:`b_i = |a_i^* x|^2` the signal can be found all the same, as :math:`X = x x^*` is a matrix of rank one in which
the intensities are linear. This is a convex problem, so there is no wrong valley to end in, and the answer has a proof.
"""

# %%
# A picture, measured
# -------------------
#
# A handwritten digit of 8 x 8 pixels, and six intensities for each of its pixels, with a little noise. The vectors
# :math:`a_i` are random and known.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from pdbfw import PhaseRetrieval

rng = np.random.default_rng(0)


def measured(signal, count, noise):
    """Vectors and intensities; the noise is a share of the mean intensity."""
    vectors = rng.normal(size=(count, signal.size))
    intensities = (vectors @ signal) ** 2
    return vectors, np.maximum(intensities + noise * intensities.mean() * rng.normal(size=count), 0)


def error(found, truth):
    """The sign of a real signal cannot be told from intensities, so the nearer one counts."""
    return min(np.linalg.norm(found - truth), np.linalg.norm(found + truth)) / np.linalg.norm(truth)


digit = load_digits().images[8] / 16
signal = digit.ravel()
vectors, intensities = measured(signal, 6 * signal.size, noise=0.02)
model = PhaseRetrieval(tol=1e-6).fit(vectors, intensities)
print(f"status {model.status_}: {model.certificate_}")
print(f"misfit {model.misfit_:.3f}, relative error of the signal {error(model.signal_, signal):.3f}")

# %%
# Beside it the usual first guess: the first eigenvector of :math:`\sum_i b_i a_i a_i^T`, which is the signal on average
# over the vectors only.

average = (vectors * intensities[:, None]).T @ vectors / len(vectors)
spectral = np.linalg.eigh(average)[1][:, -1] * np.linalg.norm(signal)
figure, axes = plt.subplots(1, 3, figsize=(9, 3.6), layout="constrained")
for axis, image, title in [
    (axes[0], signal, "The signal"),
    (axes[1], spectral, f"First eigenvector, error {error(spectral, signal):.2f}"),
    (axes[2], model.signal_, f"Phase retrieval, error {error(model.signal_, signal):.3f}"),
]:
    axis.imshow(image.reshape(8, 8) * np.sign(image @ signal), cmap="gray", vmin=0, vmax=1)
    axis.set_title(title, fontsize=10)
    axis.axis("off")

# %%
# How many intensities does it take?
# ----------------------------------
#
# With fewer than about two for each number of a real signal, many signals explain the intensities. With more, the signal
# comes back, to the accuracy that was asked for.

size, repeats = 16, 5
shares = np.array([1.5, 2, 2.5, 3, 3.5, 4, 5, 6])
errors = np.zeros((shares.size, repeats))
for place, share in enumerate(shares):
    for repeat in range(repeats):
        truth = rng.normal(size=size)
        a, b = measured(truth, int(share * size), noise=0)
        found = PhaseRetrieval(tol=1e-8, max_iter=3000).fit(a, b).signal_
        errors[place, repeat] = error(found, truth)

figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
axis.semilogy(shares.repeat(repeats), errors.ravel(), "o", alpha=0.4, label="one signal")
axis.semilogy(shares, np.median(errors, axis=1), color="C0", label="median")
axis.set(xlabel="intensities for each number of the signal", ylabel="relative error")
axis.legend()

# %%
# Complex signals
# ---------------
#
# Waves are complex. Nothing changes but the type of the vectors; what cannot be told is one phase for all of the signal.

time = np.linspace(0, 1, 32, endpoint=False)
wave = np.exp(2j * np.pi * (3 * time + 4 * time**2)) * np.hanning(32)
a = rng.normal(size=(8 * wave.size, wave.size)) + 1j * rng.normal(size=(8 * wave.size, wave.size))
model = PhaseRetrieval(tol=1e-8).fit(a, abs(a.conj() @ wave) ** 2)
found = model.signal_ * np.exp(1j * np.angle(np.vdot(model.signal_, wave)))
print(f"status {model.status_}, relative error {np.linalg.norm(found - wave) / np.linalg.norm(wave):.1e}")

figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 4.6), sharex=True, layout="constrained")
for axis, part, name in [(top, np.real, "real part"), (bottom, np.imag, "imaginary part")]:
    axis.plot(time, part(wave), linewidth=5, color="0.8", label="the signal")
    axis.plot(time, part(found), color="C0", label="found")
    axis.set_ylabel(name)
top.legend()
bottom.set_xlabel("time")

plt.show()
