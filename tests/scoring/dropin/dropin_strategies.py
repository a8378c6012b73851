"""Files for the drop-ins to be tried on: trees, trees gone wrong, parameters of all kinds."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

LABELS = [
    b"S",
    b"NP",
    b"VP",
    b"NP-SBJ",
    b"NP=2",
    b"-X-",
    b"A#x",
    b"PRT",
    b"ADVP",
    b"NOUNPHRASE",
    b"",
]
TAGS = [b"NN", b"NN-X", b"DT", b",", b"''", b"POS", b"-NONE-", b"PRT", b"ADVERBIAL", b"N\xff"]
WORDS = [
    b"a",
    b"b",
    b"'",
    b'"',
    b"longword",
    b"longwords",
    b"longwordlongwordX",
    b"\xc3\xa9",
    b"1%",
]

EMPTY_LINES = [b"", b"()", b"(())", b"(null)", b"(S)", b"(TOP ())", b"(S )", b"0", b" "]

DIRECTIVES = [
    *(b"DELETE_LABEL " + label for label in (b"S", b"NP", b"-NONE-", b",", b"''", b"NP-SBJ")),
    *(b"DELETE_LABEL_FOR_LENGTH " + label for label in (b"-NONE-", b"NN")),
    *(b"QUOTE_LABEL " + label for label in (b"''", b"POS")),
    *(b"EQ_LABEL " + pair for pair in (b"ADVP PRT", b"NP VP", b"VP S", b"NN DT", b"NP")),
    *(b"EQ_WORD " + pair for pair in (b"a b", b"longword longwords")),
    b"LABELED 0",
    b"CUTOFF_LEN 2",
    b"MAX_ERROR 3",
    b"FOO bar",
    b"# comment",
]


@st.composite
def words(draw: st.DrawFn) -> list[tuple[bytes, bytes]]:
    """Tagged words."""
    one = st.tuples(st.sampled_from(TAGS), st.sampled_from(WORDS))
    return draw(st.lists(one, min_size=1, max_size=8))


@st.composite
def trees(draw: st.DrawFn, tagged: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A tree (or several on one line) over the words."""
    parts = [b"(%s %s)" % each for each in tagged]
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(parts) - 1))
        end = draw(st.integers(start + 1, len(parts)))
        label = draw(st.sampled_from(LABELS))
        blank = draw(st.sampled_from([b" ", b" ", b"", b"\t "]))
        parts[start:end] = [b"(" + label + blank + b" ".join(parts[start:end]) + b")"]
    return b" ".join(parts)


@st.composite
def damaged(draw: st.DrawFn, line: bytes) -> bytes:
    """The line with a few bytes put in or taken out."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(line)))
        piece = draw(st.sampled_from([b"(", b")", b"))", b" ", b"x", b"\0", b"\r", b"(X ", b""]))
        line = line[:place] + piece + line[place + draw(st.integers(0, 2)) :]
    return line.replace(b"\n", b"")


@st.composite
def pairs_of_lines(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A gold and a test line: mostly trees over the same words."""
    tagged = draw(words())
    others = list(tagged)
    if draw(st.integers(0, 3)) == 0:
        others[draw(st.integers(0, len(others) - 1))] = draw(words())[0]
    lines = [draw(trees(tagged)), draw(trees(others))]
    for side in (0, 1):
        chance = draw(st.integers(0, 11))
        if chance == 0:
            lines[side] = draw(damaged(lines[side]))
        elif chance == 1:
            lines[side] = draw(st.sampled_from(EMPTY_LINES))
    return lines[0], lines[1]


@st.composite
def files(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A gold and a test file, perhaps of unequal length, perhaps without a last newline."""
    lines = draw(st.lists(pairs_of_lines(), max_size=12))
    gold, test = ([pair[side] for pair in lines] for side in (0, 1))
    chance = draw(st.integers(0, 9))
    if chance < 2:
        (gold, test)[chance].append(b"(S (NN a))")
    end = draw(st.sampled_from([b"\n", b"\n", b"\r\n"]))
    last = draw(st.sampled_from([end, end, b""]))
    return tuple(end.join(side) + last for side in (gold, test))  # type: ignore[return-value]


@st.composite
def parameters(draw: st.DrawFn) -> bytes:
    chosen = draw(st.lists(st.sampled_from(DIRECTIVES), max_size=7))
    return b"".join(line + b"\n" for line in chosen)


OPTIONS = st.lists(st.sampled_from([b"-e1000", b"-e0", b"-c1"]), max_size=2)
SPMRL_OPTIONS = st.lists(
    st.sampled_from([b"-e1000", b"-X", b"-L", b"-l", b"-V", b"-K2"]), max_size=3
)
