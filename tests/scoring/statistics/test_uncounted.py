"""Cohen's κ of what no score counts: the textbook's formula, and cases by hand."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import zip_longest
from operator import gt, lt
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kappas import paired, textbook
from treelens.formats.table import MAPPING
from treelens.rules.parameters import PRESETS
from treelens.session.agreement import Agreement
from trees import sentences


@given(sentences(["the", "dog", "barks"], traces=False), st.data())
def test_function_tags_are_the_textbooks(tree: str, data: st.DataObject) -> None:
    tags, sides = st.sampled_from(["", "-SBJ", "-OB1", "-SBJ-TMP"]), []
    plain = re.sub(r"\(([A-Z]+)[^ ()]* (?=\()", r"(\1 ", tree)
    count = len(re.findall(r"\([A-Z]+ (?=\()", plain))
    for _ in range(2):
        drawn = data.draw(st.lists(tags, min_size=count, max_size=count))
        rest = iter(drawn)
        text = re.sub(r"\(([A-Z]+) (?=\()", lambda one, rest=rest: f"({one[1]}{next(rest)} ", plain)  # type: ignore[misc]
        sides.append((text, drawn))
    kappas = Agreement(paired([sides[0][0]], [sides[1][0]])).uncounted_kappas
    items: list[tuple[object, object]] = [*zip(sides[0][1], sides[1][1], strict=True)]
    expected = textbook(items)
    assert ("functions" in kappas) == bool(items)
    if items:
        assert kappas["functions"].items == len(items)
        assert kappas["functions"].value == (
            None if expected is None else pytest.approx(expected, abs=1e-12)
        )


def test_what_is_left_out_of_brackets_by_hand() -> None:
    first = [
        "(TOP (S (NP-1 (N a)) (NP (-NONE- *)) (VP (V b)) (. .)))",
        "(TOP (S (NP (N c)) (VP (V d) (NP (-NONE- *))) (. .)))",
    ]
    second = [
        "(ROOT (S (NP-1 (N a)) (NP (-NONE- 0)) (VP (V b) (. .))))",
        "(TOP (S (NP-2 (N c)) (VP (V d)) (, .)))",
    ]
    found = Agreement(paired(first, second, PRESETS["default"]))
    by_hand: dict[str, list[tuple[object, object]]] = {
        "indices": [("-1", "-1"), ("", "-2")],
        "roots": [("TOP", "ROOT"), ("TOP", "TOP")],
        "empty-elements": [("*", "0"), ("*", None)],
        "uncounted-tags": [(".", "."), (".", ",")],
        # In the first sentence below S, two words before it, and below VP, one word before it.
        "uncounted-words": [("S 2 0", "VP 1 0"), ("S 2 0", "S 2 0")],
    }
    for key, items in by_hand.items():
        one = found.uncounted_kappas[key]
        assert (one.items, one.agreed) == (2, sum(a == b for a, b in items)), key
        assert one.value == textbook(items), key
    assert [tuple(row) for row in found.disagreements("empty-elements")] == [
        ("*", "0", 1),
        ("*", "–", 1),
    ]
    assert found.disagreements("uncounted-words") == []


@pytest.mark.parametrize("apart", [True, False])
def test_empty_elements_are_the_same_whatever_else_the_sentence_has(apart: bool) -> None:
    subject = "(NP-SBJ (-NONE- *)) (VP (VB go{}) (NP (-NONE- *T*-1)"
    rest = ")) (. .)))\n(S (VP (VB bark)" if apart else ") "
    first = f"(S {subject}{rest} (NP (-NONE- *)))" + (")" if apart else " (. .))")
    second = f"(S {subject}{rest})" + (")" if apart else " (. .))")
    found = Agreement(paired([first], [second], PRESETS["default"])).uncounted_kappas
    items: list[tuple[object, object]] = [("*", "*"), ("*T*-1", "*T*-1"), ("*", None)]
    assert (found["empty-elements"].items, found["empty-elements"].agreed) == (3, 2)
    assert found["empty-elements"].value == textbook(items)
    for key in ("uncounted-tags", "uncounted-words"):
        assert (found[key].items, found[key].agreed) == (1, 1), key


def test_empty_elements_of_sentences_without_words() -> None:
    trees = ["(S (NN a))", "(S (-NONE- *) (-NONE- 0))"]
    found = Agreement(paired(trees, trees, PRESETS["default"])).uncounted_kappas
    assert (found["empty-elements"].items, found["empty-elements"].agreed) == (2, 2)
    assert "uncounted-tags" not in found


class _Flat(NamedTuple):
    """A sentence with one constituent: tags and words, and what the constituent holds."""

    leaves: list[tuple[str, str]]
    phrase: range

    @property
    def text(self) -> str:
        parts = [f"({tag} {word})" for tag, word in self.leaves]
        held = " ".join(parts[self.phrase.start : self.phrase.stop])
        return " ".join(["(S", *parts[: self.phrase.start], f"(NP {held})"]) + "".join(
            [*(f" {one}" for one in parts[self.phrase.stop :]), ")"]
        )

    def spoken(self) -> dict[str, int]:
        return {word: at for at, (tag, word) in enumerate(self.leaves) if tag != "-NONE-"}

    def held_with(self, at: int) -> tuple[str, range]:
        return ("NP", self.phrase) if at in self.phrase else ("S", range(len(self.leaves)))


def _annotated(words: list[str], traces: list[tuple[int, str]], random: Random) -> _Flat:
    """These words, and empty elements before some of them, with what else is drawn."""
    leaves: list[tuple[str, str]] = []
    for at in range(len(words) + 1):
        leaves += [("-NONE-", trace) for place, trace in traces if place == at]
        if at < len(words):
            stop = words[at].startswith(".")
            leaves.append((random.choice(".,") if stop else random.choice(["NN", "VB"]), words[at]))
    start = random.randrange(len(leaves))
    return _Flat(leaves, range(start, random.randint(start + 1, len(leaves))))


def _two_of(number: int, random: Random) -> tuple[_Flat, _Flat]:
    """Two annotators' sentences; of some, one has no word, has one less, or takes it for an empty
    element."""
    words = [f"{random.choice('.ww')}{number}x{at}" for at in range(random.randint(2, 6))]
    words[0] = f"w{number}"
    traces = [(random.randint(0, len(words)), random.choice("*0")) for _ in range(3)]
    both = [_annotated(words, traces, random) for _ in range(2)]
    kind = random.randrange(6)
    if kind == 0:
        both[1] = _annotated(words, random.sample(traces, random.randint(0, 3)), random)
    if kind == 1:
        both[1] = _annotated(words[:-1], traces, random)
    if kind == 2:
        leaves = both[number % 2].leaves
        at = random.randrange(len(leaves))
        leaves[at] = ("-NONE-", leaves[at][1])
    if kind == 3:
        both[1] = _Flat([], range(0))
    return both[0], both[1]


def _recounted(first: _Flat, second: _Flat) -> dict[str, list[tuple[object, object]]]:
    sides, spoken = (first, second), (first.spoken(), second.spoken())
    shared = [word for word in spoken[0] if word in spoken[1]]
    places: list[defaultdict[int, list[object]]] = [defaultdict(list), defaultdict(list)]
    for side, found in zip(sides, places, strict=True):
        before = 0
        for tag, word in side.leaves:
            if tag == "-NONE-":
                found[before].append(word)
            before += tag != "-NONE-" and word in shared
    items: dict[str, list[tuple[object, object]]] = defaultdict(list)
    for place in places[0].keys() | places[1].keys():
        ours, theirs = (found[place] for found in places)
        for trace in [*ours]:
            if trace in theirs:
                items["empty-elements"].append((trace, trace))
                ours.remove(trace)
                theirs.remove(trace)
        items["empty-elements"] += zip_longest(ours, theirs)
    counted = [word for word in shared if first.leaves[spoken[0][word]][0] not in (".", ",")]
    for word in shared:
        if word not in counted:
            at = [where[word] for where in spoken]
            tags = [side.leaves[here][0] for side, here in zip(sides, at, strict=True)]
            items["uncounted-tags"].append((tags[0], tags[1]))
            hangs = []
            for side, here in zip(sides, at, strict=True):
                label, held = side.held_with(here)
                counts = [other for other in held if side.leaves[other][1] in counted]
                hangs.append((label, *(sum(way(o, here) for o in counts) for way in (lt, gt))))
            items["uncounted-words"].append((hangs[0], hangs[1]))
    return items


@pytest.mark.parametrize("seed", range(8))
def test_what_does_not_count_is_as_counted_one_by_one(seed: int) -> None:
    random = Random(seed)
    both = [_two_of(number, random) for number in range(12)]
    sides = [[one.text for one in side if one.leaves] for side in zip(*both, strict=True)]
    kappas = Agreement(paired(sides[0], sides[1], PRESETS["default"])).uncounted_kappas
    expected: dict[str, list[tuple[object, object]]] = defaultdict(list)
    for one, two in both:
        for key, items in _recounted(one, two).items():
            expected[key] += items
    for key in ("empty-elements", "uncounted-tags", "uncounted-words"):
        items = expected[key]
        said = kappas[key].items, kappas[key].agreed
        assert said == (len(items), sum(a == b for a, b in items)), key
        assert kappas[key].value == textbook(items), key


def test_what_no_attachment_score_counts_by_hand() -> None:
    rows = [
        "# s_type = {}\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t{}\n"
        "1\ta\tA\tX\tP\tB=1|A=2\t2\tdep\t2:{}\tM=1\n"
        "2\tb\tB\tX\tQ\tC=1\t0\troot\t0:root{}\t_\n\n".format(*said)
        for said in (("qu", "_", "dep", ""), ("fm", "_", "obj", "|1:dep"))
    ]
    rows[1] = rows[1].replace("B=1|A=2", "A=2|B=1").replace("\tQ\t", "\tR\t")
    found = Agreement(paired(rows[:1], rows[1:])).uncounted_kappas
    by_hand: dict[str, list[tuple[object, object]]] = {
        "lemmas": [("A", "A"), ("B", "B")],
        "xpos": [("P", "P"), ("Q", "R")],
        "features": [("AB", "AB"), ("C", "C")],
        "misc": [("M", "M"), ("_", "_")],
        "enhanced": [("dep", "obj"), ("root", "root"), (None, "dep")],
        "comments": [("qu", "fm")],
        "tokens": [("ab", "ab")],
    }
    assert found.keys() == by_hand.keys()
    for key, items in by_hand.items():
        assert (found[key].items, found[key].agreed) == (
            len(items),
            sum(one == other for one, other in items),
        ), key
        assert found[key].value == textbook(items), key


def test_what_lattices_say_by_hand() -> None:
    arcs = ["0\t1\ta\tA\tN\tP\tB=1|A=2\t1", "1\t2\tb\tB\tN\tQ\t_\t2"]
    others = [arcs[0].replace("B=1|A=2", "A=2|B=1"), arcs[1].replace("\tQ\t_", "\tR\tC=1")]
    found = Agreement(paired(arcs, others, format=MAPPING)).uncounted_kappas
    by_hand: dict[str, list[tuple[object, object]]] = {
        "lemmas": [("A", "A"), ("B", "B")],
        "xpos": [("P", "P"), ("Q", "R")],
        "features": [("AB", "AB"), ("_", "C")],
    }
    assert {key: one.value for key, one in found.items()} == {
        key: textbook(items) for key, items in by_hand.items()
    }


def test_empty_nodes_by_hand() -> None:
    word = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t_\t_\n"
    node = "{}\t{}\t_\tVERB" + "\t_" * 6 + "\n"

    def table(*empties: tuple[str, str]) -> str:
        lines = [(str(at), word.format(at, form, at - 1)) for at, form in enumerate("ab", 1)]
        lines += [(number, node.format(number, form)) for number, form in empties]
        return "".join(line for _, line in sorted(lines)) + "\n"

    first = table(("0.1", "so"), ("1.1", "go"), ("1.2", "be"), ("2.1", "do"))
    second = table(("0.1", "so"), ("1.1", "be"), ("1.2", "say"))
    found = Agreement(paired([first], [second])).uncounted_kappas["empty-nodes"]
    # Behind one word the same go together, wherever they stand; what is left, in order.
    items: list[tuple[object, object]] = [
        ("so", "so"), ("be", "be"), ("go", "say"), ("do", None)
    ]  # fmt: skip
    assert (found.items, found.agreed) == (4, 2)
    assert found.value == textbook(items)
