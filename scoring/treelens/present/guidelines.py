"""What breaks the guidelines of Universal Dependencies, at its places; which level is passed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treelens.present.diagnostics import Diagnostic, Severity
from treelens.present.window import is_near, near
from treelens.render.numbers import number_of
from treelens.session.document import Document
from treelens.session.guidelines import Incident, Summary, Validated
from treelens.session.view import View
from treelens.trees.forest import DEPREL, DEPS, FEATS, FORM, HEAD, LEMMA, MISC, UPOS

_BY_TEST = (
    (re.compile("upos$"), UPOS),
    (re.compile("lemma"), LEMMA),
    (re.compile("space|misc|typo"), MISC),
    (re.compile("(?<!e)head|non-tree|proj|roots?"), HEAD),
)
"""The field that a test is about, where that is another one than its class has."""
_BY_CLASS = {"MORPHO": FEATS, "SYNTAX": DEPREL, "ENHANCED": DEPS, "COREF": MISC}


def diagnostics(document: Document, validated: Validated, visible: View) -> Iterator[Diagnostic]:
    """The incidents in view and around it, in text order."""
    whole = is_near(len(document))
    for sentence in near(visible, len(document)):
        found = validated.of(sentence)
        if not found:
            continue
        places = _Places(document, sentence)
        for one in sorted(found):
            start, end = places.of(one)
            severity: Severity = "error" if one.is_error else "warning"
            message = f"{one.message} (UD level {one.level})"
            yield Diagnostic(start, end, severity, one.test, message, link=one.link, listed=whole)


class _Places:
    """Where incidents of a sentence are written."""

    def __init__(self, document: Document, sentence: int) -> None:
        self._document, self._sentence = document, sentence
        self._first = int(document.line[sentence])
        table = document.dependency_tree(sentence)
        words = table.words if table is not None else ()
        self._words = {document.line_at(word.start): word for word in words}

    def of(self, one: Incident) -> tuple[int, int]:
        """The field, or the line where it is no word's."""
        word = self._words.get(self._first + one.line)
        if word is None or one.kind == "METADATA":
            line = self._comment(one.test) if one.kind == "METADATA" else one.line
            start, end = self._document.line_bounds(self._first + line)
            return start, max(end, start + 1)
        start, end = word.fields[_column(one)]
        return (start, end) if end > start else word.fields[FORM]

    def _comment(self, test: str) -> int:
        """The comment that a test is about (validators name the first word), or the first line."""
        about = [name for part, name in _COMMENTS if part in test]
        lines = [*enumerate(self._document.piece_text(self._sentence).split(b"\n"))]
        comments = [(at, text[1:].split(b"=")[0].strip()) for at, text in lines if text[:1] == b"#"]
        first = next((at for at, text in lines if text.strip()), 0)
        return next((at for at, name in comments if name in about), first)


_COMMENTS = (
    ("sent-id", b"sent_id"),
    ("parallel-id", b"parallel_id"),
    ("newdoc", b"newdoc"),
    ("newpar", b"newpar"),
    ("text", b"text"),
)


def _column(one: Incident) -> int:
    by_test = (column for pattern, column in _BY_TEST if pattern.search(one.test))
    return next(by_test, _BY_CLASS.get(one.kind, FORM))


def status(found: Summary, level: int) -> str:
    """For the status bar: “UD 5 ✓”, “UD 2 of 5”; an ellipsis while not all is known."""
    passed = f"UD {level} ✓" if found.passed == level else f"UD {found.passed} of {level}"
    return f"{passed} …" if found.left else passed


def detail(found: Summary, level: int) -> str:
    """The same in words."""
    said = f"level {found.passed} of {level} is passed" if found.passed else "no level is passed"
    more = [number_of(found.errors, "error"), number_of(found.warnings, "warning")]
    if found.left:
        more.append(f"{number_of(found.left, 'sentence')} not looked at yet")
    return f"Universal Dependencies: {said}; {', '.join(more)}"
