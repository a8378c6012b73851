"""CoNLL tables: what is read, what is said of broken ones, and that columns are the oracle's.

Longer than other modules are: fault after fault of one format.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from drawn import drawn, plain
from hypothesis import given
from hypothesis import strategies as st
from shared import SHARED
from treelens.formats import conll
from treelens.formats.conll_repair import read_carefully
from treelens.formats.table import is_table
from treelens.trees.forest import (
    LEAF_COLUMNS,
    NOWHERE,
    ROOT,
    Forest,
    Problem,
    Symbols,
    decode,
    encode,
)

DEPENDENCY = SHARED / "dependency"


def table(*rows: str) -> str:
    """Rows are ``ID FORM HEAD``, and ``tag`` and ``rel`` beside; a row of ten columns stays."""
    lines = []
    for row in rows:
        if row.startswith("#") or not row or "\t" in row:
            lines.append(row)
            continue
        cells = [*row.split(" "), *["_"] * 2][:3]
        word = "-" not in cells[0] and "." not in cells[0]
        tag, relation = ("X", "rel") if word else ("_", "_")
        lines.append(f"{cells[0]}\t{cells[1]}\t_\t{tag}\t_\t_\t{cells[2]}\t{relation}\t_\t_")
    return "\n".join([*lines, "", ""])


def read(text: str) -> tuple[Forest, list[Problem]]:
    return conll.read(encode(text), Symbols())


def shown(text: str) -> list[str]:
    """Each sentence as ``form→head`` (0 the root, ? nowhere), tokens of several words in []."""
    forest, _ = read(text)
    assert forest.dependencies is not None
    assert forest.anchors is not None
    found = []
    for k in range(len(forest)):
        words = range(int(forest.first_leaf[k]), int(forest.first_leaf[k + 1]))
        groups: dict[int, list[str]] = {}
        for w in words:
            head = {ROOT: "0", NOWHERE: "?"}.get(
                int(forest.dependencies.head[w]), str(forest.dependencies.head[w] + 1)
            )
            form = decode(forest.symbols.token(int(forest.word[w])))
            groups.setdefault(int(forest.anchors.token[w]), []).append(f"{form}→{head}")
        assert list(groups) == list(range(len(groups)))
        found.append(
            " ".join(
                each[0] if len(each) == 1 else f"[{' '.join(each)}]" for each in groups.values()
            )
        )
    return found


def check(marked: str) -> None:
    """Read a text whose problems are drawn under its lines; a tab is drawn as ``→``."""
    text = plain(marked).replace("→", "\t")
    marks = [(p.start, p.end, p.code) for p in read(text)[1]]
    assert drawn(text, marks).replace("\t", "→") == marked.strip("\n")


PLAIN = table("1 The 2", "2 dog 3", "3 ran 0")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (PLAIN, ["The→2 dog→3 ran→0"]),
        (PLAIN + PLAIN, 2 * ["The→2 dog→3 ran→0"]),
        (PLAIN.rstrip("\n"), ["The→2 dog→3 ran→0"]),
        (f"# sent_id = 1\n{PLAIN}\n\n# a\n# b\n{PLAIN}# end\n", 2 * ["The→2 dog→3 ran→0"]),
        (PLAIN.replace("\n", "\r\n") * 2, 2 * ["The→2 dog→3 ran→0"]),
        (PLAIN.replace("\n", "\r") * 2, 2 * ["The→2 dog→3 ran→0"]),
        ("\ufeff" + PLAIN, ["The→2 dog→3 ran→0"]),
        ("\ufeff# id\n" + PLAIN, ["The→2 dog→3 ran→0"]),
        ("\ufeff\n" + PLAIN, ["The→2 dog→3 ran→0"]),
        (PLAIN.replace("_\n", "_  \n"), ["The→2 dog→3 ran→0"]),
        (table("1-2 del _", "1 de 3", "2 el 3", "3 mar 0"), ["[de→3 el→3] mar→0"]),
        (table("1 a 0", "2-4 bcd _", "2 b 1", "3 c 1", "4 d 1", "5-6 ef", "5 e 1", "6 f 1"),
         ["a→0 [b→1 c→1 d→1] [e→1 f→1]"]),
        (table("0.1 x", "1-2 del _", "1 de 0", "1.1 y", "1.2 z", "2 el 1", "2.1 v"),
         ["[de→0 el→1]"]),
        (table("1 The _", "2 dog _"), ["The→? dog→?"]),
        (table("1 a\u00a0b 0", "2 x\u2028y 1", "3 𝔸 1"), ["a\u00a0b→0 x\u2028y→1 𝔸→1"]),
        (table("1\t10 000\t_\tN\t_\t_\t0\tr\t_\t_"), ["10 000→0"]),
        ("", []),
        ("\n \n# only a comment\n", []),
        ("no table at all\n", []),
    ],
)  # fmt: skip
def test_reads(text: str, sentences: list[str]) -> None:
    assert shown(text) == sentences


def test_columns_of_a_word() -> None:
    line = "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t0\troot:x\t0:root\tSpaceAfter=No"
    forest, problems = read(f"# text = Dogs\n{line}\n\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n")
    fields, found = forest.fields, forest.dependencies
    symbols, source = forest.symbols, forest.source
    assert fields is not None
    assert found is not None
    assert not problems
    assert [symbols.label(k) for k in (forest.tag[0], fields.xpos[0], found.relation[0])] == [
        "NOUN",
        "NNS",
        "root:x",
    ]
    empty = forest.tag[1], fields.xpos[1], found.relation[1]
    assert [symbols.label(k) for k in empty] == [""] * 3
    assert [symbols.token(int(k)) for k in (fields.lemma[0], fields.feats[0])] == [
        b"dog",
        b"Number=Plur",
    ]
    assert symbols.token(int(fields.lemma[1])) == symbols.token(int(fields.feats[1])) == b"_"
    field = fields.bounds[0].tolist()
    cells = [source[a : b - 1].decode() for a, b in itertools.pairwise(field)]
    assert cells == line.split("\t")
    assert decode(source[forest.leaf_open[0] : forest.leaf_close[0]]) == line
    assert source[forest.word_start[0] : forest.word_end[0]] == b"Dogs"
    assert source[forest.tag_start[0] : forest.tag_end[0]] == b"NOUN"
    assert source[slice(*forest.tree[0])].decode() == f"# text = Dogs\n{line}"


def test_the_surface_of_a_word_is_its_token() -> None:
    forest, _ = read(table("1 a 0", "2-3 del", "2 de 1", "3 el 1"))
    assert forest.anchors is not None
    found = [forest.symbols.token(int(key)) for key in forest.anchors.surface]
    assert found == [b"a", b"del", b"del"]


def test_columns_that_are_wrong() -> None:
    check("""
