"""Taking what the other table of words has: laws over random pairs, and numbering by hand."""

from __future__ import annotations

from random import Random

import pytest
from edit_laws import check, check_alike, paired, perfect
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from tables import table_pairs, tables
from treelens.edits.rows import merge_words, read_table, split_word, without, written
from treelens.edits.take import (
    after_edits,
    take,
    take_everything,
    take_sentence,
    take_whole,
)
from treelens.edits.text import applied
from treelens.session.pair import Side
from treelens.trees.forest import encode

sides = st.sampled_from(list(Side))
broken = st.text(alphabet="1230-.\t\n\r_# a:|", max_size=60)


@examples(20)
@given(table_pairs(most=3), sides)
def test_a_sentence_that_takes_every_finding_is_right(
    texts: tuple[list[str], list[str]], into: Side
) -> None:
    found = paired(*map("".join, texts))
    for group in range(len(found)):
        if found.findings(group):
            for way in (take_sentence, take_whole):
                edits = way(found, group, into)
                assert edits
                check(found, group, into, edits)


@given(table_pairs(most=1), sides)
def test_a_sentence_by_itself_is_right_once_everything_is_taken(
    texts: tuple[list[str], list[str]], into: Side
) -> None:
    found = paired(*map("".join, texts))
    for way in (take_sentence, take_whole):
        now = found
        for group in reversed(range(len(found))):
            if found.findings(group):
                now = after_edits(now, into, way(found, group, into) or ())
        assert all(perfect(now, group) for group in range(len(now)))


@examples(20)
@given(table_pairs(most=2), sides, st.randoms(use_true_random=False))
def test_findings_taken_one_after_the_other_come_to_an_end(
    texts: tuple[list[str], list[str]], into: Side, chance: Random
) -> None:
    found = paired(*map("".join, texts))
    for _ in range(200):
        if not found.mismatches:
            break
        group = int(found.mismatching().nonzero()[0][0])
        findings = list(found.findings(group))
        chance.shuffle(findings)
        takes = (take(found, group, finding, into) for finding in findings)
        edits = next((edits for edits in takes if edits), None)
        edits = edits or take_whole(found, group, into)
        assert edits
        check(found, group, into, edits)
        found = after_edits(found, into, edits)
    assert not found.mismatches
    assert all(perfect(found, group) for group in range(len(found)))


@given(table_pairs(most=3), sides)
def test_a_file_that_takes_everything_is_the_other(
    texts: tuple[list[str], list[str]], into: Side
) -> None:
    found = paired(*map("".join, texts))
    assert not after_edits(found, into, take_everything(found, into)).mismatches


def test_sentences_go_in_where_those_behind_an_empty_line_go() -> None:
    row = "1\t{0}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    other, same = row.format("unlike"), row.format("another")
    found = paired(other + same, "\n# what is not the other's\n1\tgone\n\n" + same)
    now = after_edits(found, Side.SYSTEM, take_everything(found, Side.SYSTEM))
    assert not now.mismatches
    assert now.system.text().count(b"unlike") == 1


# --- numbering -----------------------------------------------------------------------------


def test_a_table_of_eight_columns_keeps_them() -> None:
    lines = ["1\tcannot\tcan\tAUX\t_\t_\t2\taux", "2\tgo\tgo\tVERB\t_\t_\t0\troot", ""]
    table = read_table("\n".join(lines).encode())
    assert table
    split_word(table, table.words[0], [b"can", b"not"])
    assert written(table).decode().splitlines() == [
        "1\tcan\tcan\tAUX\t_\t_\t3\taux",
        "2\tnot\tnot\tAUX\t_\t_\t1\tgoeswith",
        "3\tgo\tgo\tVERB\t_\t_\t0\troot",
    ]


@given(st.one_of(tables(), broken))
def test_a_table_that_is_not_changed_is_written_as_it_was(text: str) -> None:
    source = encode(text)
    table = read_table(source)
    assert table is None or written(table) == source


@given(tables())
def test_well_formed_tables_are_read(text: str) -> None:
    assert read_table(encode(text))


@given(tables(), st.data())
def test_words_that_are_split_and_merged_again_are_as_they_were(
    text: str, data: st.DataObject
) -> None:
    source = encode(text)
    table = read_table(source)
    assert table
    row = data.draw(st.sampled_from(table.words))
    split_word(table, row, [row.fields[1][:1], row.fields[1][1:]])
    changed = read_table(written(table))
    assert changed
    assert len(changed.words) == len(table.words)
    at = table.words.index(row)
    merge_words(table, row, table.words[at + 1])
    assert written(table) == source


