"""What is taken for what, and scores by length: by hand, and summing up to the tallies."""

from __future__ import annotations

import dataclasses
import itertools
import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from reports import reported
from tables import table_pairs
from treelens.report.as_json import json_text
from treelens.report.breakdown import Confusions, NameCount, by_length, confusions
from treelens.report.content import counts
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.pair import Pair
from trees import pairs

parameters = st.builds(
    dataclasses.replace, st.sampled_from(list(PRESETS.values())), labelled=st.booleans()
)

GOLD = """\
(S (NP (DT the) (NN dog)) (VP (VB barks) (ADVP (RB out))))
(S (NP (NN rain)) (VP (VB falls)) (. .))
(S (NP (PRP she)) (VP (VB sleeps)))
"""
ROW = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n"
SYSTEM = """\
(S (NP (DT the) (JJ dog)) (VP (VB barks) (PRT (RP out))))
(S (NP (NN rain)) (X (VB falls) (. .)))
(S (VP (PRP she) (VP (VB sleeps))))
"""


def of(gold: str, system: str, given: Parameters = PRESETS["default"]) -> dict[str, Confusions]:
    _, (scored,) = reported(gold, system, parameters=given)
    return {one.key: one for one in confusions([scored])}


def test_labels_by_hand() -> None:
    found = of(GOLD, SYSTEM)["labels"]
    assert {row.name: row[1:] for row in found.by_name()} == {
        # gold, system, matched, missing, extra
        "S": (3, 3, 3, 0, 0),
        "NP": (3, 2, 2, 1, 0),
        "VP": (3, 3, 2, 0, 1),
        "ADVP/PRT": (1, 1, 1, 0, 0),
        "X": (0, 1, 0, 0, 0),
    }
    assert found.confused() == [("VP", "X", 1)]


def test_tags_by_hand() -> None:
    found = of(GOLD, SYSTEM)["tags"]
    assert found.confused() == [("NN", "JJ", 1), ("RB", "RP", 1)]
    rows = {row.name: row for row in found.by_name()}
    assert rows["NN"] == NameCount("NN", gold=2, system=1, matched=1, missing=0, extra=0)
    assert "." not in rows, "punctuation is left out"


def test_relations_by_hand() -> None:
    gold = ROW.format(1, "she", 2, "nsubj") + ROW.format(2, "saw", 0, "root")
    gold += ROW.format(3, "it", 2, "obj") + ROW.format(4, "there", 2, "advmod") + "\n"
    system = ROW.format(1, "she", 2, "nsubj") + ROW.format(2, "saw", 0, "root")
    system += ROW.format(3, "it", 2, "iobj") + ROW.format(4, "there", 3, "advmod") + "\n"
    found = of(gold, system)
    assert found["relations"].confused() == [("obj", "iobj", 1)]
    assert {row.name: row[1:] for row in found["attachments"].by_name()} == {
        # gold, system, matched, missing, extra
        "nsubj": (1, 1, 1, 0, 0),
        "root": (1, 1, 1, 0, 0),
        "obj": (1, 0, 0, 0, 0),
        "iobj": (0, 1, 0, 0, 0),
        "advmod": (1, 1, 0, 1, 1),
    }
    assert "labels" not in found


def test_the_matrix_has_the_names_with_mistakes() -> None:
    names, table = of(GOLD, SYSTEM)["labels"].matrix(2)
    assert names == ["VP", "NP"]
    assert table.tolist() == [
        # VP, NP, others, missing
        [2, 0, 1, 0],
        [0, 2, 0, 1],
        [0, 0, 4, 0],
        [1, 0, 0, 0],
    ]


def test_lengths_by_hand() -> None:
    _, scored = reported(GOLD, SYSTEM, "(S (NP (DT the) (NN dog)) (VP (VB barks)))")
    found = by_length([[one] for one in scored])
    assert [[(one.title, one.sentences) for one in of_pair] for of_pair in found] == [
        [("2", 1), ("3", 1), ("4", 1)]
    ] * 2


def test_nothing_has_no_breakdown() -> None:
    _, scored = reported("", "")
    assert confusions(scored[:1]) == ()
    assert by_length([[one] for one in scored]) == [[]]


def test_the_last_stretch_is_open_where_few_sentences_are_very_long() -> None:
    text = "(S (X a) (X b))\n" * 300 + f"(S {' '.join('(X w)' for _ in range(90))})\n"
    _, scored = reported(text, text)
    assert [one.title for one in by_length([[one] for one in scored])[0]] == ["2", "10+"]


# --- laws ------------------------------------------------------------------------------------


def tallied(scored: Pair) -> dict[str, dict[str, int]]:
    return counts(scored.total, scored.metrics)


