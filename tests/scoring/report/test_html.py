"""The page: well-formed, safe whatever the files hold, and with the numbers of the tallies.

Longer than other modules are: one page, section by section.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from reports import BAD, GOLD, GOOD, reported
from treelens.cli import main
from treelens.metrics import headlines
from treelens.pictures import trees as trees_of
from treelens.pictures.canvas import Band, DrawnWord, stacked
from treelens.report.as_html import html
from treelens.report.as_table import number
from treelens.report.content import AtHand
from treelens.report.page.worst import worst
from treelens.rules.parameters import PRESETS
from trees import hostile, pairs

EXAMPLES = Path(__file__).parents[3] / "examples"
VOID = {"meta", "br", "wbr"}


class Page(HTMLParser):
    """A page's elements, its text by section, and its tables; unbalanced tags are an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.source = text
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.rows: list[list[str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        if "script" in self.open or "style" in self.open:
            return
        self.text += data
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data

    def row(self, title: str) -> list[str]:
        """The first row that starts so."""
        return next(row for row in self.rows if row[0] == title)

    @property
    def pictures(self) -> list[ET.Element]:
        """Every SVG, read as XML."""
        return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", self.source, re.S)]


def page(gold: str, *systems: str, worst: int = 20, names: tuple[str, ...] = ()) -> Page:
    found, _ = reported(gold, *systems, names=names)
    return Page("\n".join(html(found, worst)))


def trees(found: Page) -> list[ET.Element]:
    return [svg for svg in found.pictures if svg.get("class") == "picture trees"]


def labelled(picture: ET.Element, half: str) -> set[str]:
    """The labels of one half with what became of them: ``≠ VP mislabelled``."""
    (group,) = [one for one in picture if one.get("class") == half]
    return {
        f"{text} {kind.split()[1]}".replace("\u2009", " ")
        for one in group
        if (kind := one.get("class", "")).startswith("label")
        for text in [one.text or "".join(part.text or "" for part in one if part.tag == "text")]
    }


# --- by hand -----------------------------------------------------------------------------------


def test_one_system() -> None:
    found = page(GOLD, GOOD)
    assert found.row("Bracketing F1")[:2] == ["Bracketing F1", "66.67"]
    assert found.row("Bracketing F1")[-1] == "10 of 15"
    assert found.row("missing in system") == ["missing in system", "1"]
    assert found.row("VP")[1:7] == ["3", "1", "1", "1", "·", "1"]
    assert found.row("VP → X") == ["VP → X", "1", "33.3 %"]
    assert found.row("VB → NN") == ["VB → NN", "1", "33.3 %"]
    assert "1 sentence has words on one side only, and no picture: 3" in found.text
    assert found.text.count("treelens|v:") == 2


def test_several_systems_stand_side_by_side() -> None:
    found = page(GOLD, GOOD, BAD, GOLD)
    heads, row = next(
        (rows[0], row)
        for rows in [found.rows]
        for row in rows
        if row[0] == "Bracketing F1" and len(row) == 4
    )
    assert heads[1:] == ["system1.mrg", "system2.mrg", "system3.mrg"]
    assert [cell.split()[0] for cell in row[1:]] == ["66.67", "82.35", "100.00"]
    assert "system2.mrg minus system1.mrg" in found.text
    assert "<b>100.00</b>" in found.source
    marks = {re.sub(r"[-\d.]+", "0", tag[1]["d"] or "") for tag in found.tags
             if tag[0] == "path" and tag[1].get("class") == "mark"}  # fmt: skip
    assert len(marks) == 3, "each system's marks have a shape of their own"


def test_many_systems_are_compared_in_one_table() -> None:
    found = page(GOLD, GOOD, BAD, GOLD, GOOD)
    first = next(at for at, row in enumerate(found.rows) if row[:2] == ["system1.mrg", ""])
    rows = [[cell.split()[:1] for cell in row[1:]] for row in found.rows[first : first + 4]]
    assert rows[0] == [[], ["−15.69"], ["−33.33"], ["0.00"]]
    assert rows[2] == [["+33.33"], ["+17.65"], [], ["+33.33"]]
    assert "system4.mrg minus system3.mrg" in found.text


def test_gold_is_drawn_over_system() -> None:
    (first,) = trees(page(GOLD, GOOD))
    assert labelled(first, "upper") == {"S matched", "NP matched", "≠ VP mislabelled"}
    assert labelled(first, "lower") == {"S matched", "NP matched", "≠ X mislabelled"}
    (second, *_) = trees(page(GOLD, BAD))
    assert labelled(second, "upper") == {"S matched", "× NP crossing", "− VP missing"}
    assert labelled(second, "lower") == {"S matched", "× VP crossing"}


def test_words_that_differ_are_written_on_either_side() -> None:
    (picture,) = trees(page("(S (MD can) (RB not) (VB go))", "(S (MD cannot) (VB go))"))
    upper, lower = picture[1], picture[2]
    words = [
        [text.text for one in half if "word" in one.get("class", "") for text in one.iter("text")]
        for half in (upper, lower)
    ]
    assert words == [["can", "not", "go"], ["cannot", "go"]]


def test_what_is_alike_in_a_long_sentence_is_one_triangle() -> None:
    inside = "(NP (DT a) (NP (JJ big) (NN dog)))"
    rest = " ".join(f"(X w{at})" for at in range(12))
    (picture,) = trees(page(f"(S {inside} (VP {rest}))", f"(S {inside} (NP {rest}))"))
    assert len(list(picture.iter("polygon"))) == 2
    texts = [text.text for text in picture.iter("text")]
    assert texts.count("a big dog") == 1
    assert texts.count("NP") == 2, "one above, one below: what is inside is not drawn"


def test_what_no_score_tells_apart_is_no_reason_to_hide_it() -> None:
    gold = "(NP (DT a) (NP-SBJ (JJ big) (NN dog)))"
    rest = " ".join(f"(X w{at})" for at in range(12))
    system = gold.replace("SBJ", "OB1")
    (picture,) = trees(page(f"(S {gold} (VP {rest}))", f"(S {system} (NP {rest}))"))
    assert {"NP-SBJ", "NP-OB1"} <= {text.text for text in picture.iter("text")}


ROW = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n"


def table(*rows: tuple[str, int, str]) -> str:
    return "".join(ROW.format(at, *row) for at, row in enumerate(rows, 1)) + "\n"


def test_dependencies_are_arcs_above_and_below() -> None:
    gold = table(("she", 2, "nsubj"), ("saw", 0, "root"), ("it", 2, "obj"), ("there", 2, "advmod"))
    system = table(
        ("she", 2, "nsubj"), ("saw", 0, "root"), ("it", 2, "iobj"), ("there", 3, "advmod")
    )
    found = page(gold, system)
    (picture,) = [svg for svg in found.pictures if svg.get("class") == "picture arcs"]
    assert labelled(picture, "upper") == {
        "nsubj matched", "root matched", "≠ obj mislabelled", "− advmod missing",
    }  # fmt: skip
    assert labelled(picture, "lower") == {
        "nsubj matched", "root matched", "≠ iobj mislabelled", "+ advmod extra",
    }  # fmt: skip
    assert found.row("LAS")[1] == "50.00"
    assert "obj → iobj" in found.text


def test_labels_on_arcs_stay_apart() -> None:
    words = [(f"w{at}", 3 if at != 3 else 0, "a-long-relation") for at in range(1, 9)]
    crossing = [("w1", 3, "x"), ("w2", 4, "x"), ("w3", 0, "x"), ("w4", 3, "x"), ("w5", 2, "x")]
    for rows in (words, crossing):
        (picture,) = [
            svg
            for svg in page(table(*rows), table(*[(w, 0, "y") for w, _, _ in rows])).pictures
            if svg.get("class") == "picture arcs"
        ]
        boxes = [
            tuple(float(box.get(key, "")) for key in ("x", "y", "width", "height"))
            for half in picture
            for one in half
            if one.get("class", "").startswith("label")
            for box in one.iter("rect")
        ]
        assert len(boxes) >= len(rows)
        for (x, y, w, h), (a, b, c, d) in itertools.combinations(boxes, 2):
            assert x + w <= a or a + c <= x or y + h <= b or b + d <= y


def test_right_to_left_text_runs_from_the_right() -> None:
    gold = (EXAMPLES / "hebrew.gold.mrg").read_text(encoding="utf-8")
    system = (EXAMPLES / "hebrew.system.mrg").read_text(encoding="utf-8")
    found = page(gold, system)
    for picture in trees(found):
        (upper,) = [one for one in picture if one.get("class") == "upper"]
        words = [t for one in upper if "word" in one.get("class", "") for t in one.iter("text")]
        assert all(word.get("direction") == "rtl" for word in words)
        places = [float(word.get("x", "")) for word in words]
        assert places == sorted(places, reverse=True)
    assert re.search(r"<bdi>[^<]*“[^<]*[\u05d0-\u05ea]", found.source), "messages are isolated"


def test_how_many_sentences_are_drawn() -> None:
    gold = "(S (A a) (B b))\n" * 7
    system = "(S (X (A a) (B b)))\n" * 7
    assert len(trees(page(gold, system, worst=3))) == 3
    assert "4 more sentences differ" in page(gold, system, worst=3).text
    assert trees(page(gold, system, worst=0)) == []
    assert "Nothing differs" in page(gold, gold).text


def test_the_worst_sentences_are_those_furthest_below_the_corpus_for_their_size() -> None:
    good, bad = "(S (A a) (B b))", "(S (X (A a)) (B b))"
    spans = " ".join(f"(N (w w{at}))" for at in range(20))
    others = " ".join(f"(M (w w{at}))" for at in range(20))
    gold = "\n".join([bad, good, f"(S {spans})", bad])
    system = "\n".join([good, good, f"(S {others})", good])
    _, (scored,) = reported(gold, system)
    ratio = headlines(scored.metrics)[0]
    assert worst(AtHand(scored), ratio, 10).places.group.tolist() == [2, 0, 3]
    assert worst(AtHand(scored), ratio, 2).places.group.tolist() == [2, 0]


def test_trees_that_nobody_could_look_at_are_not_drawn() -> None:
    deep = "(A " * 3000 + "(N n)" + ")" * 3000
    wide = "(S " + " ".join(f"(T{at} w)" for at in range(4000)) + ")"
    found = page(f"{deep}\n{wide}", f"(B {deep})\n{wide.replace('T1 ', 'X ')}")
    assert trees(found) == []
    assert found.text.count("Too large to be drawn") == 2
    assert len(found.source) < 200_000


def test_hostile_shapes_take_bounded_time_and_room() -> None:
    names = "".join(f"(S{at} (T{at} w{at}))\n" for at in range(3000))
    nested = "(A " * 400 + " ".join(f"(N n{at})" for at in range(4000)) + ")" * 400
    long = f"(S (NP (NN {'x' * 300_000})) ({'L' * 300_000} (VB y)))"
    gold = names + nested + "\n" + long
    found = page(gold, gold.replace("(S", "(Z").replace("(A (A", "(B (A").replace("(L", "(M"))
    assert len(found.source) < 200_000
    assert "others" in found.text


def test_empty_files() -> None:
    for gold, system in (("", ""), (GOLD, ""), (GOLD, "(())\n(())\n"), ("(())", GOLD)):
        found = page(gold, system)
        assert found.row("Bracketing F1")[1] in ("0.00", "–")


def test_a_tree_by_itself() -> None:
    words = [
        DrawnWord((word,), "T", at, at + 1, parent=1 if at else 0) for at, word in enumerate("abc")
    ]
    half = trees_of.DrawnTree(
        [trees_of.DrawnNode("S", 0, 3, -1), trees_of.DrawnNode("<VP>", 1, 3, 0)], words
    )
    band = Band(trees_of.tree_layer(half))
    picture = stacked("A tree", "trees", [band], right_to_left=False)
    drawn = ET.fromstring(picture.svg())
    assert [text.text for text in drawn.iter("text")] == ["S", "<VP>", *"TaTbTc"]
    assert next(group.get("class") for group in drawn.iter("g")) == "upper"
    (low, high) = (float(text.get("y") or 0) for text in list(drawn.iter("text"))[:2])
    assert low < high, "the root stands above"


@pytest.mark.parametrize(("word", "right_to_left"), [("long-word", False), ("מילהארוכה", True)])
def test_wide_pictures_are_printed_in_strips(word: str, right_to_left: bool) -> None:
    gold = "(S " + " ".join(f"(N {word}{at})" for at in range(40)) + ")"
    found = page(gold, gold.replace("(N ", "(M "))
    (picture,) = trees(found)
    strips = [
        [float(value) for value in (svg.get("viewBox") or "").split()]
        for svg in found.pictures
        if svg.get("class") == "strip"
    ]
    assert len(strips) > 3
    assert all(strip[2] <= 680 for strip in strips)
    if right_to_left:
        strips.reverse()
    assert strips[0][0] == 0
    assert sum(strips[-1][::2]) == pytest.approx(float(picture.get("width") or 0), abs=2)
    for one, other in itertools.pairwise(strips):
        assert one[0] + one[2] - other[0] == pytest.approx(60, abs=2)


def test_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLES / f"garden.{side}.mrg") for side in ("gold", "system")]
    assert main(["score", *files, "--format", "html", "--worst", "2"]) == 0
    found = Page(capsys.readouterr().out)
    assert found.row("Bracketing F1")[1] == "90.45"
    assert len(trees(found)) == 2


