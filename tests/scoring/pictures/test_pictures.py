"""Pictures of sentences: what is drawn is what is counted, and all of it can be got at.

Longer than other modules are: all layouts are held against the same comparisons.
"""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator

import pytest
from conll_texts import hostile_segments, hostile_tables, table_pairs, tables
from drawn import alone, sitting, snapshot
from hypothesis import example, given
from hypothesis import strategies as st
from laws import examples
from treelens.formats.table import LATTICE, MAPPING, SEGMENTATION, Format
from treelens.present.pictures import PictureChoice, ShownPicture, picture
from treelens.session.pair import Side
from treelens.session.session import Snapshot
from trees import hostile, pairs, sentences

SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = ("overlaid", "beside", "own")

texts = st.one_of(
    pairs(most=2).map(lambda sides: ("\n".join(sides[0]), "\n".join(sides[1]))),
    table_pairs(most=2),
)

GOLD = "(S (NP (D the) (N dog)) (VP (V sees) (NP (D a) (N cat)) (PP (P in) (NP (N rain)))) (. .))"
SYSTEM = "(S (NP (D the) (N dog)) (VP (V sees) (NX (D a) (X cat) (PP (P in) (NP (N rain))))) (. .))"
CROSSING = (
    "(S (X (NP (D the) (N dog)) (V sees)) (NP (NP (D a) (N cat)) (PP (P in) (NP (N rain)))) (. .))"
)

TABLE = """\
1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsees\tsee\tVERB\t_\t_\t0\troot\t_\t_
4-5\tdella\t_\t_\t_\t_\t_\t_\t_\t_
4\tdi\tdi\tADP\t_\t_\t6\tcase\t_\t_
5\tla\tla\tDET\t_\t_\t6\tdet\t_\t_
6\tcats\tcat\tNOUN\t_\t_\t3\tobj\t_\t_

"""


def shown(here: Snapshot, layout: str = "overlaid", *folded: str, offset: int = 1) -> ShownPicture:
    found = picture(here, offset, PictureChoice(layout, "", frozenset(folded), True))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_file_that_is_compared_with_nothing_has_nothing_that_does_not_count() -> None:
    text = "(TOP (S (NP (PRON we)) (VERB go) (. .)))"
    found = shown(alone(text))
    assert "count" not in found.svg
    assert {node.part.state for node in found.nodes} == {"matched"}
    paired = shown(snapshot(sitting(text, text)))
    assert "TOP over “we go .”, which does not count" in paired.svg


def everything(both: tuple[str, str]) -> Iterator[tuple[Snapshot, ShownPicture]]:
    """Every sentence of both sides in every layout, as far as there is a picture of it."""
    session = sitting(*both)
    for name, layout in itertools.product(("gold.mrg", "system.mrg"), LAYOUTS):
        here = snapshot(session, name)
        for start in here.document.start[:-1].tolist():
            found = shown(here, layout, offset=start)
            if not found.message:
                yield here, found


def drawing(found: ShownPicture) -> ET.Element:
    return ET.fromstring(found.svg)


def items(found: ShownPicture) -> dict[str, ET.Element]:
    """The groups that can be pointed at, by id; each is there once."""
    groups = [one for one in drawing(found).iter("g") if one.get("role") == "treeitem"]
    assert len({one.get("data-node") for one in groups}) == len(groups)
    return {one.get("data-node", ""): one for one in groups}


def states(found: ShownPicture, kind: str, *sides: str) -> Counter[str]:
    return Counter(
        node.part.state
        for node in found.nodes
        if node.part.kind == kind and (not sides or node.part.side in sides)
    )


def words_of(element: ET.Element) -> list[str]:
    """The words that are written, whatever they are a part of."""
    found = [one for one in element.iter("g") if (one.get("class") or "").startswith("word ")]
    return [text.text or "" for one in found for text in one.iter("text")]


# --- by hand -----------------------------------------------------------------------------------


