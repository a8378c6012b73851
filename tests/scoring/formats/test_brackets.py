"""Brackets: what is read, what is said of broken text, and that columns are the oracle's."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from treelens.formats import brackets, table
from treelens.formats.brackets import Habit
from treelens.formats.brackets_repair import read_carefully
from treelens.trees.forest import LEAF_COLUMNS, NODE_COLUMNS, Forest, Problem, Symbols, encode
from treelens.trees.other_lines import CLOSED_WORD
from treelens.trees.tree import tree
from trees import hostile, sentences


def shown(text: str) -> list[str]:
    """Each sentence of a text in the plainest way of writing it, untagged words bare."""
    forest, _ = brackets.read(encode(text), Symbols())
    return [_plain(forest, sentence) for sentence in range(len(forest))]


def _plain(forest: Forest, sentence: int) -> str:
    nodes = tree(forest, sentence).nodes

    def show(index: int) -> str:
        node = nodes[index]
        if node.word is not None:
            return f"({node.label} {node.word})" if node.label else node.word
        return "(" + " ".join([node.label, *map(show, node.children)]) + ")"

    return show(0) if nodes else ""


def check(marked: str, habit: Habit | None = None) -> None:
    """Read a text whose problems are drawn under its lines: ``^^^^ code``."""
    lines, drawn = [], []
    offset = 0
    for line in marked.strip("\n").split("\n"):
        mark = re.fullmatch(r"( *)(\^+) ([a-z-]+)", line)
        if mark:
            start = offset + len(mark[1])
            drawn.append((mark[3], start, start + len(mark[2])))
            continue
        offset = sum(len(line) + 1 for line in lines)
        lines.append(line)
    _, problems = brackets.read("\n".join(lines).encode(), Symbols(), habit)
    assert [(p.code, p.start, p.end) for p in problems] == drawn


@pytest.mark.parametrize(
    ("text", "sentences_"),
    [
        ("(S (NP (DT the) (NN dog)) (VP (VB barks)))",
         ["(S (NP (DT the) (NN dog)) (VP (VB barks)))"]),
        ("( (S (X y)))\n( (S (X z)))\n", ["( (S (X y)))", "( (S (X z)))"]),
        ("((S (X y)))", ["( (S (X y)))"]),
        ("(S\n  (NP (A b))\n  (VP\n    (V c)))\n\n(S (V d))\n",
         ["(S (NP (A b)) (VP (V c)))", "(S (V d))"]),
        ("(S (A b)) (S (C d))", ["(S (A b))", "(S (C d))"]),
        ("(A b)", ["(A b)"]),
        ("(TOP (NP-SBJ=2 (NN##num=sg## x)) (-NONE- *T*-1) (-LRB- -LRB-))",
         ["(TOP (NP-SBJ=2 (NN##num=sg## x)) (-NONE- *T*-1) (-LRB- -LRB-))"]),
        ("(())\n(S (A b))\n(TOP ())\n()\n", ["( ())", "(S (A b))", "(TOP ())", "()"]),
        ("\n\n(S (A b))\n\n\n(S (C d))\n\n", ["(S (A b))", "(S (C d))"]),
        ("# sent_id = (1\n(S (A b))\n%% )\n(S (C d))\n; end\n", ["(S (A b))", "(S (C d))"]),
        ("(S (A b))\r\n(S (C d))\r\n", ["(S (A b))", "(S (C d))"]),
        ("(S (A b))\r(S (C d))\r", ["(S (A b))", "(S (C d))"]),
        ("\ufeff(S (A b))", ["(S (A b))"]),
        ("\ufeff# id\n(S (A b))", ["(S (A b))"]),
        ("(S\t(A\tb)\n\f(A \vc))", ["(S (A b) (A c))"]),
        ("(S (A b\u00a0c) (A x\u2028y) (A 𝔸))", ["(S (A b\u00a0c) (A x\u2028y) (A 𝔸))"]),
        ("(S (NN dog ) ( NN cat))", ["(S (NN dog) (NN cat))"]),
        ("(NP the dog (PP of (NP it)))", ["(NP the dog (PP of (NP it)))"]),
        ("(# #)\n($ $)\n(S (# #))", ["(# #)", "($ $)", "(S (# #))"]),
        ("", []),
        (" \n# only a comment\n", []),
        ("no tree at all", []),
    ],
)  # fmt: skip
def test_reads(text: str, sentences_: list[str]) -> None:
    assert shown(text) == sentences_


def test_a_broken_tree_leaves_its_neighbours_alone() -> None:
    check("""
(S (NP (DT the)) (VP (VB x))
^^ unclosed
(S (A b))
(S (A b)))
         ^ unopened
