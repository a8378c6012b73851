"""A drawing as LaTeX, to be put into a paper: ``forest`` for trees, ``tikz-dependency`` for arcs.

What is drawn is what the picture shows, folded parts and all; where that is, is for LaTeX. The
lines that differ are told apart as in the picture, by sign and line besides their colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treelens.pictures import arcs, trees
from treelens.pictures.canvas import DrawnWord, Outcome
from treelens.pictures.drawing import Drawing, Sketch
from treelens.pictures.trees import DrawnNode
from treelens.render.tex import comment, escaped

_SIGNS: dict[Outcome, str] = {
    "matched": "",
    "missing": "$-$",
    "extra": "$+$",
    "crossing": r"$\times$",
    "mislabelled": r"$\neq$",
    "uncounted": "",
    "otherwise": r"$\neq$",
}
_COLOURS = (
    ("missing", "0B5CAD"),
    ("extra", "B34700"),
    ("mislabelled", "7138A8"),
    ("crossing", "B3123F"),
)
_LINES: dict[Outcome, str] = {
    "missing": "tlmissing, dashed",
    "extra": "tlextra",
    "mislabelled": "tlmislabelled",
    "crossing": "tlcrossing, very thick",
}
_PALE: tuple[Outcome, ...] = ("matched", "uncounted", "otherwise")
_ARC = 14
"""Points from one level of arcs to the next."""
_LATIN = 0x180
"""Below it, all letters are in the fonts that pdflatex has."""


def latex(drawing: Drawing, title: str) -> str:
    """A complete piece of LaTeX, ending in a line break; what it needs is said in its comments."""
    lines = [f"% {comment(title)}", *_needed(drawing)]
    drawn = {word.kind for word in _words(drawing)} | {
        part.state for part in drawing.parts.values()
    }
    if drawn - {"matched", "uncounted"}:
        lines += [rf"\definecolor{{tl{name}}}{{HTML}}{{{value}}}" for name, value in _COLOURS]
    for sketch in drawing.sketches:
        if sketch.heading:
            lines.append(rf"\par\noindent\textit{{{_text(sketch.heading)}}}\par")
        write = _forest if isinstance(sketch.above, trees.DrawnTree) else _dependency
        lines += write(sketch, drawing.right_to_left)
    return "\n".join(lines) + "\n"


def _needed(drawing: Drawing) -> Iterator[str]:
    texts = [part.label for part in drawing.parts.values()]
    package = "[linguistics]{forest}" if drawing.kind == "trees" else "{tikz-dependency}"
    yield rf"% needs \usepackage{{xcolor}} and \usepackage{package}"
    if any(ord(letter) >= _LATIN for text in texts for letter in text):
        yield (
            r"% compile with xelatex or lualatex, \usepackage{fontspec} and a font that has these "
            r"letters: \setmainfont{...}"
        )
        if drawing.right_to_left:
            yield "% right to left: the words stand in this order already, each is for the font"
    else:
        yield r"% with pdflatex, \usepackage[T1]{fontenc}"


def _words(drawing: Drawing) -> Iterator[DrawnWord]:
    for sketch in drawing.sketches:
        for half in (sketch.above, sketch.below):
            yield from half.words if half is not None else ()


def _text(text: str) -> str:
    r"""Escaped for these two packages, in which ``\&`` is for columns."""
    return escaped(text).replace(r"\&", r"\symbol{38}")


def _signed(label: str, kind: Outcome, other: str = "") -> str:
    sign = _SIGNS[kind]
    if other:
        return f"{_text(label)}~{sign}~{_text(other)}"
    return f"{sign}\\,{_text(label)}" if sign else _text(label)


# --- trees -------------------------------------------------------------------------------------

_FOREST = (
    r"\begin{forest}",
    r"  for tree={inner sep=1.5pt, parent anchor=south, child anchor=north,",
    r"    s sep=6pt, l sep=9pt, edge=gray,",
    # Words stay in their order, and no line meets a label: across below the parent, then down.
    r"    fit=band, edge path={\noexpand\path[\forestoption{edge}]",
    r"      (!u.parent anchor) -- ++(0,-3pt) -| (.child anchor)\forestoption{edge label};}},",
    r"  missing/.style={draw=tlmissing, text=tlmissing, dashed, rounded corners=2pt,",
    r"    for children={edge={tlmissing, dashed}}},",
    r"  extra/.style={draw=tlextra, text=tlextra, rounded corners=2pt,",
    r"    for children={edge={tlextra}}},",
    r"  mislabelled/.style={draw=tlmislabelled, text=tlmislabelled, rounded corners=5pt},",
    r"  crossing/.style={draw=tlcrossing, text=tlcrossing, very thick,",
    r"    for children={edge={tlcrossing, very thick}}},",
    r"  uncounted/.style={text=gray},",
    r"  otherwise/.style={draw=gray, text=gray, densely dotted, rounded corners=5pt},",
    r"  word/.style={tier=word, align=center},",
)


def _forest(sketch: Sketch, mirrored: bool) -> Iterator[str]:
    """One environment for each band; several roots are under one that is not seen."""
    half, below = sketch.above, sketch.below
    assert isinstance(half, trees.DrawnTree)
    children: list[list[tuple[int, DrawnNode | DrawnWord, int]]] = [[] for _ in [*half.nodes, None]]
    for index, node in enumerate(half.nodes):
        children[node.parent].append((node.first, node, index))
    for at, word in enumerate(half.words):
        children[word.parent].append((word.first, word, at))
    for found in children:
        found.sort(key=lambda one: one[0], reverse=mirrored)
    yield from _FOREST
    roots = children[-1]
    depth = 0
    if len(roots) != 1:
        yield "  [, phantom, s sep=12pt"
        depth = 1
    open_: list[Iterator[tuple[int, DrawnNode | DrawnWord, int]]] = [iter(roots)]
    while open_:
        one = next(open_[-1], None)
        if one is None:
            open_.pop()
            if open_:
                yield "  " * (depth + len(open_)) + "]"
            continue
        indent = "  " * (depth + len(open_))
        _, drawn, index = one
        if isinstance(drawn, DrawnWord):
            yield indent + _leaf(drawn, index)
        else:
            yield f"{indent}[{{{_label(drawn)}}}{_style(drawn.kind)}"
            open_.append(iter(children[index]))
    if depth:
        yield "  ]"
    if isinstance(below, trees.DrawnTree):
        yield from _braces(below, half.words, mirrored)
    yield r"\end{forest}"


def _label(node: DrawnNode) -> str:
    inside = f"~({node.inside}~$\\neq$)" if node.inside else ""
    return _signed(node.label, node.kind, node.other) + inside


def _style(kind: Outcome) -> str:
    return "" if kind == "matched" else f", {kind}"


def _leaf(word: DrawnWord, index: int) -> str:
    """A word under its tag; what is folded under a roof."""
    if word.folded:
        return f"[{{{_text(' '.join(word.lines))}}}, roof, tier=word, name=w{index}]"
    tag = rf"{_tag(word)}\\" if word.tag else ""
    return f"[{{{tag}{_word(word)}}}, word, name=w{index}]"


def _braces(half: trees.DrawnTree, words: Sequence[DrawnWord], mirrored: bool) -> Iterator[str]:
    """Below the words, from the first to the last of each brace's."""
    levels = trees.node_levels(half)
    for node, level in zip(half.nodes, levels, strict=True):
        over = [at for at, word in enumerate(words) if node.first <= word.first < node.last]
        if not over:
            continue
        ends = (over[-1], over[0]) if mirrored else (over[0], over[-1])
        low = f"{4 + 14 * level}pt"
        line = _LINES.get(node.kind, "gray")
        yield (
            rf"  \draw[{line}] ([yshift=-2pt]w{ends[0]}.south west) -- "
            rf"([yshift=-{low}]w{ends[0]}.south west) -- node[fill=white, inner sep=1.5pt, "
            rf"font=\small] {{{_label(node)}}} ([yshift=-{low}]w{ends[0]}.south west -| "
            rf"w{ends[1]}.south east) -- ([yshift=-2pt]w{ends[1]}.south east);"
        )