def test_a_relabelled_bracket_has_both_labels_and_a_lost_one_is_dashed() -> None:
    found = shown(snapshot(sitting(GOLD, SYSTEM)))
    named = {node.part.id: node.part for node in found.nodes}
    assert named["g:3-5.0"].state == "missing"
    assert "system has no such bracket" in named["g:3-5.0"].title
    assert named["s:3-7.0"].state == "extra"
    assert named["s:3-7.0"].side == "system"
    assert named["g:2-7.0"].side == "both"
    assert named["g:w4"].state == "wrong-tag"
    assert named["g:w4"].title == "“cat”, N: system has X"
    written = "".join(items(found)["g:w4"].itertext())
    assert written == "N\u00a0≠\u00a0Xcat"


def test_a_label_that_counts_as_the_same_is_told_where_it_is_written_otherwise() -> None:
    gold, system = "(S (NP-SBJ (N we)) (VP (V go)))", "(S (NP-LGS (N we)) (VP (V go)))"
    found = shown(snapshot(sitting(gold, system)))
    titles = {node.part.id: node.part.title for node in found.nodes}
    told = "NP-SBJ over “we”: system writes NP-LGS; function tag, not counted by F1"
    assert titles["g:0-1.0"] == told
    assert titles["g:1-2.0"] == "VP over “go”"
    assert "".join(items(found)["g:0-1.0"].itertext()) == "NP-SBJ\u00a0≠\u00a0NP-LGS"


def test_what_no_score_counts_is_paler_and_never_folded_as_alike() -> None:
    word = "(N w) " * 10
    gold = f"(TOP (S (A {word}) (NP-SBJ {word}) (NP (-NONE- *)) (B {word})))"
    system = f"(S (A {word}) (NP-OBJ {word}) (NP (-NONE- 0)) (B {word}))"
    here = snapshot(sitting(gold, system))
    found = picture(here, 1, PictureChoice("overlaid", "", frozenset(), False))
    assert found is not None
    folded = {node.part.id for node in found.nodes if node.part.folded}
    assert folded == {"g:0-10.0", "g:21-31.0"}
    pale = {node.part.id: node.part.title for node in found.nodes if node.part.state == "otherwise"}
    assert {*pale} == {"g:0-31.0", "g:10-20.0", "g:w20", "s:w20"}
    assert all(title.endswith(", not counted by F1") for title in pale.values())


@pytest.mark.parametrize(
    ("gold", "system", "title"),
    [
        (
            "(TOP (S (N a) (V b)))",
            "(ROOT (S (N a) (V b)))",
            "TOP over “a b”; label, not counted by F1",
        ),
        (
            "(S (PRT (N a)) (V b))",
            "(S (ADVP (N a)) (V b))",
            "PRT over “a”: system writes ADVP; label held equal, not counted by F1",
        ),
    ],
)
def test_another_label_that_does_not_count_is_said_of_its_constituent(
    gold: str, system: str, title: str
) -> None:
    found = shown(snapshot(sitting(gold, system)))
    pale = [node.part.title for node in found.nodes if node.part.state == "otherwise"]
    assert pale[-1] == title


def test_what_crosses_is_a_brace_below_the_words() -> None:
    found = shown(snapshot(sitting(GOLD, CROSSING)))
    (crossing,) = [node.part for node in found.nodes if node.part.state == "crossing"]
    assert crossing.id == "s:0-3.0"
    (lower,) = [one for one in drawing(found) if one.get("class") == "lower"]
    assert [one.get("data-node") for one in lower.iter("g") if one.get("role")] == ["s:0-3.0"]
    named = {node.part.id: node.part for node in found.nodes}
    assert named["g:2-7.0"].state == "missing"
    # Down from the word is the brace, and up from the brace the word.
    assert (named["g:w1"].down, crossing.up) == ("s:0-3.0", "g:w0")


