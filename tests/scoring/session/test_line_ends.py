"""What is said in lines is the same whichever breaks a text has, and behind a byte order mark."""

from __future__ import annotations

import pytest
from conll_texts import tables
from hypothesis import example, given
from hypothesis import strategies as st
from treelens.consistency.found import texts_before
from treelens.edits.deps import part_at
from treelens.session.document import Document, document
from treelens.session.review import Reviews
from treelens.session.sentence_ids import sent_id
from treelens.session.sentence_names import digest, sentence_key
from treelens.session.sidecar import Sidecar
from treelens.trees.forest import Symbols, encode

ENDS = ("\n", "\r\n", "\r", "\r\n\ufeff")
REVIEWED = """\
# newdoc id = a
# sent_id = a1
# treelens_review = question 01234567
# treelens_note = why?
# treelens_about = 1 root we: here
1\twe\t_\tX\t_\t_\t0\troot\t0:root\t_
2\tgo\t_\tX\t_\t_\t1\tdep\t1:dep\t_

# newdoc id = b
# sent_id = b1
1\twe\t_\tX\t_\t_\t0\troot\t0:root\t_

"""


def ended(text: str, ends: str) -> Document:
    """A text with other line breaks, and a byte order mark if one is named with them."""
    mark = ends[len(ends.rstrip("\ufeff")) :]
    return document(encode(mark + text.replace("\n", ends.rstrip("\ufeff"))), Symbols())


def said(of: Document) -> list[object]:
    """What the lines of each sentence say."""
    memory, before = Reviews(), texts_before(of)
    return [
        (
            sent_id(of, sentence),
            sentence_key(of, sentence),
            digest(of, sentence),
            memory.review(of, Sidecar(), sentence),
            [(note.about, note.text) for note in memory.notes(of, Sidecar(), sentence)],
            int(before[sentence]),
        )
        for sentence in range(len(of))
    ]


@example(REVIEWED)
@example("; id: q1\n(S (N we))\n; id: q2\n(S (N you))\n")
@given(st.lists(tables(rich=True), min_size=1, max_size=3).map("".join))
def test_what_is_said_of_sentences(text: str) -> None:
    first, *others = (said(ended(text, ends)) for ends in ENDS)
    assert first
    assert others == [first] * len(others)


@pytest.mark.parametrize("ends", ENDS)
def test_whose_dependency_one_is(ends: str) -> None:
    of = ended(REVIEWED, ends)
    at = of.text().index(b"1:dep")
    part = part_at(of, 0, (at, at + len(b"1:dep")))
    assert part is not None
    assert part.id == "2"
