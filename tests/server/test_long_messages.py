"""No message holds up those behind it for longer than it takes to read, whatever it is full of."""

from __future__ import annotations

from typing import Any

import pygls.protocol
import pytest
from test_shares import Wire
from treelens_server import protocol, records
from treelens_server.limits import LONGEST_LIST
from treelens_server.records import decoded

ONE = "untitled:one"
PLACE = {"line": 0, "character": 6}


def test_a_list_of_nonsense_is_refused_at_the_first_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Any] = []

    def reading(value: Any, _: object = None) -> Any:
        read.append(value)
        raise TypeError

    monkeypatch.setattr(protocol, "said", reading)
    wire = Wire()
    wire.open(ONE, "(S (N a)\n")
    identity = {"uri": ONE, "version": 2}
    changes = [{"range": {"start": "x", "end": "x"}, "text": ""}] * 1000
    wire.tell("textDocument/didChange", {"textDocument": identity, "contentChanges": changes})
    assert read == ["x"]


def test_a_message_that_nobody_knows_is_not_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Any] = []
    monkeypatch.setattr(pygls.protocol, "_dict_to_object", taken.append)
    wire = Wire()
    wire.tell("no/such", {"x": [{}]})
    assert taken == []


def test_of_more_places_than_anybody_has_carets_none_is_believed() -> None:
    wire = Wire()
    wire.open(ONE, "(S (N a))\n")
    for number, answered in ((2, 2), (LONGEST_LIST + 1, 0)):
        asked = {"textDocument": {"uri": ONE}, "positions": [PLACE] * number}
        assert len(wire.ask("textDocument/selectionRange", asked)) == answered


@pytest.mark.parametrize(
    ("type_", "field", "one"),
    [
        (records.VisibleParams, "ranges", {"start": PLACE, "end": PLACE}),
        (records.ConfiguredParams, "uris", "file:///a"),
    ],
)
def test_a_list_that_is_too_long_is_refused_unread(type_: object, field: str, one: object) -> None:
    longest = [one] * LONGEST_LIST
    decoded({"uri": "file:///a", field: longest}, type_)
    with pytest.raises(ValueError, match=rf"length <= {LONGEST_LIST}.*\.{field}"):
        decoded({"uri": "file:///a", field: [*longest, object()]}, type_)
