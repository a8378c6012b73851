"""A file beside itself as it was committed: spoken of by that name, and never edited."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from drawn import drawn
from treelens.present.actions import actions, prepared, sentence_recipe
from treelens.present.diagnostics import diagnostics
from treelens.present.hints import hints
from treelens.present.lenses import lenses, title
from treelens.present.names import short_name
from treelens.present.revisions import revision
from treelens.session.document import document
from treelens.session.pair import Side, pair
from treelens.session.session import Link, Session, Snapshot
from treelens.trees.forest import encode

OLD = "(S (NP (D the) (N cat)) (VP (V sat)))\n"
NEW = "(S (NP (D the) (N cat)) (PP (V sat)))\n"


def committed(ref: object, path: str = "/trees/my cats.mrg") -> str:
    return f"git:{quote(path)}?{quote(json.dumps({'path': path, 'ref': ref}))}"


def side_by_side(old: str = OLD, new: str = NEW) -> tuple[Snapshot, Snapshot]:
    """The last commit, and the working file."""
    session, names = Session(), (committed("HEAD"), "file:///trees/my%20cats.mrg")
    for name, text in zip(names, (old, new), strict=True):
        session.put(name, document(encode(text), session.symbols))
    session.link([Link(*names)])
    for job in session.jobs():
        session.settle(job, pair(job.gold, job.system))
    gold, system = map(session.snapshot, names)
    assert gold is not None
    assert system is not None
    return gold, system


@pytest.mark.parametrize(
    ("ref", "shown"),
    [
        ("HEAD", "last commit"),
        ("", "staged"),
        ("~", "staged"),
        ("main", "main"),
        ("0123456789abcdef0123456789abcdef01234567", "0123456"),
        (None, "staged"),
    ],
)
def test_a_revision_is_called_what_it_is(ref: object, shown: str) -> None:
    assert revision(committed(ref)) == shown
    assert short_name(committed(ref)) == f"my cats.mrg ({shown})"


@pytest.mark.parametrize("name", ["git:/a.mrg", "git:/a.mrg?%", "git:/a.mrg?3", "git:/a.mrg?[]"])
def test_a_name_that_does_not_say_which_revision_has_a_name(name: str) -> None:
    assert short_name(name) == "a.mrg (staged)"


def test_other_names_are_no_revisions() -> None:
    assert revision("file:///git/a.mrg") is None
    assert short_name("file:///git/a%20b.mrg") == "a b.mrg"


def test_messages_name_the_commit_and_the_working_file() -> None:
    gold, system = side_by_side()
    (here,), (there,) = diagnostics(system), diagnostics(gold)
    assert drawn(NEW, [(here.start, here.end, here.message)]).splitlines()[1].strip() == (
        "^^^ the last commit has VP here, not PP, over “sat”"
    )
    assert there.message == "the working file has PP here, not VP"
    assert here.related[0].message == there.message
    assert [one.tooltip for one in hints(system, 0, 40)] == [here.message]
    (lens,) = lenses(system)
    text = title(system, lens.sentence, lens.other)
    assert text.startswith("last commit · F1 66.67 · ")
    assert text.endswith(" · 1 label")


def test_what_the_treebank_says_of_gold_stays() -> None:
    old = "(S (N gold) (V has))\n"
    _, system = side_by_side(old, "(S (P gold) (V has))\n")
    (found,) = diagnostics(system)
    assert found.message == "the last commit has N for “gold”, not P"
    gold, _ = side_by_side(old + OLD, old)
    assert [one.message for one in diagnostics(gold)] == [
        "the working file has no such sentence at this place"
    ]
    assert title(gold, 1, 0).endswith("not in the working file")


def test_the_working_file_can_take_what_was_committed_and_never_the_other_way_round() -> None:
    gold, system = side_by_side()
    place = NEW.index("(PP")
    titles = [one.title for one in actions(system, place, place, asked=False)]
    assert titles[0] == "Take the last commit’s label VP"
    assert not [one for one in titles if "Accept" in one or "gold" in one]
    for one in actions(gold, place, place):
        made = prepared(gold, one.recipe)
        assert made is not None
        assert made.name == system.name
    recipe = sentence_recipe(system, place, Side.GOLD)
    assert recipe is not None
    assert prepared(system, recipe) is None
