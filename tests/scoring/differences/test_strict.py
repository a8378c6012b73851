"""What no score counts: a sentence is the same exactly when its annotation, read, is.

Longer than other files are: one table of what there is to differ."""

from __future__ import annotations

import re

import pytest
from conll_texts import arc_pairs, read_arcs, table_pairs
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from treelens.differences.table import BY_CODE
from treelens.differences.wording import counts_in_words, summary
from treelens.edits.take import after_edits, take, take_sentence
from treelens.formats.table import CONLL, Format
from treelens.session.document import document
from treelens.session.pair import Pair, Side, pair
from treelens.trees.forest import Symbols, encode
from trees import commented

ROW = "1\ta\t_\tD\t_\t_\t0\troot\t_\t_\n"
TWO = "1\ta\t_\tD\t_\t_\t2\tx\t{}\t_\n2\tb\t_\tD\t_\t_\t0\troot\t{}\t_\n"

texts = st.one_of(
    commented().map(lambda two: (*two, None)),
    table_pairs(rich=True).map(lambda two: (*two, CONLL)),
    arc_pairs(),
)


def made(gold: str, system: str, format: Format | None = None) -> Pair:
    symbols = Symbols()
    return pair(*(document(encode(text), symbols, format) for text in (gold, system))).strictly()


def codes(of: Pair) -> list[str]:
    return [finding.code for group in range(len(of)) for finding in of.findings(group)]


def read(of: Pair, side: Side, group: int) -> list[object]:
    """All that a group's annotation says, the slow and obvious way."""
    found: list[object] = []
    comments: list[str] = []
    for sentence in of.group(group)[0 if side is Side.GOLD else 1]:
        table = of.document(side).dependency_tree(sentence)
        if table is None and of.document(side).format.layout == "rows":
            found += read_arcs(of.document(side).piece_text(sentence).decode())
        elif table is None:
            nodes = of.document(side).tree(sentence).nodes
            found.append([(node.label, node.first, node.last, node.word) for node in nodes])
            comments += tree_comments(of.document(side).piece_text(sentence).decode())
        if table is None:
            continue
        text = of.document(side).text
        for word in table.words:
            fields = [text(*span).decode().strip() or "_" for span in word.fields]
            features = {*fields[5].split("|")} - {"", "_"}
            edges = sorted(edge for edge in fields[8].split("|") if edge != "_")
            found.append((fields[1:5], features, word.head, fields[7], edges, fields[9]))
        found.append(other_lines(text(table.start, table.end).decode()))
        found.append("end")
    return [*found, *sorted(comments)]


def tree_comments(text: str) -> list[str]:
    """Comments among brackets that are annotation; which sign they begin with is no matter."""
    lines = (line.lstrip("#;%").strip() for line in text.split("\n") if line[:1] in {*"#;%"})
    return [line for line in lines if line and not line.startswith("id ")]


def other_lines(text: str) -> list[object]:
    """Comments that are annotation, in any order, and the lines that are no words'."""
    lines = [line for line in text.split("\n") if line]
    comments = [line[1:].replace(" ", "") for line in lines if line[0] == "#"]
    said = [one for one in comments if one and not one.startswith(("sent_id", "text"))]
    cells = [line.split("\t") for line in lines if re.match(r"\d+[-.]\d+\t", line)]
    others = [[*one[:8], *sorted(one[8].split("|")), one[9]] for one in cells]
    return [*sorted(said), *others]


@given(texts)
def test_the_same_is_what_is_read_the_same(drawn: tuple[str, str, Format | None]) -> None:
    of = made(*drawn)
    both = [bool(gold and system) for gold, system in zip(*of.present(), strict=True)]
    for group in range(len(of)):
        if both[group]:
            same = read(of, Side.GOLD, group) == read(of, Side.SYSTEM, group)
            if same:
                assert not of.mismatching()[group], codes(of)
            if not of.mismatching()[group]:
                words = [of.comparison(group).gold.words, of.comparison(group).system.words]
                assert all((one.same | (one.end <= one.start)).all() for one in words)
                assert same or read_without_spelling(of, group)