1 The→the→DET→DT→_→2→det→_→_
 ^ space-for-tab
2→dog→dog  →NOUN→NN→_→3→nsubj→_
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ columns
3→ran→→run→VERB→VBD→_→0→root→_→_
                    ^ no-head
                              ^^ columns
""")


def few_columns(last: str) -> str:
    return "".join(f"{k}\tw\t_\tN\tn\t_\t{k - 1}{last}\n" for k in range(1, 4))


def test_rows_that_lack_the_same_columns_are_told_once_a_sentence() -> None:
    rows = few_columns("")
    _, problems = read(rows + "\n" + rows)
    message = "3 rows with 7 columns where 10 are expected; missing ones are taken as empty"
    assert [problem[:4] for problem in problems] == [
        ("columns", message, start, start + len(rows) - 1) for start in (0, len(rows) + 1)
    ]
    assert shown(rows) == ["w→0 w→1 w→2"]
    assert shown("1\ta\tb\tN\n2\tc\td\tN\n") == ["a→? c→?"]


def test_eight_columns_are_right_in_a_sentence_that_has_no_others() -> None:
    rows = few_columns("\trel")
    assert shown(rows) == ["w→0 w→1 w→2"]
    assert read(rows + "\n" + rows)[1] == []
    # In a sentence with other rows they lack two; each run of them is told.
    full = "{}\tw\t_\tN\tn\t_\t1\trel\t_\t_\n"
    short = rows.splitlines(keepends=True)
    mixed = short[0] + short[1] + full.format(3) + short[2].replace("3", "4", 1)
    message = "2 rows with 8 columns where 10 are expected; missing ones are taken as empty"
    assert [(one.code, one.message) for one in read(mixed)[1]] == [
        ("columns", message),
        ("columns", message.removeprefix("2 rows with ")),
    ]


def test_identifiers_that_are_wrong() -> None:
    check("""