def test_arcs() -> None:
    system = TABLE.replace("2\tdet", "3\tdet").replace("obj", "iobj")
    found = shown(snapshot(sitting(TABLE, system)))
    named = {node.part.id: node.part for node in found.nodes}
    assert named["g:a0"].state == named["s:a0"].state == "wrong-head"
    assert named["g:a0"].title == "“the” is det of “dog”: system has det of “sees”"
    assert named["g:a5"].state == "wrong-relation"
    assert "".join(items(found)["g:a5"].itertext()) == "obj\u00a0≠\u00a0iobj"
    assert named["g:a2"].title == "“sees” is the root (root)"
    (token,) = [one for one in drawing(found).iter("g") if one.get("class") == "token"]
    assert "".join(token.itertext()) == "della"


def test_places_are_where_it_is_written() -> None:
    here = snapshot(sitting(TABLE, TABLE.replace("2\tdet", "3\tdet")))
    named = {node.part.id: node for node in shown(here).nodes}
    text = here.document.text()
    (arc,) = named["g:a0"].places
    assert text[arc.start : arc.end].split(b"\t")[1] == b"the"
    assert text[arc.label_start : arc.label_end] == b"2"  # what is wrong is the head
    relation = named["g:a1"].places
    assert [text[one.label_start : one.label_end] for one in relation[:1]] == [b"nsubj"]
    assert [one.name for one in relation] == ["gold.mrg", "system.mrg"]


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_empty_nodes_stand_where_they_are_written(end: str) -> None:
    node = "2.1\tran\trun\tVERB\t_\t_\t_\t_\t1:conj\t_\n"
    gold, table = (
        text.replace("\n", end) for text in (TABLE.replace("3\tsees", node + "3\tsees"), TABLE)
    )
    for system in (gold, table):
        found = shown(snapshot(sitting(gold, system)))
        place = {text.text: float(text.get("x", "")) for text in drawing(found).iter("text")}
        assert place["dog"] < place["ran"] < place["sees"]
        assert len(found.nodes) == 13  # six words, six arcs, one enhanced dependency
        assert words_of(drawing(found)).count("ran") == 1
    folded = shown(snapshot(sitting(gold, table)), "own", "g:w2")
    assert " ".join(words_of(drawing(folded))) == "the dog ran sees di la cats"


def test_enhanced_dependencies_that_are_not_basic_or_differ_are_below_the_words() -> None:
    gold = TABLE.replace("nsubj\t_", "nsubj\t3:nsubj|6:nsubj").replace("root\t_", "root\t0:root")
    for layout in LAYOUTS:
        found = shown(snapshot(sitting(gold, gold.replace("6:nsubj", "6:obj"))), layout)
        below = {n.part.id: n.part for n in found.nodes if n.part.kind == "enhanced"}
        assert {*below} == ({"g:e1.1", "s:e1.1"} if layout != "own" else {"g:e1.1"})
        assert {part.state for part in below.values()} == {"otherwise"}
        told = "“dog” is nsubj of “cats”, enhanced: not in system; not counted by LAS"
        assert below["g:e1.1"].title == told
    same = shown(snapshot(sitting(gold, gold)))
    assert [n.part.state for n in same.nodes if n.part.kind == "enhanced"] == ["uncounted"]


def test_of_a_word_it_is_said_whether_lemma_second_tag_or_features_differ() -> None:
    row = "dog\tdog\tNOUN\tNN\tNumber=Sing"
    gold = TABLE.replace("dog\tdog\tNOUN\t_\t_", row)
    for other, told in (
        ("dog\tcat\tNOUN\tNN\tNumber=Plur", "another lemma, other features"),
        ("dog\tdog\tNOUN\tNNS\tNumber=Sing", "another second tag"),
    ):
        found = shown(snapshot(sitting(gold, gold.replace(row, other))))
        titles = [n.part.title for n in found.nodes if n.part.state == "wrong-morphology"]
        assert titles == [f"“dog”, NOUN: system has {told}"]


def test_a_folded_word_takes_what_hangs_on_it_along() -> None:
    here = snapshot(sitting(TABLE, TABLE.replace("6\tcase", "5\tcase")))
    before, after = shown(here, "overlaid"), shown(here, "overlaid", "g:w5")
    assert words_of(drawing(before)) == ["the", "dog", "sees", "di", "la", "cats"]
    assert words_of(drawing(after)) == ["the", "dog", "sees", "di la cats"]
    part = next(node.part for node in after.nodes if node.part.id == "g:w5")
    assert (part.folded, part.label) == (True, "di la cats")
    assert part.title.endswith("folded, 1 inside differs")