def read_without_spelling(of: Pair, group: int) -> bool:
    """Whether all is the same but words that rules of spelling hold equal."""
    sides = [read(of, side, group) for side in Side]

    def plain(one: object) -> object:
        if isinstance(one, str):
            return one
        if isinstance(one, list):
            return [(label, first, last, word is None) for label, first, last, word in one]
        if isinstance(one, tuple):
            return (one[0][1:], *one[1:])
        return one

    return [*map(plain, sides[0])] == [*map(plain, sides[1])]


@given(texts)
def test_scores_and_what_they_count_stay(drawn: tuple[str, str, Format | None]) -> None:
    of = made(*drawn)
    loose = of.strictly(strict=False)
    assert loose.scores() == of.scores()
    for group in range(len(of)):
        found = of.findings(group)
        assert [one for one in found if BY_CODE[one.code].counted] == [*loose.findings(group)]
        assert loose.differences()[group] == len(loose.findings(group))
        assert of.differences()[group] == len(found)


@examples(15)
@given(texts)
def test_a_sentence_that_takes_all_is_the_same(drawn: tuple[str, str, Format | None]) -> None:
    of = made(*drawn)
    for group in range(len(of)):
        edits = take_sentence(of, group, Side.SYSTEM) if of.mismatching()[group] else None
        if edits and len(of) == 1 and of.present()[0][0] and of.present()[1][0]:
            assert not codes(after_edits(of, Side.SYSTEM, edits))


@pytest.mark.parametrize("line", ["0-1", "1-2", "1.1", "1-2\t", "1.1 "])
def test_a_line_that_is_an_id_as_yet_is_told_too(line: str) -> None:
    """``0-1`` was found by ``make fuzz``."""
    rows = ROW + ROW.replace("1\ta", "2\tb").replace("0\troot", "1\tx") + "\n"
    for of in (made(rows, f"{line}\n{rows}", CONLL), made(f"{line}\n{rows}", rows, CONLL)):
        assert [summary(one) for one in of.findings(0)]


@examples(15)
@given(texts, st.sampled_from(list(Side)))
def test_what_takes_a_finding_changes_something(
    drawn: tuple[str, str, Format | None], into: Side
) -> None:
    of = made(*drawn)
    for group in range(len(of)):
        for finding in of.findings(group):
            edits = take(of, group, finding, into)
            assert not edits or after_edits(of, into, edits).document(into).text() != (
                of.document(into).text()
            ), finding


@pytest.mark.parametrize(
    ("system", "gold"),
    [
        ("(S (NP-SBJ (N a)) (V b))", "(S (NP (N a)) (V b))"),
        ("(S (NP=2-1 (N a)) (V b))", "(S (NP=2 (N a)) (V b))"),
        ("(S (ADVP##c=d## (N a)) (V b))", "(S (PRT (N a)) (V b))"),
        ("(S (ADVP##c=d## (N a)) (V b))", "(S (ADVP (N a)) (V b))"),
        ("(S (NP (N a)) (. b))", "(S (NP (N a)) (.##c=d## b))"),
        ("(S (NP (N a)) (.##c=d## b))", "(S (NP (N a)) (. b))"),
    ],
)
def test_what_a_label_has_too_much_is_taken_away(system: str, gold: str) -> None:
    of = made(gold, system)
    while of.findings(0):
        edits = take(of, 0, of.findings(0)[0], Side.SYSTEM)
        assert edits
        after = after_edits(of, Side.SYSTEM, edits)
        assert after.system.text() != of.system.text()
        of = after
    assert of.system.text() == gold.encode()