@given(pairs(), parameters)
def test_labels_sum_up_to_parseval(trees: tuple[list[str], list[str]], given: Parameters) -> None:
    _, (scored,) = reported(*map("\n".join, trees), parameters=given)
    found = next((one for one in confusions([scored]) if one.key == "labels"), None)
    expected = tallied(scored)["parseval"]
    if found is None:
        assert (expected["gold"], expected["system"]) == (0, 0)
        return
    rows = found.by_name()
    both = int(found.times[(found.gold >= 0) & (found.system >= 0)].sum())
    assert sum(row.gold for row in rows) == expected["gold"]
    assert sum(row.system for row in rows) == expected["system"]
    assert both == expected["spans"]
    if given.labelled:
        assert sum(row.matched for row in rows) == expected["matched"]


@given(pairs(), parameters)
def test_tags_sum_up_to_tagging(trees: tuple[list[str], list[str]], given: Parameters) -> None:
    _, (scored,) = reported(*map("\n".join, trees), parameters=given)
    rows = [row for one in confusions([scored]) if one.key == "tags" for row in one.by_name()]
    expected = tallied(scored)["tagging"]
    assert sum(row.gold for row in rows) == expected["words"]
    assert sum(row.matched for row in rows) == expected["tagged"]


@given(table_pairs())
def test_relations_sum_up_to_attachment(tables: tuple[list[str], list[str]]) -> None:
    _, (scored,) = reported(*map("".join, tables))
    expected = tallied(scored).get("attachment")
    kinds = {one.key: one for one in confusions([scored])}
    if expected is None or not expected["gold"] + expected["system"]:
        assert "relations" not in kinds
        return
    for key, right in (("relations", "related"), ("attachments", "labelled")):
        rows = kinds[key].by_name()
        assert sum(row.gold for row in rows) == expected["gold"]
        assert sum(row.matched for row in rows) == expected[right]
        assert sum(row.system for row in rows) == expected["system"]
    rows = kinds["attachments"].by_name()
    assert sum(row.gold - row.missing for row in rows) == expected["attached"]


@given(pairs(), parameters, st.integers(0, 6))
def test_every_form_has_the_same_sums(
    trees: tuple[list[str], list[str]], given: Parameters, most: int
) -> None:
    for found in of(*map("\n".join, trees), given).values():
        rows = found.by_name()
        names, table = found.matrix(most)
        assert len(set(found.names)) == len(found.names)
        assert table.sum() == found.times.sum()
        assert table[-1].sum() == sum(row.extra for row in rows)
        assert table[:, -1].sum() == sum(row.missing for row in rows)
        of_name = {row.name: row for row in rows}
        for at, name in enumerate(names):
            row = of_name[name]
            assert (table[at].sum(), table[:, at].sum()) == (row.gold, row.system)
            assert table[at, at] == row.matched
        renamed = sum(row.gold - row.matched - row.missing for row in rows)
        assert sum(times for _, _, times in found.confused()) == renamed
        assert renamed == sum(row.system - row.matched - row.extra for row in rows)


@given(pairs(), pairs(), parameters)
def test_stretches_of_lengths_cover_everything(
    trees: tuple[list[str], list[str]], others: tuple[list[str], list[str]], given: Parameters
) -> None:
    gold, *systems = map("\n".join, (*trees, others[1]))
    _, scored = reported(gold, *systems, parameters=given)
    for pair, found in zip(scored, by_length([[one] for one in scored]), strict=True):
        totals = [one.total for one in found]
        assert np.array_equal(np.sum(totals, axis=0) if totals else pair.total, pair.total)
        assert sum(one.sentences for one in found) == len(pair.gold)
        ends = [(one.first, one.last) for one in found]
        assert ends == sorted(ends, key=lambda stretch: stretch[0])
        assert all(
            last is not None and last < first for (_, last), (first, _) in itertools.pairwise(ends)
        )


@given(pairs(), parameters)
def test_json_says_the_same(trees: tuple[list[str], list[str]], given: Parameters) -> None:
    found, (scored,) = reported(*map("\n".join, trees), parameters=given)
    (system,) = json.loads("\n".join(json_text(found)))["systems"]
    kinds = confusions([scored])
    assert system["names"] == {
        kind.key: [row._asdict() for row in kind.by_name()] for kind in kinds
    }
    assert {
        key: [tuple(row.values()) for row in rows] for key, rows in system["confusions"].items()
    } == {kind.key: kind.confused() for kind in kinds}
    assert [(row["first"], row["last"], row["counts"]) for row in system["lengths"]] == [
        (one.first, one.last, counts(one.total, scored.metrics))
        for (of_pair,) in [by_length([[scored]])]
        for one in of_pair
    ]