def test_a_hidden_difference_is_counted() -> None:
    found = shown(snapshot(sitting(GOLD, SYSTEM)), "overlaid", "g:2-7.0")
    written = "".join(items(found)["g:2-7.0"].itertext())
    assert written == "VP (3\u00a0≠)"
    assert " ".join(words_of(drawing(found))) == "the dog sees a cat in rain ."


def test_a_long_sentence_is_folded_where_all_is_alike() -> None:
    words = " ".join(f"(N w{at})" for at in range(30))
    gold, system = (f"(S (NP {words}) (VP ({tag} a) (V b) (V c)))" for tag in "VW")
    here = snapshot(sitting(gold, system))
    found = picture(here, 1, PictureChoice())
    assert found is not None
    assert [node.part.id for node in found.nodes if node.part.folded] == ["g:0-30.0"]
    assert not any(node.part.folded for node in shown(here).nodes)


def test_a_long_sentence_that_is_cut_in_the_other_file_is_folded() -> None:
    words = [f"(N w{at})" for at in range(27)]
    gold = f"(S (NP {' '.join(words)}) (VP (V a)<s id=1>(V b) (V c)))"
    system = (
        f"(S (NP (N w0) ) w\n {' '.join(words[4:21])} (\n%))\n w21) {' '.join(words[22:])} (N x))"
    )
    session = sitting(gold, system + " (VP (V a) (V b) (V c(S\n  (NP (DT a))\n  (VP (VB saw)))\n)")
    for name, layout in itertools.product(("gold.mrg", "system.mrg"), LAYOUTS):
        here = snapshot(session, name)
        for at in range(0, here.document.length, 20):
            assert picture(here, at, PictureChoice(layout)) is not None


def test_several_systems_stand_beside_gold_on_the_same_columns() -> None:
    retokenised = GOLD.replace("(N rain)", "(N ra) (N in)")
    session = sitting(GOLD, retokenised, SYSTEM)
    found = shown(snapshot(session), "beside")
    assert [partner.active for partner in found.partners] == [True, True]
    place = {
        id: float(group.findall(".//text")[-1].get("x", "")) for id, group in items(found).items()
    }
    for word in range(6):
        assert place[f"g:w{word}"] == place[f"s:w{word}"] == place[f"s2:w{word}"]
    assert place["g:w6"] == place["s2:w6"]
    assert place["s:w6"] < place["g:w6"] < place["s:w7"]
    assert place["g:w7"] == place["s:w8"] == place["s2:w7"]


def test_hebrew_is_mirrored() -> None:
    found = shown(alone("(S (NP (N ילד)) (VP (V אכל) (X NASA)))"))
    assert found.mirrored
    xs = [
        float(one.get("x", ""))
        for id in ("g:w0", "g:w1", "g:w2")
        for one in [list(items(found)[id].iter("text"))[-1]]
    ]
    assert xs[0] > xs[1] > xs[2]


def test_a_file_by_itself_is_drawn_as_it_is() -> None:
    for layout in LAYOUTS:
        found = shown(alone(GOLD), layout)
        assert states(found, "constituent") == {"matched": 6}
        assert found.partners == ()


@pytest.mark.parametrize("deep", [400, 20_000])
def test_what_is_too_deep_has_a_message(deep: int) -> None:
    here = alone("(S " + "(X " * deep + "(A a)" + ")" * deep + ")")
    found = shown(here)
    assert "to be drawn" in found.message
    assert not found.svg
    assert not found.nodes


# --- laws --------------------------------------------------------------------------------------