def line(number: str, form: str, head: str, deps: str = "_") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t{deps}\t_\n"


def test_everything_is_renumbered_when_a_word_goes() -> None:
    text = (
        "# sent_id = 1\n"
        + line("1", "a", "4", "4:dep|4.1:x")
        + line("2", "b", "0")
        + line("3-4", "cd", "_")
        + line("3", "c", "2", "2:dep")
        + line("4", "d", "3")
        + line("4.1", "e", "_", "3:y")
    )
    table = read_table(encode(text))
    assert table
    without(table, [table.words[1]])
    assert written(table).decode() == (
        "# sent_id = 1\n"
        + line("1", "a", "3", "3:dep|3.1:x")
        + line("2-3", "cd", "_")
        + line("2", "c", "0", "0:dep")
        + line("3", "d", "2")
        + line("3.1", "e", "_", "2:y")
    )


@given(table_pairs(most=3), sides, st.data())
def test_all_findings_of_a_kind_are_taken_everywhere(
    texts: tuple[list[str], list[str]], into: Side, data: st.DataObject
) -> None:
    check_alike(paired(*map("".join, texts)), into, data)


@pytest.mark.parametrize("form", ["you\u00a0", "they"])
@pytest.mark.parametrize("into", Side)
def test_a_word_of_a_multiword_token_stays_in_it_when_it_is_another(form: str, into: Side) -> None:
    def token(first: str) -> str:
        lines = ["1-2\tyou're" + "\t_" * 8, line("1", first, "2"), line("2", "'re", "0")]
        return "\n".join([*lines, line("3", "right", "2")]) + "\n\n"

    found = paired(token("you"), token(form))
    edits = take_sentence(found, 0, into)
    assert edits
    after = after_edits(found, into, edits)
    assert after.gold.text() == after.system.text()
    assert len(edits) == 1


# --- IDs that are not in order -------------------------------------------------------------


def four(*numbers: str) -> str:
    words = zip(numbers, "abcd", ("4", "1", "4", "0"), strict=True)
    return "".join(line(number, form, head) for number, form, head in words) + "\n"


@pytest.mark.parametrize("into", Side)
def test_a_head_that_no_number_means_comes_with_its_sentence(into: Side) -> None:
    """Two rows have its ID, which means the first of them and may stand there already."""
    right, twice = four("1", "2", "3", "4"), four("1", "2", "4", "4")
    found = paired(right, twice) if into is Side.SYSTEM else paired(twice, right)
    heads = [one for one in found.findings(0) if one.code == "wrong-head"]
    assert len(heads) == 2
    for finding in heads:
        assert take(found, 0, finding, into) is None
    after = after_edits(found, into, take_sentence(found, 0, into) or ())
    assert after.document(into).text().decode() == right


def test_a_head_whose_number_is_assumed_is_taken_by_that() -> None:
    other = four("1", "2", "3", "4").replace("4\tdep", "3\tdep", 1)
    found = paired(other, four("1", "2", "x", "4"))
    (finding,) = found.findings(0)
    after = after_edits(found, Side.SYSTEM, take(found, 0, finding, Side.SYSTEM) or ())
    assert not after.mismatches
    assert b"\nx\tc" in after.system.text()


@examples(20)
@given(table_pairs(most=2), sides, st.data())
def test_whatever_the_ids_are_what_is_taken_changes_the_text(
    texts: tuple[list[str], list[str]], into: Side, data: st.DataObject
) -> None:
    wrong = st.sampled_from(["1", "2", "3", "9", "0", "x"])
    pairs = []
    for side in texts:
        rows = "".join(side).split("\n")
        words = [at for at, row in enumerate(rows) if row.split("\t")[0].isdigit()]
        for at in data.draw(st.lists(st.sampled_from(words), max_size=2)) if words else ():
            rows[at] = data.draw(wrong) + rows[at][rows[at].index("\t") :]
        pairs.append("\n".join(rows))
    found = paired(*pairs).strictly()
    text = found.document(into).text()
    for group in range(len(found)):
        for finding in found.findings(group):
            edits = take(found, group, finding, into) or take_sentence(found, group, into)
            assert not edits or applied(text, edits) != text
            assert edits or not found.is_takeable
