"""Documents after edits of a client, against a string that is cut and joined."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from lines import ENCODINGS, lines_of, texts, units, whole
from lsprotocol import types
from treelens.trees.forest import encode
from treelens_server.documents import Documents
from treelens_server.positions import Encoding

URI = "untitled:one"


class Deaf:
    """A client that is told everything and can do nothing."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.pulls = False

    def can(self, _: str) -> bool:
        return False

    def folders(self) -> list[str]:
        return []

    def __getattr__(self, _: str) -> Any:
        return lambda *arguments, **options: None


def opened(text: str, encoding: Encoding) -> Documents:
    documents = Documents(Deaf(encoding), lambda: None)  # type: ignore[arg-type]
    documents.did_open(types.TextDocumentItem(URI, "penn-treebank", 1, text))
    return documents


def change(documents: Documents, version: int, *changes: Any) -> None:
    identity = types.VersionedTextDocumentIdentifier(version=version, uri=URI)
    documents.did_change(types.DidChangeTextDocumentParams(identity, changes))


def text_of(documents: Documents) -> bytes:
    document = documents.session.document(URI)
    assert document is not None
    return document.text()


def position(text: str, at: int, encoding: Encoding) -> types.Position:
    for number, (start, end) in enumerate(lines_of(text)):
        if start <= at <= end:
            return types.Position(number, units(text[start:at], encoding))
    raise AssertionError("between the two characters of a line end")


@given(texts, st.data(), st.sampled_from(ENCODINGS))
def test_after_any_edits_the_text_is_the_client_s(
    text: str, data: st.DataObject, encoding: Encoding
) -> None:
    documents = opened(text, encoding)
    for version in range(2, 6):
        changes = []
        for _ in range(data.draw(st.integers(1, 2))):
            new = data.draw(texts)
            if data.draw(st.integers(0, 4)) == 0:
                text = new
                changes.append(types.TextDocumentContentChangeWholeDocument(text))
                continue
            places = [at for start, end in lines_of(text) for at in range(start, end + 1)]
            start, end = sorted(data.draw(st.sampled_from(places)) for _ in range(2))
            range_ = types.Range(*(position(text, at, encoding) for at in (start, end)))
            text = whole(text[:start] + new + text[end:])
            changes.append(types.TextDocumentContentChangePartial(range_, new))
        change(documents, version, *changes)
        assert text_of(documents) == encode(text)


@given(texts, st.data(), st.sampled_from(ENCODINGS))
def test_many_changes_at_once_are_the_same_changes_one_by_one(
    text: str, data: st.DataObject, encoding: Encoding
) -> None:
    documents, changes = opened(text, encoding), []
    for _ in range(data.draw(st.integers(33, 36))):
        places = [at for start, end in lines_of(text) for at in range(start, end + 1)]
        start, end = sorted(data.draw(st.sampled_from(places)) for _ in range(2))
        new = data.draw(st.sampled_from(["", "a", "(S (N b))", "\n", "\r", "\n\r", "𝔸", "ß\r\n("]))
        range_ = types.Range(*(position(text, at, encoding) for at in (start, end)))
        text = text[:start] + new + text[end:]
        changes.append(types.TextDocumentContentChangePartial(range_, new))
    change(documents, 2, *changes)
    assert text_of(documents) == encode(text)


def test_a_change_of_nothing_that_is_open_is_ignored() -> None:
    documents = opened("(S (N we))", "utf-16")
    documents.did_close(URI)
    change(documents, 2, types.TextDocumentContentChangeWholeDocument("(S (N you))"))
    documents.did_close(URI)
    assert documents.session.document(URI) is None


def test_an_old_version_is_applied_all_the_same() -> None:
    # The client has made the edit; to leave it out would only make things worse.
    documents = opened("(S (N we))", "utf-16")
    change(documents, 1, types.TextDocumentContentChangeWholeDocument("(S (N you))"))
    assert text_of(documents) == b"(S (N you))"


def test_opening_what_is_open_takes_the_new_text() -> None:
    documents = opened("(S (N we))", "utf-16")
    documents.did_open(types.TextDocumentItem(URI, "penn-treebank", 7, "(S (N you))"))
    assert text_of(documents) == b"(S (N you))"
