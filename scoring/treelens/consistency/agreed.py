"""What was looked at and is right both ways: a text file of the folder, ``treelens.consistent``.

A line a key: its kind, its words, and the labels that are all right there, between tabs; ``_`` is
an edge of the sentence, ``(none)`` no annotation, ``#`` starts a comment. A label that is not in
the line shows the key again. Lines can be merged and written by hand; several of one key are one.
For texts that must not be given away, a digest of the words stands in their place, and of labels
that have words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from treelens.consistency.groups import VariationGroup
from treelens.consistency.options import KINDS

FILE_NAME = "treelens.consistent"
HEADING = "# What is annotated in more than one way, and right: kind, words, labels (Treelens)."
EDGE, NONE = "_", "(none)"
_DIGEST = "sha256:"
_DIGITS = 32
_OF_WORDS = ("texts", "tags:lemma")
"""Kinds whose labels have words of the text."""


class AgreedProblem(NamedTuple):
    """A line, from 1, that is not used, and why."""

    line: int
    message: str


class Agreed:
    """The labels that are right of each key."""

    def __init__(self, source: str = "") -> None:
        self._labels: dict[tuple[str, str], set[str]] = {}
        self.problems: list[AgreedProblem] = []
        for number, line in enumerate(source.removeprefix("\ufeff").splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                self._read(number, line)

    def _read(self, number: int, line: str) -> None:
        kind, *rest = line.split("\t")
        if kind not in KINDS:
            message = f"'{kind}' is none of {', '.join(KINDS)}; the line is left out"
            self.problems.append(AgreedProblem(number, message))
        elif len(rest) < 2:
            message = "kind, words and labels are wanted, between tabs; the line is left out"
            self.problems.append(AgreedProblem(number, message))
        else:
            key, *labels = rest
            self._labels.setdefault((kind, key), set()).update(filter(None, labels))

    def __len__(self) -> int:
        return len(self._labels)

    def covers(self, one: VariationGroup) -> bool:
        """Whether all labels of a group are known to be right."""
        known = self._labels.get((one.kind, key_text(one)), set())
        known = known | self._labels.get((one.kind, digest(one)), set())
        return all(
            _label(label) in known or _digested(_label(label)) in known for label, _ in one.labels
        )

    def but(self, groups: Iterable[VariationGroup]) -> list[VariationGroup]:
        """Those groups of which it is not known."""
        return [one for one in groups if not self.covers(one)] if self._labels else [*groups]


def labels_of(one: VariationGroup) -> list[str]:
    """A group's labels as they are written."""
    return [_label(label) for label, _ in one.labels]


def line(one: VariationGroup, labels: Sequence[str] | None = None, *, digests: bool = False) -> str:
    """What is written of a group all of whose labels are right, or these that it had; without the
    line break."""
    key = digest(one) if digests else key_text(one)
    labels = labels_of(one) if labels is None else [*map(_plain, labels)]
    if digests and one.kind in _OF_WORDS:
        labels = [*map(_digested, labels)]
    return "\t".join([one.kind, key, *labels])


def key_text(one: VariationGroup) -> str:
    """A key as it is written: words with blanks between, those inside a word after a backslash."""
    return " ".join(
        EDGE if word is None else _plain(word).replace("\\", "\\\\").replace(" ", "\\ ")
        for word in one.key
    )


def digest(one: VariationGroup) -> str:
    """A key that says nothing of its words."""
    return _digested(f"{one.kind}\t{key_text(one)}")


def _digested(text: str) -> str:
    import hashlib  # which is only asked for where there are such keys

    data = text.encode("utf-8", "surrogatepass")
    return _DIGEST + hashlib.sha256(data).hexdigest()[:_DIGITS]


def _label(label: str | None) -> str:
    return NONE if label is None else _plain(label)


def _plain(text: str) -> str:
    """On one line, in one field."""
    return " ".join(" ".join(text.split("\t")).splitlines())
