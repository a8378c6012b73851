"""Sentences of tables cut in two and made one, drawn by hand and as laws over random tables."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from tables import tables
from treelens.edits.rows import read_table
from treelens.edits.sentences import join_tables, running_text, split_table
from treelens.edits.take import take, take_alike, take_everything, take_sentence
from treelens.edits.text import applied
from treelens.session.document import Document, document
from treelens.session.pair import Side, pair
from treelens.trees.forest import DEPREL, MISC, Symbols, decode, encode


def row(number: int, form: str, head: int, relation: str, deps: str = "_", misc: str = "_") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\t{relation}\t{deps}\t{misc}\n"


def read(text: str) -> Document:
    return document(encode(text), Symbols())


def split(text: str, before: str) -> tuple[str, int]:
    recut = split_table(read(text), 0, len(encode(text[: text.index(before)])))
    assert recut
    return decode(applied(encode(text), recut.edits)), recut.reattached


def join(text: str) -> tuple[str, int] | None:
    recut = join_tables(read(text), 0)
    return recut and (decode(applied(encode(text), recut.edits)), recut.reattached)


WHOLE = (
    "# newdoc\n# sent_id = 𝔸\n# text = Gone,  del he said.\n# note\n"
    + row(1, "Gone", 5, "ccomp", "5:ccomp|0:x", "SpaceAfter=No")
    + row(2, ",", 1, "punct", "1:punct")
    + "3-4\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
    + row(3, "he", 5, "nsubj", "5:nsubj|6.1:y")
    + row(4, "l", 3, "case")
    + row(5, "said", 0, "root", "0:root", "SpaceAfter=No")
    + row(6, ".", 1, "punct", "1:punct")
    + "6.1\tx\t_\t_\t_\t_\t_\t_\t5:z\t_\n\n"
)
PARTS = (
    "# newdoc\n# sent_id = 𝔸-1\n# text = Gone,\n# note\n"
    + row(1, "Gone", 0, "root", "0:root|0:x", "SpaceAfter=No")
    + row(2, ",", 1, "punct", "1:punct")
    + "\n# sent_id = 𝔸-2\n# text = del he said.\n"
    + "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
    + row(1, "he", 3, "nsubj", "3:nsubj|4.1:y")
    + row(2, "l", 1, "case")
    + row(3, "said", 0, "root", "0:root", "SpaceAfter=No")
    + row(4, ".", 3, "punct", "3:punct")
    + "4.1\tx\t_\t_\t_\t_\t_\t_\t3:z\t_\n\n"
)


def test_a_cut_renumbers_both_parts_and_hangs_what_has_lost_its_head() -> None:
    assert split(WHOLE, "3-4") == (PARTS, 2)
    assert split(WHOLE, "3\the") == (PARTS, 2)
    other = WHOLE.replace("Gone, ", "Gon, ")  # not the forms' letters: it is made of these
    assert split(other, "3-4") == (PARTS.replace("del he", "del"), 2)


def test_a_text_is_cut_where_its_letters_are() -> None:
    plain = "# text = a b  c\n" + row(1, "a", 0, "root") + row(2, "b", 1, "x") + row(3, "c", 2, "y")
    assert split(plain + "\n", "2\tb") == (
        "# text = a\n" + row(1, "a", 0, "root") + "\n"
        "# text = b  c\n" + row(1, "b", 0, "root") + row(2, "c", 1, "y") + "\n",
        1,
    )


def test_no_cut_within_a_token_nor_before_the_first_word() -> None:
    found = read(WHOLE)
    for line in ("1\tGone", "4\tl", "# note", "# newdoc"):
        assert split_table(found, 0, len(encode(WHOLE[: WHOLE.index(line)]))) is None


def test_two_made_one_have_one_root() -> None:
    one = "# sent_id = a-1\n# text = go.\n" + row(1, "go.", 0, "root", "0:root")
    two = "\n# sent_id = a-2\n# text = we\n# b\n" + row(1, "we", 0, "root", "0:root") + "\n"
    assert join(one + two) == (
        "# sent_id = a\n# text = go. we\n# b\n"
        + row(1, "go.", 0, "root", "0:root")
        + row(2, "we", 1, "parataxis", "1:parataxis")
        + "\n",
        1,
    )
    unlike = join(one + two.replace("a-2", "b"))
    assert unlike
    assert unlike[0].startswith("# sent_id = a-1\n# text = go. we\n# joined_sent_id = b\n# b\n1\t")
    close = join(one.replace("0:root\t_", "0:root\tSpaceAfter=No") + two)
    assert close
    assert "# text = go.we\n" in close[0]


def test_where_a_document_begins_two_stay_two() -> None:
    assert join(row(1, "a", 0, "root") + "\n# newdoc\n" + row(1, "b", 0, "root")) is None
    assert join(row(1, "a", 0, "root")) is None


@given(tables(), st.data())
def test_parts_have_the_words_and_one_root_if_the_whole_had_one(
    text: str, data: st.DataObject
) -> None:
    found = read(text)
    tree, table = found.dependency_tree(0), read_table(encode(text))
    assume(tree and table)
    assert tree
    assert table
    at = data.draw(st.integers(0, len(tree.words) - 1))
    recut = split_table(found, 0, tree.words[at].start)
    if recut is None:
        return
    source = applied(encode(text), recut.edits)
    parts = [read_table(piece + b"\n\n") for piece in source.rstrip().split(b"\n\n")]
    words = [word for part in parts if part for word in part.words]
    assert [len(part.words) for part in parts if part] == [at, len(tree.words) - at]
    keep = [k for k in range(10) if k not in (0, 6, DEPREL, 8)]
    assert [[one.fields[k] for k in keep] for one in words] == [
        [one.fields[k] for k in keep] for one in table.words
    ]
    for part, old in zip(parts, (table.words[:at], table.words[at:]), strict=True):
        assert part
        before = [one for one in old if one.head == b"0"]
        lost = [one for one in old if not isinstance(one.head, bytes) and one.head not in old]
        roots = [one for one in part.words if one.head == b"0"]
        assert len(roots) == (len(before) or min(len(lost), 1))
    # Made one again, it has all words and no more roots than before.
    now = document(source, Symbols())
    again = join_tables(now, 0)
    assert again
    whole = read_table(applied(source, again.edits))
    assert whole
    assert running_text(whole) == running_text(table)
    assert [one.fields[MISC] for one in whole.words] == [one.fields[MISC] for one in table.words]


def test_nothing_of_a_tree_is_taken_into_a_table_or_of_a_table_into_a_tree() -> None:
    symbols = Symbols()
    tree, table = "(S (NP (N a)) (VP (V b)))\n", row(1, "a", 2, "nsubj") + row(2, "b", 0, "root")
    of = pair(*(document(encode(text), symbols) for text in (tree, table)))
    findings = of.findings(0)
    assert findings
    for into in Side:
        assert not any(take(of, 0, finding, into) for finding in findings)
        assert not take_sentence(of, 0, into)
        assert not take_alike(of, into, lambda _: True)
        assert not take_everything(of, into)