# --- safe --------------------------------------------------------------------------------------

NASTY = "</style></script><script>alert(1)</script><img/src=x/onerror=alert(1)>\"'&amp;<!--"


def assert_harmless(found: Page) -> None:
    """Only our own elements and attributes, one script, and nothing from elsewhere."""
    names = [tag for tag, _ in found.tags]
    assert names.count("script") == names.count("style") == 1
    assert not {"img", "link", "iframe", "object", "image", "base"} & set(names)
    for _, attributes in found.tags:
        assert not any(key.startswith("on") or key in ("src", "style") for key in attributes)
        assert all((value or "").startswith("#") for key, value in attributes.items()
                   if key in ("href", "xlink:href"))  # fmt: skip
    assert "<!--" not in found.source
    assert "url(" not in found.source
    assert "@import" not in found.source
    for picture in found.pictures:
        assert {part.tag for part in picture.iter()} <= {
            "svg", "title", "g", "path", "rect", "text", "circle", "polygon", "polyline", "use",
        }  # fmt: skip


def test_hostile_text_is_text() -> None:
    word = NASTY.replace("(", "[").replace(")", "]")
    gold = f'(S (NP<b>& (NN"onload=x {word})) (VP (VB b)))\n(S (NP (N \x00\ud800\u202ex)))'
    system = f"(S ({word} (NN {word})) (X'\" (VB b)))\n(S (VP (N \x00\ud800\u202ex)))"
    found = page(gold, system, system, names=(NASTY, f"a/{NASTY}", "b/\u202e\ud800\x1b[0m"))
    assert_harmless(found)
    assert "</style></script><script>" in found.text
    assert "a/</style></script><script>alert(1)</script><img/src=x/onerror=alert(1)>" in found.text
    assert "\u202e" not in found.source
    found.source.encode("utf-8")


