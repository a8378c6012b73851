"""Random CoNLL tables and pairs of them: what the property tests draw from."""

from __future__ import annotations

from hypothesis import strategies as st
from laws import sampled
from trees import answers

WORDS = ("the", "dog", "barks", ",", ".", "Wörter", "𝔸𝔹", "de", "el", "לא", "don't")
TAGS = ("DET", "NOUN", "VERB", "PUNCT", "_")
RELATIONS = (
    "nsubj",
    "nsubj:pass",
    "det",
    "case",
    "punct",
    "dep_cpd",
    "advmod",
    "_",
)
FEATURES = ("_", "Number=Sing", "Number=Sing|Case=Nom", "mwehead=N+", "Foo=Bar")


@st.composite
def tables(draw: st.DrawFn, words: list[str] | None = None) -> str:
    """One sentence over the given words, or over words of its own, with a blank line behind.

    Heads are any words, the root or nothing: cycles and several roots are among them.
    """
    if words is None:
        words = draw(st.lists(sampled(WORDS), min_size=1, max_size=8))
    lines = []
    if draw(st.booleans()):
        lines.append("# sent_id = x")
    token = draw(st.integers(1, len(words))) if len(words) > 1 else len(words)
    for number, word in enumerate(words, 1):
        if number == token and number < len(words) and draw(st.booleans()):
            form = words[number - 1] + words[number]
            lines.append(f"{number}-{number + 1}\t{form}" + "\t_" * 8)
        head = draw(sampled((*map(str, range(len(words) + 1)), "_")))
        cells = [
            str(number),
            word,
            draw(sampled(("_", word, "lemma"))),
            draw(sampled(TAGS)),
            draw(sampled(TAGS)),
            draw(sampled(FEATURES)),
            head,
            draw(sampled(RELATIONS)),
            "_",
            "_",
        ]
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n\n"


@st.composite
def table_pairs(draw: st.DrawFn, most: int = 5) -> tuple[list[str], list[str]]:
    """Sentences of gold and of system, mostly of the same words, some lost, split or joined."""
    gold: list[str] = []
    system: list[str] = []
    for _ in range(draw(st.integers(0, most))):
        words = draw(st.lists(sampled(WORDS), min_size=1, max_size=8))
        gold.append(draw(tables(words)))
        system += draw(answers(words, tables, gold[-1]))
    return gold, system
