"""Formulas as MathML, made when the site is built: browsers draw it by themselves, without a script from elsewhere."""

from docutils import nodes
from latex2mathml.converter import convert


def inline(translator, node):
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(translator, node):
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(convert(node.astext(), display="block"))
    translator.body.append("</div>")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True}
