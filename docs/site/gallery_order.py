"""In which order the gallery shows the examples, and how their pictures look."""

import pathlib

import matplotlib.pyplot as plt

ORDER = ["text_topics", "gene_selection", "image_completion", "phase_retrieval", "solver_comparison"]
STYLE = pathlib.Path(__file__).with_name("pictures.mplstyle")


class InOrder:
    """As in ORDER; what is not there comes last."""

    def __init__(self, src_dir):
        self.src_dir = src_dir

    def __call__(self, name):
        stem = pathlib.Path(name).stem
        return (ORDER.index(stem) if stem in ORDER else len(ORDER), stem)

    def __repr__(self):
        return "<InOrder>"


def reset(_config, _name):
    """Every example begins with the same style."""
    plt.rcdefaults()
    plt.style.use(STYLE)