# --- arcs --------------------------------------------------------------------------------------


def _dependency(sketch: Sketch, mirrored: bool) -> Iterator[str]:
    above, below = sketch.above, sketch.below
    assert isinstance(above, arcs.DrawnArcs)
    shown = [(word, False) for word in above.words]
    if isinstance(below, arcs.DrawnArcs):
        shown += [(word, True) for word in below.words if word.written]
    shown.sort(key=lambda one: one[0].first, reverse=mirrored)
    columns = {id(word): at for at, (word, _) in enumerate(shown, 1)}
    yield r"\begin{dependency}[edge slant=1pt, edge style={gray}, label style={draw=none}]"
    yield r"  \begin{deptext}[column sep=6pt, row sep=1pt]"
    yield "    " + r" \& ".join(_tag(word) for word, _ in shown) + r" \\"
    yield "    " + r" \& ".join(_word(word) for word, _ in shown) + r" \\"
    yield r"  \end{deptext}"
    places = [columns[id(word)] for word in above.words]
    yield from _edges(above, places, "")
    if isinstance(below, arcs.DrawnArcs):
        # A word that is written once only is where gold's is: at the same columns.
        known = {word[2:4]: at for word, at in zip(above.words, places, strict=True)}
        nearest = [columns.get(id(word)) or known.get(word[2:4], 0) for word in below.words]
        yield from _edges(below, nearest, "edge below, ")
    yield r"\end{dependency}"


def _tag(word: DrawnWord) -> str:
    if not word.tag:
        return ""
    text = _signed(word.tag, word.tag_kind, word.tag_other)
    colour = "gray" if word.tag_kind in _PALE else f"tl{word.tag_kind}"
    return rf"\textcolor{{{colour}}}{{\scriptsize {text}}}"


def _word(word: DrawnWord) -> str:
    text = _text(" ".join(word.lines))
    if word.kind in _PALE:
        return text if word.kind != "otherwise" else rf"\textcolor{{gray}}{{{text}}}"
    return rf"\textcolor{{tl{word.kind}}}{{{_SIGNS[word.kind]}\,{text}}}"


def _edges(half: arcs.DrawnArcs, places: Sequence[int], options: str) -> Iterator[str]:
    for arc, level in zip(half.arcs, arcs.arc_levels(half), strict=True):
        to, label = places[arc.dependent], _signed(arc.label, arc.kind, arc.other)
        style = f"{options}edge height={_ARC * level}pt"
        if arc.kind in _LINES:
            line = _LINES[arc.kind]
            style += f", edge style={{{line}}}, label style={{draw={line}, text=tl{arc.kind}}}"
        if arc.head is None:
            yield rf"  \deproot[{style}]{{{to}}}{{{label}}}"
        elif to and places[arc.head]:
            yield rf"  \depedge[{style}]{{{places[arc.head]}}}{{{to}}}{{{label}}}"
