"""What changed in a stretch as bytes, to be written down and looked into again."""

from __future__ import annotations

from typing import Any

from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.wording import Said
from treelens.errors.error import Error
from treelens.session.changes import Change, ChangedStretch


def written(stretch: ChangedStretch) -> bytes:
    """As an array of JSON: of tuples it makes arrays itself."""
    import json  # which small files do without

    return json.dumps(stretch, default=_plain).encode()


def stretch_of(data: bytes) -> ChangedStretch:
    """The stretch whose bytes these are."""
    import json

    gold, old, new, length, differences, errors = json.loads(data)
    return ChangedStretch(
        range(*gold),
        range(*old),
        range(*new),
        length,
        tuple(
            Change(fate, _finding(before), _finding(after), first, end)
            for fate, before, after, first, end in differences
        ),
        tuple(
            Change(fate, _error(before), _error(after), first, end)
            for fate, before, after, first, end in errors
        ),
    )


def _plain(value: Any) -> list[Any]:
    if isinstance(value, range):
        return [value.start, value.stop]
    assert isinstance(value, Finding | Error), value
    return [getattr(value, name) for name in value.__slots__]


def _finding(value: Any) -> Finding | None:
    if value is None:
        return None
    code, gold, system = value
    return Finding(code, gold and _mark(gold), system and _mark(system))


def _error(value: Any) -> Error | None:
    if value is None:
        return None
    kind, said, direction, *rest, gold, system = value
    gold_label, system_label, brackets, words = rest
    return Error(
        kind,
        Said(*said),
        direction,
        gold_label,
        system_label,
        brackets,
        words,
        tuple(map(_mark, gold)),
        tuple(map(_mark, system)),
    )


def _mark(value: Any) -> Mark:
    sentence, start, end, span, text, words, size = value
    return Mark(sentence, start, end, tuple(span), text, tuple(words), size)
