"""Pairs of treebanks with words and sentences split, merged, changed and left out."""

from __future__ import annotations

from hypothesis import strategies as st

LABELS = ["S", "NP", "VP", "NP-SBJ", "NP=2", "-X-", "PRT", "ADVP", "TOP", "S1", ""]
TAGS = ["NN", "NN", "NN", "DT", ",", ".", "''", "-NONE-", "POS"]
WORDS = ["a", "b", "dog", "Dog", "quietly", "ca", "can", "n't", "not", "`", "'", "1.2", "ΣΑΣ"]
ROOTS = ["TOP", "TOP", "S1", "S", ""]

DIRECTIVES = [
    *(f"DELETE_LABEL {label}" for label in ("TOP", "NP", "-NONE-", ",", "''", "NP VP", "")),
    *(f"DELETE_LABEL_FOR_LENGTH {label}" for label in ("-NONE-", ",")),
    *(f"QUOTE_LABEL {label}" for label in ("''", "POS", "NP")),
    *(f"EQ_LABEL {labels}" for labels in ("ADVP PRT", "NP VP", "VP S", "NP", "NP VP S")),
    "LABELED 0",
    "CUTOFF_LEN 2",
    "# comment",
    "  DELETE_LABEL VP",
]
OPTIONS = st.sampled_from([[], ["x.prm"], ["-evalb"], ["-evalb", "x.prm"]])


@st.composite
def lines(draw: st.DrawFn, words: list[str]) -> str:
    """A tree over the words."""
    parts = [f"({draw(st.sampled_from(TAGS))} {word})" for word in words]
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(parts) - 1))
        end = draw(st.integers(start + 1, len(parts)))
        label = draw(st.sampled_from(LABELS))
        blank = draw(st.sampled_from([" ", " ", "", "\t"]))
        parts[start:end] = [f"({label}{blank}{' '.join(parts[start:end])})"]
    return f"({draw(st.sampled_from(ROOTS))} {' '.join(parts)})"


@st.composite
def respelt(draw: st.DrawFn, words: list[str]) -> list[str]:
    """The words with some of them split, joined, changed or left out."""
    result = list(words)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(result) - 1))
        match draw(st.sampled_from(["split", "join", "change", "drop"])):
            case "split" if len(result[at]) > 1:
                result[at : at + 1] = [result[at][:1], result[at][1:]]
            case "join":
                result[at : at + 2] = ["".join(result[at : at + 2])]
            case "change":
                result[at] = draw(st.sampled_from(WORDS))
            case "drop" if len(result) > 1:
                del result[at]
    return result


@st.composite
def treebanks(draw: st.DrawFn) -> tuple[str, str]:
    """Gold and system."""
    sentence = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)
    gold = draw(st.lists(sentence, min_size=1, max_size=7))
    system: list[list[str]] = []
    for words in gold:
        how = draw(st.sampled_from(["same", "same", "same", "respelt", "split", "join", "drop"]))
        if how == "join" and system:
            system[-1] = [*system[-1], *words]
        elif how == "split" and len(words) > 1:
            system += [words[:1], words[1:]]
        elif how != "drop":
            system.append(draw(respelt(words)) if how == "respelt" else words)
    # With something in common at the end, the script rarely runs past it.
    sides = ([*side, ["the", "end", "."]] for side in (gold, system))
    texts = ["\n".join([draw(lines(words)) for words in side]) + "\n" for side in sides]
    return texts[0], texts[1]


@st.composite
def parameters(draw: st.DrawFn) -> str:
    return "".join(line + "\n" for line in draw(st.lists(st.sampled_from(DIRECTIVES), max_size=6)))