(S (A b))
""")


def test_the_first_of_many_trees_may_be_the_broken_one() -> None:
    good = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n"
    for broken in ("(S (NP (DT the) (NN dog) (VP (VB barks)))\n", "(S (NP\n", "S (A b))\n", ")\n"):
        forest, problems = brackets.read(encode(broken + 200 * good), Symbols())
        assert [_plain(forest, k) for k in range(len(forest))][-200:] == 200 * [good.strip()]
        assert problems


def test_indented_trees_are_cut_at_the_first_column() -> None:
    check("""
(S
^^ unclosed
  (NP (A b)
(S
  (NP (A b)))
""")


def test_trees_that_are_not_indented_are_cut_at_blank_lines() -> None:
    text = "(S\n(NP (A b))\n(VP (C d)))\n\n" * 5
    assert brackets.sniff(text.encode()) is Habit.PARAGRAPH
    assert shown(text) == 5 * ["(S (NP (A b)) (VP (C d)))"]
    check("""
(S
^^ unclosed
(NP (A b)

(S
(NP (A b)))
""", Habit.PARAGRAPH)  # fmt: skip


def test_trees_may_have_all_lines_in_the_first_column_and_no_blank_ones() -> None:
    tree = "(S\n(NP (D a) (N b))\n(VP (V c))\n(. .))\n"
    for text, count in (
        (tree, 1),
        (tree * 5, 5),
        (tree * 5 + "(S (A b))\n", 6),
        (tree * 3000, 3000),  # (Its beginning, which says it, ends in the midst of a tree.)
        (tree * 5 + "(S\n(NP", 6),
    ):
        forest, _ = table.read(table.sniff(text.encode()), text.encode(), Symbols())
        assert len(forest) == count, text
        assert _plain(forest, 0) == "(S (NP (D a) (N b)) (VP (V c)) (. .))"


def test_one_bracket_too_few_and_one_too_many_make_no_tree_of_several() -> None:
    many = "(S (A b)\n" + 3 * "(S (C d))\n" + "(S (A b)))\n"
    few = many + 5 * "(X (C d))\n"
    coordinated = "(S\n(S (A b))\n(S (A c))\n(S (A d)))\n"
    for text in (many, few, coordinated):
        assert brackets.sniff(text.encode()) is Habit.COLUMN


def test_unusual_brackets_are_explained() -> None:
    check("""
(S (NP the dog) (VP (VB x)))
   ^^^ untagged
(S (NP) (VP (VB x)))
   ^^^^ no-words
(S ( NP (A b)) (VP (VB x)))
   ^^^^ label-apart
stray words
^^^^^^^^^^^ stray
(S (A b))
<s id="3">
(S (A b))
""")


def test_messages_say_what_is_assumed() -> None:
    _, problems = brackets.read(b"(S (NP (A b)\n(S (A b))", Symbols())
    assert problems == [
        Problem(
            "unclosed",
            "(S is not closed before the next tree: 2 closing brackets missing; taken to stand "
            "after the last word",
            0,
            2,
        )
    ]


def _anchors(text: str, habit: Habit) -> list[int]:
    """Where a tree must start, line by line."""
    anchors, blank, offset = [], True, 0
    for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", text.removeprefix("\ufeff")):
        body = line.lstrip(" \t\v\f\r\n")
        marked = line[:1] in ("#", "%", ";") and line[:1] != ""
        comment = marked and not CLOSED_WORD.match(encode(line))
        if habit is Habit.COLUMN and line.startswith("("):
            anchors.append(offset)
        if habit is Habit.PARAGRAPH and body.startswith("(") and blank:
            anchors.append(offset + len(encode(line)) - len(encode(body)))
        blank = comment or not body
        offset += len(encode(line))
    bom = 3 if text.startswith("\ufeff") else 0
    return [anchor + bom for anchor in anchors]


def _oracle(text: str, habit: Habit, symbols: Symbols) -> list[tuple[object, ...]]:
    """Each stretch between anchors read with care; what stands before the first one, too."""
    source = encode(text)
    anchors = _anchors(text, habit)
    starts = [0, *anchors] if not anchors or anchors[0] else anchors
    rows = []
    for start, end in zip(starts, [*starts[1:], len(source)], strict=True):
        part, _ = read_carefully(source, [(start, end)], symbols)
        rows += _rows(part)
    return rows


def _rows(forest: Forest) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for k in range(len(forest)):
        nodes = slice(forest.first_node[k], forest.first_node[k + 1])
        leaves = slice(forest.first_leaf[k], forest.first_leaf[k + 1])
        rows.append(
            (
                forest.tree[k].tolist(),
                *(getattr(forest, name)[nodes].tolist() for name in NODE_COLUMNS),
                *(getattr(forest, name)[leaves].tolist() for name in LEAF_COLUMNS),
            )
        )
    return rows


@given(hostile, st.sampled_from(Habit))
@example("\n#)(S\n  (NP (DT a))\n  (VP (VB saw)))\n", Habit.PARAGRAPH)
def test_columns_are_what_careful_reading_gives(text: str, habit: Habit) -> None:
    symbols = Symbols()
    forest, _ = brackets.read(encode(text), symbols, habit)
    assert _rows(forest) == _oracle(text, habit, symbols)


_LINES = (
    "(S (NP (D a) (N bb)) (VP (V c)))",
    "( (S  (X a)\t(Y b) ) )",
    "(X a)",
    "(S\n  (X a)\n  (VP(V b)))",
    "(S (X a)) (S (Y b))",
    "(())",
    "(S)",
    "(S (X a)",
    "(S (X a)))",
    "(S (X a )) x",
    "# (S",
    "",
)


@given(st.lists(st.sampled_from(_LINES)), st.sampled_from(("\n", "\r\n")), st.sampled_from(Habit))
@example([_LINES[0]] * 3 + [_LINES[4]] + [_LINES[0]] * 3, "\n", Habit.COLUMN)
@example([_LINES[0]] * 3 + [_LINES[5]] + [_LINES[0]] * 3, "\n", Habit.COLUMN)
def test_lines_are_what_careful_reading_gives(lines: list[str], end: str, habit: Habit) -> None:
    symbols, text = Symbols(), "".join(line + end for line in lines)
    forest, _ = brackets.read(encode(text), symbols, habit)
    assert _rows(forest) == _oracle(text, habit, symbols)


@given(st.lists(sentences(), max_size=5))
def test_well_formed_trees_need_no_care(trees: list[str]) -> None:
    source = encode("\n".join(trees))
    text = brackets.prepare(source)
    starts = np.cumsum([0, *(len(encode(t)) + 1 for t in trees)], dtype=np.int64)[: len(trees)]
    if not trees:
        return
    columns = brackets.read_columns(text, starts, np.append(starts[1:], len(source)), Symbols())
    empty = ["()" in t.replace(" ", "") for t in trees]
    assert columns.irregular.tolist() == empty


@given(hostile, st.sampled_from([*Habit, None]))
def test_pieces_cover_the_text(text: str, habit: Habit | None) -> None:
    source = encode(text)
    forest, problems = brackets.read(source, Symbols(), habit)
    if len(forest):
        starts, ends = forest.piece.T.tolist()
        assert [0, *ends] == [*starts, len(source)]
        assert all(
            a <= b <= c <= d for (a, d), (b, c) in zip(forest.piece, forest.tree, strict=True)
        )
    assert all(0 <= problem.start < problem.end <= len(source) for problem in problems)


@given(st.binary(max_size=60))
def test_any_bytes_are_read(source: bytes) -> None:
    brackets.read(source, Symbols())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(" * 200_000, 1),
        (")" * 200_000, 0),
        ("(A " * 40_000 + "b" + ")" * 40_000, 1),
        ("(A b)" * 50_000, 50_000),
        ("x" * 1_000_000, 0),
        ("(S (A " + "y" * 1_000_000 + "))", 1),
        ("\0" * 1000, 0),
    ],
)
def test_size_and_depth_have_no_limit(text: str, count: int) -> None:
    forest, _ = brackets.read(text.encode(), Symbols())
    assert len(forest) == count


def test_tokens_with_nul_and_long_tokens_are_told_apart() -> None:
    words = [b"a", b"a\0", b"a\0\0", b"abcdefg", b"abcdefgh", b"abcdefgi", b"", b"\0"]
    symbols = Symbols()
    keys = [symbols.key(word) for word in words]
    assert len(set(keys)) == len(words)
    assert [symbols.token(key) for key in keys] == words
    forest, _ = brackets.read(
        b"(S " + b" ".join(b"(T %s)" % word for word in words if word) + b")", symbols
    )
    assert [symbols.token(key) for key in forest.word.tolist()] == [word for word in words if word]


@pytest.mark.parametrize("word", ["%", "#", ";", "#tag"])
def test_a_word_at_the_start_of_a_line_is_no_comment_where_its_brackets_close(word: str) -> None:
    text = f"(S (NP (CD ten) (NN\n{word}))\n (VP (V see)))\n"
    forest, problems = brackets.read(encode(text), Symbols())
    assert problems == []
    assert forest.words(0) == ["ten", word, "see"]


@pytest.mark.parametrize("comment", ["# 1) a", "#1) a", "%% (NP", "; see (a)", "#", ";) or not"])
def test_lines_that_say_more_are_comments_also_inside_of_trees(comment: str) -> None:
    text = f"(S (NP (CD ten))\n{comment}\n (VP (V see)))\n"
    forest, problems = brackets.read(encode(text), Symbols())
    assert problems == []
    assert forest.words(0) == ["ten", "see"]