@examples(20)
@given(texts)
@example(("(S (DT the))", "(TOP (S (DT the)))"))  # of which no score counts anything
def test_what_is_drawn_is_what_is_counted(both: tuple[str, str]) -> None:
    here = snapshot(sitting(*both))
    for other in here.counterparts:
        for number in range(len(other.pair)):
            group = other.pair.group(number)
            if not group.gold or not group.system:
                continue
            start = int(here.document.start[group.gold[0]])
            counted = other.pair.strictly(strict=False)
            codes = Counter(finding.code for finding in counted.findings(number))
            for layout in ("overlaid", "beside"):
                found = shown(here, layout, offset=start)
                if not found.message:
                    check_counts(found, codes, layout)


def check_counts(found: ShownPicture, codes: Counter[str], layout: str) -> None:
    brackets = states(found, "constituent")
    assert brackets["missing"] == codes["missing-bracket"]
    assert brackets["extra"] == codes["extra-bracket"]
    assert brackets["crossing"] == codes["crossing-bracket"]
    # Beside each other there are two of each.
    times = 2 if layout == "beside" else 1
    assert brackets["mislabelled"] == times * codes["wrong-label"]
    arcs = states(found, "arc")
    assert arcs["wrong-relation"] <= times * codes["wrong-relation"]
    assert states(found, "arc", "gold")["wrong-head"] <= codes["wrong-head"]
    words = states(found, "word", "gold", "both")
    assert words["wrong-tag"] <= codes["wrong-tag"]
    wrong_words = codes["different-words"] + codes["missing-words"] + codes["extra-words"]
    wrong = states(found, "word")
    assert (wrong["different-words"] + wrong["missing"] + wrong["extra"] > 0) == (wrong_words > 0)
    if not codes:
        assert set(brackets + arcs + wrong) <= {"matched", "uncounted", "otherwise"}


@examples(20)
@given(texts)
def test_everything_can_be_pointed_at_and_is_written_in_the_text(both: tuple[str, str]) -> None:
    for here, found in everything(both):
        assert set(items(found)) == {node.part.id for node in found.nodes}
        assert found.at is None or found.at in items(found)
        for part, places in found.nodes:
            assert part.title
            assert len(places) == len(part.places)
            for place in places:
                assert 0 <= place.start <= place.label_start <= place.label_end <= place.end
            if places[0].name == here.name and part.kind == "word":
                form = here.document.text(places[0].label_start, places[0].label_end)
                assert form.decode()[:20] == part.label[:20]


@examples(20)
@given(texts)
def test_keys_lead_from_everything_to_everything(both: tuple[str, str]) -> None:
    for _, found in everything(both):
        parts = {node.part.id: node.part for node in found.nodes}
        for start in parts:
            seen, open_ = {start}, [start]
            while open_:
                part = parts[open_.pop()]
                for there in (part.up, part.down, part.previous, part.next):
                    if there is not None and there not in seen:
                        seen.add(there)
                        open_.append(there)
            assert seen == set(parts)


@examples(20)
@given(texts, st.data())
def test_folding_hides_nodes_and_no_words(both: tuple[str, str], data: st.DataObject) -> None:
    for here, found in everything(both):
        foldable = [node.part.id for node in found.nodes if node.part.foldable]
        if not foldable:
            continue
        chosen = data.draw(st.sets(st.sampled_from(foldable), min_size=1))
        layout = data.draw(st.sampled_from(LAYOUTS))
        offset = next(p.start for node in found.nodes for p in node.places if p.name == here.name)
        before, after = (shown(here, layout, *ids, offset=offset) for ids in ((), chosen))
        wanted = [
            node.part for node in before.nodes if node.part.foldable and node.part.id in chosen
        ]
        left = {node.part.id: node.part.folded for node in after.nodes}
        assert all(left.get(part.id, True) for part in wanted)
        by_someone = {id for part in wanted for id in (part.id, *part.twins)}
        assert {id for id, folded in left.items() if folded} <= by_someone
        assert len(left) <= len(before.nodes)
        assert set(items(after)) == {node.part.id for node in after.nodes}
        texts_before, texts_after = (
            sorted(" ".join(words_of(drawing(one))).split()) for one in (before, after)
        )
        if layout == "own":
            assert texts_before == texts_after