@examples(30)
@given(hostile, hostile, st.text(max_size=20))
def test_any_text_makes_a_page(gold: str, system: str, name: str) -> None:
    assert_harmless(page(gold, system, names=(name, name)))


def test_only_its_own_script_may_run() -> None:
    found = page(GOLD, BAD)
    (policy,) = [
        attributes["content"] or ""
        for tag, attributes in found.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    (script,) = re.findall(r"<script>(.*?)</script>", found.source, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith(f"script-src 'sha256-{digest}'")


# --- laws --------------------------------------------------------------------------------------


@examples(30)
@given(pairs(), st.sampled_from(list(PRESETS.values())), st.integers(0, 3))
def test_the_page_has_the_numbers_of_the_pair(
    trees: tuple[list[str], list[str]], parameters: object, worst: int
) -> None:
    found, (scored,) = reported(*map("\n".join, trees), parameters=parameters)  # type: ignore[arg-type]
    text = "\n".join(html(found, worst))
    assert text == "\n".join(html(found, worst))
    read = Page(text)
    for score in scored.scores():
        row = read.row(score.ratio.title)
        assert (row[1], row[-1]) == (number(score), score.counted)
    assert len([svg for svg in read.pictures if svg.get("class") == "picture trees"]) <= worst


@examples(40)
@given(pairs(most=2), st.booleans())
def test_nothing_is_drawn_over_something_else(
    trees: tuple[list[str], list[str]], as_tables: bool
) -> None:
    gold, system = map("\n".join, trees)
    if as_tables:
        heads = [len(gold) % 3, 1, len(system) % 4, 2, 0]
        gold = table(*((f"w{at}", head, "x" * at) for at, head in enumerate(heads)))
        system = table(*((f"w{at}", head, "y" * at) for at, head in enumerate(heads[::-1])))
    for picture in page(gold, system).pictures:
        if not (picture.get("class") or "").startswith("picture"):
            continue
        wide, high = (float(picture.get(key) or 0) for key in ("width", "height"))
        boxes = [
            tuple(float(box.get(key, "")) for key in ("x", "y", "width", "height"))
            for box in picture.iter("rect")
        ]
        for x, y, w, h in boxes:
            assert x >= -1
            assert x + w <= wide + 1
            assert y >= -1
            assert y + h <= high + 1
        for (x, y, w, h), (a, b, c, d) in itertools.combinations(boxes, 2):
            # (A word's tag stands between the word and the labels of its own tree.)
            assert x + w <= a + 1 or a + c <= x + 1 or y + h <= b + 1 or b + d <= y + 1


@pytest.mark.parametrize("name", ["garden", "harbour", "hebrew"])
def test_identifiers_and_headers(name: str) -> None:
    texts = [
        (EXAMPLES / f"{name}.{side}.mrg").read_text(encoding="utf-8") for side in ("gold", "system")
    ]
    found = page(texts[0], texts[1], texts[0])
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    links = [(attributes.get("href") or "")[1:] for tag, attributes in found.tags if tag == "a"]
    assert len(set(ids)) == len(ids)
    links += [(attributes.get("href") or "")[1:] for tag, attributes in found.tags if tag == "use"]
    assert set(links) <= set(ids)
    assert all("scope" in attributes for tag, attributes in found.tags if tag == "th")
    assert all(
        "aria-hidden" in attributes or attributes.get("role") == "img"
        for tag, attributes in found.tags
        if tag == "svg"
    )