@pytest.mark.parametrize(
    ("gold", "system", "code", "said"),
    [
        (
            "(S (NP-SBJ (N a)) (V b))",
            "(S (NP-OB1 (N a)) (V b))",
            "wrong-function",
            "system has NP-OB1 here, not NP-SBJ; not counted by F1",
        ),
        (
            "(S (NP-1 (N a)) (V b))",
            "(S (NP-2 (N a)) (V b))",
            "wrong-index",
            "system has NP-2 here, not NP-1; not counted by F1",
        ),
        (
            "(S (PRT (N a)) (V b))",
            "(S (ADVP (N a)) (V b))",
            "equal-label",
            "system has ADVP here, not PRT; not counted by F1",
        ),
        (
            "(S (N a) (NP (-NONE- *)) (V b))",
            "(S (N a) (NP (-NONE- 0)) (V b))",
            "missing-trace",
            "system has no “(NP *)”; not counted by F1",
        ),
        (
            "(S (NP (N a)) (. .) (V b))",
            "(S (NP (N a) (. .)) (V b))",
            "wrong-extent",
            "system has NP over “a .”, not over “a”; not counted by F1",
        ),
        (
            "(S (A (B (N a))) (V b))",
            "(S (B (A (N a))) (V b))",
            "wrong-unary-order",
            "system has the brackets over “a” in another order; not counted by F1",
        ),
        (
            "( (S (N a) (V b)))",
            "(S (N a) (V b))",
            "missing-uncounted-bracket",
            "system has no unlabelled bracket over “a b”; not counted by F1",
        ),
        (
            "(TOP (S (N a) (V b)))",
            "(ROOT-X (S (N a) (V b)))",
            "wrong-uncounted-label",
            "system has ROOT-X here, not TOP; not counted by F1",
        ),
        (
            "(TOP (S (N a) (V b)))",
            "( (S (N a) (V b)))",
            "wrong-uncounted-label",
            "system has no label here, not TOP; not counted by F1",
        ),
        (
            "(S (NP##c=d## (N a)) (V b))",
            "(S (NP##c=e## (N a)) (V b))",
            "equal-label",
            "system has NP##c=e## here, not NP##c=d##; not counted by F1",
        ),
        (
            "(S (N##c=d## a) (V b))",
            "(S (N a) (V b))",
            "uncounted-tag",
            "system has N for “a”, not N##c=d##; not counted by any score",
        ),
        (
            "(S (N a) (. .))",
            "(S (N a) (, .))",
            "uncounted-tag",
            "system has , for “.”, not .; not counted by any score",
        ),
        (
            "1\ta\t_\tD\t_\t_\t0\troot\t0:root\tX=1\n",
            "1\ta\t_\tD\t_\t_\t0\troot\t0:root\tX=2\n",
            "wrong-misc",
            "system has X=2 for “a”, not X=1; not counted by LAS",
        ),
        (
            "1\ta\t_\tD\t_\t_\t0\troot\t0:root\t_\n",
            "1\ta\t_\tD\t_\t_\t0\troot\t_\t_\n",
            "unwritten-enhanced",
            "only one of gold and system has enhanced dependencies here; not counted by LAS",
        ),
        (
            "1\ta\t_\tD\t_\t_\t0\troot\t0:root\t_\n",
            "1\ta\t_\tD\t_\t_\t0\troot\t0:x\t_\n",
            "wrong-enhanced",
            "system has 0:x for “a”, not 0:root; not counted by LAS",
        ),
        (
            TWO.format("2:x", "0:root"),
            TWO.format("2:x|0:y", "0:root"),
            "extra-enhanced",
            "system has 0:y for “a” too; not counted by LAS",
        ),
        (
            TWO.format("2:x|1.1:y", "0:root") + "1.1\tc" + "\t_" * 6 + "\t0:root\t_\n",
            TWO.format("2:x", "0:root"),
            "missing-enhanced",
            "system has no 1.1:y for “a”; not counted by LAS",
        ),
        (
            "1\ta\t_\tD\t_\tA=b\t0\troot\t_\t_\n",
            "1\ta\t_\tD\t_\t_\t0\troot\t_\t_\n",
            "unwritten-morphology",
            "system has no features for “a”, not A=b; not counted by LAS",
        ),
        (
            "# s_type = fm\n" + ROW,
            "# s_type = qu\n" + ROW,
            "wrong-comment",
            "system has s_type = qu for this comment, not s_type = fm; not counted by any score",
        ),
        (
            "; note: odd\n(S (N a))",
            "; note: even\n(S (N a))",
            "wrong-comment",
            "system has note: even for this comment, not note: odd; not counted by any score",
        ),
        (
            "%% Sent 1\n(S\n# why not NP?\n (N a))",
            "%% Sent 2\n(S (N a))",
            "missing-comment",
            "system has no comment why not NP?; not counted by any score",
        ),
        (
            "(S (N a))",
            "; id: 7\n(S (N a))\n# an afterthought",
            "extra-comment",
            "system has the comment an afterthought, not in gold; not counted by any score",
        ),
        (
            "# sent_id = 1\n" + ROW,
            "# sent_id = 2\n# odd\n" + ROW,
            "extra-comment",
            "system has the comment odd, not in gold; not counted by any score",
        ),
        (
            ROW + "1.1\tb" + "\t_" * 8 + "\n",
            ROW,
            "missing-empty-node",
            "system has no empty node b beside “a”; not counted by LAS",
        ),
        (
            ROW + "1.1\tb" + "\t_" * 8 + "\n",
            ROW + "1.1\tc" + "\t_" * 8 + "\n",
            "wrong-empty-node",
            "system has c for this empty node, not b; not counted by LAS",
        ),
        (
            "1-1\ta" + "\t_" * 8 + "\n" + ROW,
            ROW,
            "missing-token",
            "system has no multiword token a over “a”; not counted by LAS",
        ),
        (
            "1-1\ta" + "\t_" * 8 + "\n" + ROW,
            "1-1\ta" + "\t_" * 7 + "\tX=1\n" + ROW,
            "wrong-token",
            "system has X=1 for this multiword token, no MISC here; not counted by LAS",
        ),
        (  # of more fields than there are
            "1-1\ta" + "\t_" * 9 + "\n" + ROW,
            "1-1\ta" + "\t_" * 8 + "\tx\n" + ROW,
            "wrong-token",
            "system has x for this multiword token, nothing here; not counted by LAS",
        ),
    ],
)
def test_each_is_found_said_and_taken(gold: str, system: str, code: str, said: str) -> None:
    of = made(gold, system)
    assert all(score.value == 100 for score in of.scores() if score.ratio.name in ("F1", "LAS"))
    finding = next(one for one in of.findings(0) if one.code == code)
    assert summary(finding) == said
    for into in Side:
        edits = take(of, 0, finding, into) or take_sentence(of, 0, into)
        assert edits
        assert code not in codes(after_edits(of, into, edits))


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        ("(TOP (S (N a) (V b)))", "(ROOT-X (S (N a) (V b)))"),
        ("(TOP (S (N a) (V b)))", "(S (N a) (V b))"),
        ("(S (NP (TOP (N a))) (V b))", "(S (NP (N a)) (V b))"),
        ("(S (NP (N a) (-NONE- *)) (V b))", "(S (NP (N a)) (V b))"),
    ],
)
def test_each_is_taken_by_itself_to_the_byte(gold: str, system: str) -> None:
    of = made(gold, system)
    for into in Side:
        (finding,) = of.findings(0)
        edits = take(of, 0, finding, into)
        assert edits
        after = after_edits(of, into, edits).document(into)
        assert after.text() == of.document(into.other).text()


