"""Random trees, pairs of them, and hostile text: what the property tests draw from."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from laws import sampled

LABELS = ("S", "NP", "VP", "PP", "NP-SBJ", "ADVP", "PRT", "TOP", "", "X=1", "NP##case=nom##")
TAGS = ("DT", "NN", "VB", ",", ".", "-NONE-", "IN", "NN##num=sg##")
UNTRACED = tuple(tag for tag in TAGS if tag != "-NONE-")
WORDS = (
    "the",
    "dog",
    "barks",
    "a",
    "cat",
    ",",
    ".",
    "*T*-1",
    "saw",
    "Wörter",
    "𝔸𝔹",
    "x\u2028y",
    "לא",
)

FRAGMENTS = (
    "(S (NP (DT the) (NN dog)) (VP (VB barks)))",
    "(S\n  (NP (DT a))\n  (VP (VB saw)))\n",
    "( (S (X y)))",
    "(())",
    "(TOP ())",
    "(NP a b)",
    "(NN dog )",
    "( NN dog)",
    "(",
    ")",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "# a comment",
    "% 1",
    "\n%))\n",
    "\n#)",
    "word",
    "<s id=1>",
    "\ufeff",
    "\0",
    "\u00a0",
    "\u2028",
    "𝔸",
    "\ud800",
)


@st.composite
def sentences(draw: st.DrawFn, words: list[str] | None = None, *, traces: bool = True) -> str:
    """One well-formed tree over the given words, or over words of its own."""
    tags = TAGS if traces else UNTRACED
    if words is None:
        words = draw(st.lists(sampled(WORDS), min_size=1, max_size=9))
    parts = [f"({draw(sampled(tags))} {word})" for word in words]
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(parts) - 1))
        end = draw(st.integers(start + 1, len(parts)))
        label = draw(sampled(LABELS))
        parts[start:end] = [f"({label} {' '.join(parts[start:end])})"]
    return f"({draw(sampled(('TOP', 'S', '')))} {' '.join(parts)})"


@st.composite
def pairs(draw: st.DrawFn, most: int = 6) -> tuple[list[str], list[str]]:
    """Trees of gold and of system, mostly over the same words, some moved, lost or changed."""
    gold: list[str] = []
    system: list[str] = []
    for _ in range(draw(st.integers(0, most))):
        words = draw(st.lists(sampled(WORDS), min_size=1, max_size=9))
        gold.append(draw(sentences(words)))
        system += draw(answers(words, sentences, "(())"))
    return gold, system


COMMENTS = ("# a comment", "; note: odd", "%% note: even", "# s_type = fm", "# id = 3", ";", "# )")


@st.composite
def commented(draw: st.DrawFn) -> tuple[str, str]:
    """Texts of pairs, some of them with comments above trees, inside of them, and at the end."""
    texts = []
    for side in draw(pairs()):
        lines = []
        for tree in side:
            lines += draw(st.lists(sampled(COMMENTS), max_size=2))
            inside = draw(sampled((*[""] * 5, *COMMENTS)))
            lines.append(tree.replace(" (", f"\n{inside}\n (", 1) if inside else tree)
        texts.append("\n".join(lines + draw(st.lists(sampled(COMMENTS), max_size=1))))
    return texts[0], texts[1]


@st.composite
def answers(
    draw: st.DrawFn,
    words: list[str],
    one: Callable[[list[str]], st.SearchStrategy[str]],
    instead: str,
) -> list[str]:
    """What a system may have for a sentence: nothing, ``instead``, or its words, some of them
    lost or joined, as a sentence or two that ``one`` makes."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return []
    if kind == 1:
        return [instead]
    if kind == 2 and len(words) > 1:
        cut = draw(st.integers(1, len(words) - 1))
        return [draw(one(words[:cut])), draw(one(words[cut:]))]
    words = list(words)
    if kind == 3:
        at = draw(st.integers(0, len(words) - 1))
        words[at : at + 2] = ["".join(words[at : at + 2])]
    if kind == 4:
        words = words[:-1] or words
    return [draw(one(words))]


hostile = st.lists(sampled(FRAGMENTS), max_size=14).map("".join)
"""Text as it is while somebody types, or worse."""