def test_a_brace_is_not_folded() -> None:
    here = snapshot(sitting("(S (A (D a) (N b)) (C c))", "(S (D a) (B (N b) (C c)))"))
    parts = {node.part.label: node.part for node in shown(here).nodes}
    assert parts["A"].foldable
    assert not parts["B"].foldable
    assert "B" in {node.part.label for node in shown(here, "beside", parts["B"].id).nodes}


def test_a_fold_leaves_the_columns_that_only_the_other_side_has() -> None:
    gold = "(S (A (D a) (N b)) (C (N c) (N d)))"
    system = "(S (D a) (B (N b) (N c) (N d) (-NONE- *T*) (-NONE- *T*)))"
    here = snapshot(sitting(gold, system))
    parts = {node.part.label: node.part for node in shown(here).nodes}
    assert parts["B"].state == "crossing"
    after = shown(here, "overlaid", parts["C"].id)
    assert "c d" in words_of(drawing(after))


def test_a_word_whose_own_are_elsewhere_is_folded_itself() -> None:
    rows = ["a\t4", "b\t4", "c\t0", "d\t3"]
    table = "".join(
        f"{number}\t{form}\t_\t_\t_\t_\t{head}\tx\t_\t_\n"
        for number, (form, head) in enumerate((row.split("\t") for row in rows), 1)
    )
    here = snapshot(sitting(table + "\n", table + "\n"))
    parts = {node.part.label: node.part for node in shown(here, "own").nodes}
    after = shown(here, "own", parts["d"].id)
    assert {node.part.label for node in after.nodes if node.part.folded} == {"d"}
    assert {node.part.label for node in after.nodes if node.part.kind == "word"} == {
        "a b",
        "c",
        "d",
    }


@examples(20)
@given(texts)
def test_words_and_labels_stand_apart(both: tuple[str, str]) -> None:
    for _, found in everything(both):
        root = drawing(found)
        for half in root:
            if half.get("class") not in ("upper", "lower"):
                continue
            boxes = [
                tuple(float(box.get(key, "")) for key in ("x", "y", "width", "height"))
                for box in half.iter("rect")
            ]
            for (x, y, w, h), (a, b, c, d) in itertools.combinations(boxes, 2):
                apart = x + w <= a + 0.2 or a + c <= x + 0.2 or y + h <= b + 0.2 or b + d <= y + 0.2
                assert apart, found.svg
            assert all(
                x >= -0.2 and x + w <= float(root.get("width", "")) + 1 for x, _, w, _ in boxes
            )


@examples(20)
@given(texts)
def test_the_other_side_sees_the_same(both: tuple[str, str]) -> None:
    session = sitting(*both)
    gold, system = snapshot(session), snapshot(session, "system.mrg")
    for other in gold.counterparts:
        for number in range(len(other.pair)):
            group = other.pair.group(number)
            if group.gold and group.system:
                starts = (
                    int(other.pair.document(side).start[sentences[0]])
                    for side, sentences in zip(Side, group, strict=True)
                )
                one, two = (
                    shown(here, offset=start)
                    for here, start in zip((gold, system), starts, strict=True)
                )
                assert one.svg.partition("</title>")[2] == two.svg.partition("</title>")[2]


@given(
    st.one_of(
        st.tuples(hostile, hostile),
        st.tuples(hostile_tables, hostile_tables),
        st.tuples(tables(), sentences()),
    )
)
def test_any_text_is_drawn_or_there_is_a_message(both: tuple[str, str]) -> None:
    for _, found in everything(both):
        assert set(items(found)) == {node.part.id for node in found.nodes}
        assert found.latex.endswith("}\n")


@given(
    st.tuples(hostile_segments, hostile_segments),
    st.sampled_from([LATTICE, MAPPING, SEGMENTATION]),
)
def test_segments_are_words_without_a_tree(both: tuple[str, str], format: Format) -> None:
    here = snapshot(sitting(*both, format=format))
    for start in here.document.start[:-1].tolist():
        found = shown(here, "overlaid", offset=start)
        assert {node.part.kind for node in found.nodes} <= {"word"}
        assert bool(found.message) != bool(found.svg)