def test_counts_are_in_one_order_wherever_they_stand() -> None:
    label_first = made(
        "(S (NP (N a)) (VP (XP (V b))) (V c))", "(S (ZP (N a)) (VP (V b)) (YP (V c)))"
    )
    missing_first = made(
        "(S (VP (XP (V b))) (NP (N a)) (V c))", "(S (VP (V b)) (ZP (N a)) (YP (V c)))"
    )
    for one in (label_first, missing_first):
        assert counts_in_words(one.findings(0)) == ["1 missing", "1 label", "1 extra"]


def test_they_are_counted_last() -> None:
    of = made("(S (NP-SBJ (N a)) (VP (V b)))", "(S (NP-OB1 (N a)) (X (V b)))")
    assert counts_in_words(of.findings(0)) == ["1 label", "1 not counted: function tag"]
    assert not counts_in_words(of.strictly(strict=False).findings(0))[1:]
    of = made("(TOP (S (N a) (V b)))", "(ROOT (X (N a) (V b)))")
    assert counts_in_words(of.findings(0)) == ["1 label", "1 not counted: label"]
    # ELAS counts them.
    of = made(TWO.format("2:x", "0:root"), TWO.format("2:y", "0:root"))
    assert counts_in_words(of.findings(0)) == ["1 not counted by LAS: DEPS"]


def test_whatever_else_is_not_read_the_same_is_said_to_be() -> None:
    row = "1\ta\t_\tD\t_\t_\t0\troot\t_\t_\n"
    of = made(row + row.replace("1\ta", "2\tb"), row + "\n" + row.replace("a", "b"))
    assert codes(of) == ["other-annotation"]
