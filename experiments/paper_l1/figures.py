"""The figures of the l1 experiments."""

from drawing import DASHED, DOTTED, MIXED, SOLID, Look, save

# Ours grey to black, Algorithm 1 red; one hue a family, told apart by line style.
STYLES = {
    "auto": ("#000000", SOLID, 2.4),
    "sequential": ("#4d4d4d", DASHED, 1.5),
    "working_set": ("#8c8c8c", MIXED, 1.5),
    "pdbfw": ("#d62728", SOLID, 2.4),
    "pdbfw theory": ("#f08080", DASHED, 1.8),
    "fw": ("#08519c", SOLID, 1.3),
    "fw_away": ("#3182bd", DASHED, 1.3),
    "fw_pairwise": ("#56b4e9", MIXED, 1.3),
    "block_fw": ("#17becf", DOTTED, 1.8),
    "pg": ("#74c476", DASHED, 1.3),
    "apg": ("#006d2c", SOLID, 1.3),
    "svrg": ("#ff7f0e", SOLID, 1.3),
    "scgs": ("#7b3fa0", SOLID, 1.3),
    "storc": ("#c77cd6", DASHED, 1.3),
    "svrf": ("#8c564b", MIXED, 1.3),
}
LOOK = Look(STYLES, {"seconds": "seconds", "data_passes": "data passes"},
            lambda problem: f"{problem.data.title}\nradius {problem.radius:g}, ridge {problem.ridge}")


def scaling(plt, measured, path):
    """Seconds of an iteration against n, d, s; iterations against kappa."""
    figure, panels = plt.subplots(1, 4, figsize=(13, 3.2), layout="constrained")
    names = []
    for one in measured:
        name = one["claim"].method
        colour, style, width = STYLES[name]
        names.append(name)
        look = {"color": colour, "linestyle": style, "linewidth": width, "marker": "o", "markersize": 3}
        for panel, size in zip(panels, ("n", "d", "s")):
            known = [(m, cost[1]) for m, cost in one["costs"].get(size, []) if cost and cost[1] > 0]
            if known:
                panel.plot(*zip(*known), **look)
        known = [(kappa, iterations) for kappa, iterations in one["kappa"] if iterations]
        if known:
            panels[3].plot(*zip(*known), **look)
    for panel, words in zip(panels, ("n (rows)", "d (features)", "s (block of Algorithm 1)", "condition number kappa")):
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel(words)
        sizes = sorted({size for drawn in panel.lines for size in drawn.get_xdata()})
        panel.set_xticks(sizes, [f"{size:g}" for size in sizes])
        panel.xaxis.set_minor_formatter("")
    for panel in panels[1:3]:
        panel.sharey(panels[0])
    panels[0].set_ylabel("seconds of an iteration, median")
    panels[3].set_ylabel("iterations to (P - P*) / P* = 1e-4")
    handles = [plt.Line2D([], [], color=STYLES[n][0], linestyle=STYLES[n][1], linewidth=STYLES[n][2]) for n in names]
    figure.legend(handles, names, loc="outside right center", frameon=False, handlelength=3.2)
    figure.suptitle("Table 1 measured, on dense generated data", fontsize=11)
    save(plt, figure, path)