1→a→_→X→_→_→0→r→_→_
3→b→_→X→_→_→1→r→_→_
^ id-order
3→c→_→X→_→_→1→r→_→_
^ id-again
x→d→_→X→_→_→1→r→_→_
^ id
hello there
^^^^^^^^^^^ stray
6→→_→X→_→_→1→r→_→_
^ id-order
^^^^^^^^^^^^^^^^^^ empty-form
6.2→e→_→_→_→_→_→_→_→_
^^^ empty-node
6.x→e→_→_→_→_→_→_→_→_
^^^ empty-node
# behind a row
^^^^^^^^^^^^^^ late-comment
""")


def test_sentences_without_a_blank_line_between_them() -> None:
    text = """
1→a→_→X→_→_→2→r→_→_
2→b→_→X→_→_→0→r→_→_
1→c→_→X→_→_→0→r→_→_
^ no-blank-line
# sent_id = 3
1-2→de→_→_→_→_→_→_→_→_
^^^ no-blank-line
1→d→_→X→_→_→0→r→_→_
2→e→_→X→_→_→1→r→_→_
"""
    check(text)
    assert shown(plain(text).replace("→", "\t")) == ["a→2 b→0", "c→0", "[d→0 e→1]"]


def test_multiword_tokens_that_are_wrong() -> None:
    check("""
3-2→x→_→_→_→_→_→_→_→_
^^^ range
1→a→_→X→_→_→0→r→_→_
1-2→x→_→_→_→_→_→_→_→_
^^^ range-place
2→b→_→X→_→_→1→r→_→_
2-3→y→_→_→_→_→_→_→_→_
^^^ range-overlap
3-→y→_→_→_→_→_→_→_→_
^^ range
3-4→→_→_→_→_→_→_→_→_
^^^^^^^^^^^^^^^^^^^^ empty-form
3→c→_→X→_→_→1→r→_→_
4→d→_→X→_→_→1→r→_→_
5-7→z→_→_→_→_→_→_→_→_
^^^ range-outside
5→e→_→X→_→_→1→r→_→_
""")


def test_heads_that_are_wrong() -> None:
    check("""
1→a→_→X→_→_→99→r→_→_
            ^^ head-outside
2→b→_→X→_→_→-1→r→_→_
            ^^ head-outside
3→c→_→X→_→_→two→r→_→_
            ^^^ head
4→d→_→X→_→_→_→r→_→_
            ^ no-head
5→e→_→X→_→_→5→r→_→_
            ^ own-head
6→f→_→X→_→_→7→r→_→_
            ^ cycle
7→g→_→X→_→_→8→r→_→_
8→h→_→X→_→_→6→r→_→_
9→i→_→X→_→_→0→r→_→_
10→j→_→X→_→_→0→r→_→_
             ^ roots

1→a→_→X→_→_→2→r→_→_
            ^ cycle
            ^ no-root
