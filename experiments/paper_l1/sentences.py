"""What the page says, chosen by the numbers and by nothing else."""

import math

# "Around 10 times": a factor of two either way.
AROUND_TEN = 5.0
# A fitted exponent agrees with a theorem's when it is this near to it.
NEAR = 0.25


def times(ratio):
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"


def ratio_text(seconds, ours, budget):
    """How many times as long as ours; a bound where the other did not get there, "-" where ours did not."""
    if ours is None:
        return "-" if seconds is None else "only it"
    if seconds is None:
        return f"> {times(budget / ours)}"
    return times(seconds / ours)


def speed_up(ours, rivals, budget):
    """(ratio of the fastest rival's time to ours, its name, whether that is only a lower bound), or None if ours failed.

    `rivals`: {name: seconds or None}."""
    if ours is None:
        return None
    there = {name: seconds for name, seconds in rivals.items() if seconds is not None}
    if not there:
        return budget / ours, None, True
    name = min(there, key=there.get)
    return there[name] / ours, name, False


def on_speed_up(title, target, found, rivals, budget):
    """The paper: 'around 10 times speedup over all other methods except for the smallest dataset duke'."""
    if not rivals:
        return f"{title}: none of the paper's baselines was measured."
    if found is None:
        there = sorted((seconds, name) for name, seconds in rivals.items() if seconds is not None)
        others = "; " + ", ".join(f"`{name}` did in {seconds:.2g} s" for seconds, name in there) if there else ", nor did any of them"
        return f"{title}: {'the claim does not hold: ' if there else ''}`pdbfw` did not reach {target:g} in {budget:g} s{others}."
    ratio, name, is_bound = found
    if is_bound:
        agrees = "holds" if ratio >= AROUND_TEN else "is not contradicted"
        return f"{title}: the claim {agrees}: no baseline of the paper reached {target:g} in {budget:g} s, {times(ratio)} times what `pdbfw` took."
    if ratio >= AROUND_TEN:
        return f"{title}: the claim holds: `pdbfw` is {times(ratio)} times as fast as the next, `{name}`."
    if ratio > 1:
        return f"{title}: `pdbfw` is first, but only {times(ratio)} times as fast as `{name}`."
    return f"{title}: the claim does not hold: `{name}` takes {times(ratio)} of the time of `pdbfw`."


def on_wins(ratios, steps):
    """Over all problems; None where `pdbfw` did not get there. `steps`: which step rules the baselines had."""
    if not ratios:
        return f"With {steps} none of the paper's baselines was measured."
    first, clear = (sum(ratio is not None and ratio > least for ratio in ratios) for least in (1, AROUND_TEN))
    return f"With {steps}, `pdbfw` is ahead of all of them on {first} of {len(ratios)} problems, by a factor of {AROUND_TEN:g} or more on {clear}."


def on_margin(pairs):
    """The paper: 'The winning margin is roughly proportional to the solution sparsity ratio'. (sparsity ratio, margin) by data set."""
    import curves

    correlation = curves.rank_correlation([p for p, _ in pairs], [m for _, m in pairs])
    if math.isnan(correlation):
        return "Too few data sets to say whether the margin goes with the sparsity of the solution."
    words = ("rises with" if correlation >= 0.6 else "falls with" if correlation <= -0.6 else "does not go with")
    return (f"Over {len(pairs)} data sets the margin {words} the share of features that are in the solution (rank correlation {correlation:.2f}). "
            f"The paper says it is roughly proportional to the sparsity, i.e. it should be largest where the fewest features are in the solution "
            f"(a correlation near -1): {'so it is' if correlation <= -0.6 else 'that is not what was measured'}.")


def on_exponent(measured, least, most=None):
    """Whether a fitted exponent is what a theorem allows."""
    most = least if most is None else most
    if math.isnan(measured):
        return "not measured"
    if measured < least - NEAR:
        return "below"
    return "above" if measured > most + NEAR else "agrees"


def on_cost(name, expected, work, seconds):
    """Whether an iteration costs what the paper says; three dictionaries of exponents by size (n, d, s)."""
    known = {size: value for size, value in work.items() if not math.isnan(value)}
    if not known:
        return f"`{name}`: the cost of an iteration was not measured."
    other = [f"{size} ({known[size]:.2f}, not {expected[size]:g})" for size in known if on_exponent(known[size], expected[size]) != "agrees"]
    text = f"`{name}`: the work of an iteration grows " + (f"otherwise than claimed in {' and '.join(other)}" if other else "as claimed")
    slow = [f"{size} ({seconds[size]:.2f}, work {known[size]:.2f})" for size in known if on_exponent(seconds[size], known[size]) == "above"]
    return text + (f"; its time grows faster than its work in {' and '.join(slow)}." if slow else ".")


def on_auto(title, target, pdbfw, auto):
    if auto is None:
        return f"{title}: `auto` did not reach {target:g}."
    if pdbfw is None:
        return f"{title}: only `auto` reached {target:g}, in {auto:.2g} s."
    ratio = pdbfw / auto
    return f"{title}: `auto` takes {auto:.2g} s, `pdbfw` {pdbfw:.2g} s: {times(ratio) if ratio >= 1 else times(1 / ratio)} times as {'long' if ratio >= 1 else 'fast'}."


def on_optimum(title, gap, tol):
    if gap <= tol:
        return None
    return f"{title}: P* is certified to a relative gap of {gap:.1e} only, not {tol:g}; lower values of (P - P*) / P* mean nothing."