2→b→_→X→_→_→1→r→_→_
""")
    assert shown(table("1 a 9", "2 b -1", "3 c two", "4 d _", "5 e 5", "6 f 0")) == [
        "a→? b→? c→? d→? e→5 f→0"
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["1 a 2", "2 b 3", "3 c 1"],
         "heads go round in a circle and never reach the root: “a” (1) → “b” (2) → “c” (3) → “a”; "
         "scored as they are written"),
        (["1 a 0", "2 b 7"],
         "the HEAD of “b” is 7, but this sentence of 2 words has no word 7; the ID of its head is "
         "expected, or 0 for the root; taken as not attached"),
        (["1 a 0", "2 b 0"],
         "“b” (2) has the HEAD 0, and so has “a” (1); one root is expected (CoNLL-U demands it, "
         "CoNLL-X does not); all are scored as roots"),
        (["1 a 0", "3 b 1"],
         "the ID is 3; 2 is expected; heads are taken to mean IDs as they are written"),
        (["1\ta b\tN\tX\t_\t_\t0\tr\t_\t_"], ""),
        (["1\ta b\tX\t_\t_\t0\tr\t_\t_"],
         "a space stands where a tab is expected, between “a” and “b”; read as a tab"),
        (["1 a 0", "2 b 1", "1 c 0"],
         "the IDs begin again with 1, but there is no blank line between two sentences; read as if "
         "there was one"),
    ],
)  # fmt: skip
def test_messages_say_what_is_assumed(rows: list[str], message: str) -> None:
    _, problems = read(table(*rows))
    assert [problem.message for problem in problems if problem.code != "no-root"] == (
        [message] if message else []
    )


def test_a_broken_sentence_leaves_its_neighbours_alone() -> None:
    for broken in ("1\tThe\n\n", "x\n", table("7 a 9"), "1 a b c\n\n", table("1-4 x")):
        text = PLAIN + broken + "\n" + PLAIN
        assert read(text)[1]
        assert [shown(text)[k] for k in (0, -1)] == 2 * ["The→2 dog→3 ran→0"]


CELLS = st.sampled_from(
    ["1", "2", "3", "1-2", "2-3", "2.1", "0.1", "1.1", "0", "_", "-1", "x", "a b", "long enough",
     "", " ", "12345678", "3-", "1-1", "01", "\u2028", "𝔸", "\0", "\ufeff", "a\0b", "no#", "2 "]
)  # fmt: skip
ANY_ROW = (
    st.lists(CELLS, min_size=10, max_size=10).map("\t".join)
    | st.lists(CELLS, max_size=12).map("\t".join)
    | st.lists(st.sampled_from(["1", "a", "_", "0"]), min_size=8, max_size=11).map(" ".join)
)


@st.composite
def rows(draw: st.DrawFn) -> str:
    """The lines of a sentence, nearly as they should be."""
    size = draw(st.integers(1, 5))
    lines = []
    inside = 0
    for number in range(1, size + 1):
        if number > inside and draw(st.integers(0, 3)) == 0:
            inside = draw(st.integers(number, size))
            form = draw(st.sampled_from(["du", "long token"]))
            lines.append(f"{number}-{inside}\t{form}" + "\t_" * 8)
        head = draw(st.integers(0, number - 1) if number > 1 else st.just(0))
        head = head if head or number == 1 else 1
        cells = [str(number), draw(st.sampled_from(["a", "Wörterbuch"])), "_", "N", "_", "A=b|C=d"]
        cells += [str(head), draw(st.sampled_from(["nsubj:pass", "_"])), "_", "_"]
        if draw(st.integers(0, 9)) == 0:
            cells[draw(st.integers(0, 9))] = draw(CELLS)
        lines.append("\t".join(cells))
        if draw(st.integers(0, 9)) == 0:
            lines.append(f"{number}.1\te" + "\t_" * 8)
    return "\n".join(lines)


LINE_BREAKS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n\n", "\n \n"])
LINES = rows() | rows() | ANY_ROW | st.sampled_from(["", "# c", " ", "\t", "\ufeff", "word"])
TEXTS = st.lists(st.tuples(LINES, LINE_BREAKS), max_size=8).map(
    lambda lines: "".join(line.replace("\n", end[:1]) + end for line, end in lines)
)


def _columns(forest: Forest) -> list[object]:
    assert forest.dependencies is not None
    assert forest.anchors is not None
    columns = [getattr(forest, name) for name in (*LEAF_COLUMNS, "tree", "first_leaf")]
    assert forest.fields is not None
    columns += [*forest.dependencies, *forest.fields, *forest.anchors]
    return [(column.dtype, column.tolist()) for column in columns]


def _same(source: bytes) -> None:
    symbols = Symbols()
    forest, problems = conll.read(source, symbols)
    careful, found = read_carefully(source, [(0, len(source))], symbols)
    assert _columns(forest) == _columns(careful)
    assert problems == sorted(found, key=lambda problem: problem.start)


@given(TEXTS)
def test_columns_are_what_careful_reading_gives(text: str) -> None:
    _same(encode(text))


@given(TEXTS, st.lists(st.booleans(), min_size=8, max_size=8), st.booleans())
def test_columns_of_shorter_rows_are_what_careful_reading_gives(
    text: str, cut: list[bool], all_of_them: bool
) -> None:
    lines = text.split("\n")
    short = ["\t".join(line.split("\t")[:8]) for line in lines]
    chosen = [all_of_them or cut[k % len(cut)] for k in range(len(lines))]
    _same(encode("\n".join(s if c else f for s, f, c in zip(short, lines, chosen, strict=True))))


@given(st.lists(st.sampled_from([9, 10, 13, 32, 35, 45, 46, 48, 49, 50, 95, 0, 255])).map(bytes))
def test_any_bytes_are_read(source: bytes) -> None:
    _same(source)


@given(TEXTS)
def test_pieces_cover_the_text(text: str) -> None:
    source = encode(text)
    forest, problems = conll.read(source, Symbols())
    if len(forest):
        starts, ends = forest.piece.T.tolist()
        assert [0, *ends] == [*starts, len(source)]
        assert all(
            a <= b <= c <= d for (a, d), (b, c) in zip(forest.piece, forest.tree, strict=True)
        )
        assert all(re.fullmatch(rb"|.*[\r\n]", source[:start], re.DOTALL) for start in starts)
    assert all(0 <= problem.start < problem.end <= len(source) for problem in problems)


@given(st.lists(TEXTS.map(lambda text: text + "\n\n"), max_size=4))
def test_a_stretch_between_blank_lines_is_read_like_the_whole(texts: list[str]) -> None:
    texts = [text.replace("\ufeff", "") for text in texts]
    assert [line for text in texts for line in shown(text)] == shown("".join(texts))


def test_blocks_are_cut_at_blank_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"# {k}\n" + table("1-2 ab", "1 a 2", "2 b 0", f"3 {k} 2") for k in range(50))
    for line_break in ("\n", "\r\n", "\r"):
        whole = shown(text.replace("\n", line_break))
        for size in (1, 10, 333):
            monkeypatch.setattr(conll, "BLOCK_BYTES", size)
            assert shown(text.replace("\n", line_break)) == whole
            _same(encode(text.replace("\n", line_break)))
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("\t" * 300_000, 0),
        ("\0" * 300_000, 0),
        ("1" * 1_000_000, 0),
        ("1\ta" * 100_000, 1),
        ("\n" * 300_000, 0),
        (" \n" * 50_000, 0),
        ("1 " * 300_000, 1),
        ("1\t" + "a" * 1_000_000 + "\t_" * 4 + "\t0\t_\t_\t_\n", 1),
        ("1-999999\tx\n" * 20_000 + PLAIN, 1),
        ("".join(f"{k}\ta\t_\t_\t_\t_\t{k - 1}\t_\t_\t_\n" for k in range(1, 50_000)), 1),
        ("".join(f"{k}\ta\t_\t_\t_\t_\t{k + 1}\t_\t_\t_\n" for k in range(1, 50_000)), 1),
    ],
)
def test_size_and_depth_have_no_limit(text: str, count: int) -> None:
    forest, _ = read(text)
    assert len(forest) == count


def test_words_are_numbered_beyond_a_million() -> None:
    rows = "".join(f"{k}\ta\t_\t_\t_\t_\t{k - 1}\t_\n" for k in range(1, 1_000_002))
    forest, problems = read(rows)
    assert not problems
    assert forest.dependencies is not None
    assert forest.dependencies.head[-2:].tolist() == [999_998, 999_999]


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        (PLAIN, True),
        ("\ufeff# text = a\r\n\r\n" + PLAIN, True),
        (table("1-2 del", "1 de 0", "2 el 1"), True),
        (table("0.1 e", "1 de 0"), True),
        ("1 The the DET DT _ 2 det _ _\n", True),
        ("2\tThe\tthe\tDET\n", True),
        ("(S (A b))", False),
        ("# only\n", False),
        ("", False),
        ("1 The dog ran\n", False),
        ("The\tDET\t1\t_\t_\n", False),
        ("0\t1\tH\tH\tDEF\tDEF\t_\t1\n", False),  # a lattice
        ("1-\tx\ty\tz\n", False),
    ],
)
def test_sniff(text: str, looks: bool) -> None:
    assert is_table(encode(text)) is looks


@pytest.mark.parametrize(
    "file",
    sorted(DEPENDENCY.glob("*-dev/*.conll[ux]")),
    ids=lambda file: file.parent.name + file.name,
)
def test_real_treebanks_have_no_problems(file: Path) -> None:
    source = file.read_bytes()
    symbols = Symbols()
    forest, problems = conll.read(source, symbols)
    careful, _ = read_carefully(source, [(0, len(source))], symbols)
    assert not problems
    assert is_table(source)
    assert len(forest) > 400
    assert _columns(forest) == _columns(careful)


@pytest.mark.skipif(not DEPENDENCY.exists(), reason="no shared reference data here")
@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("gold", []),
        ("mwt", []),
        ("badid", ["head-outside", "id-order", "own-head", "id-again"]),
        ("neghead", ["head-outside"]),
        ("outside", ["head-outside"]),
        ("tworoots", ["roots"]),
        ("noblank", []),  # what strict readers miss is a line break at the very end
    ],
)
def test_bad_files_are_explained(name: str, codes: list[str]) -> None:
    source = (DEPENDENCY / "bad_input" / f"{name}.conllu").read_bytes()
    forest, problems = conll.read(source, Symbols())
    assert len(forest) == 1
    assert [problem.code for problem in problems] == codes
