"""What is shown of tables: both analyses with the heads' forms, fields, ways to heads, alignment."""

# ruff: noqa: E501 — a message stands where it is drawn

from __future__ import annotations

import pytest
from drawn import alone, cursor, sitting, snapshot
from treelens.present.answering import answering
from treelens.present.counterpart import counterparts
from treelens.present.diagnostics import diagnostics
from treelens.present.folds import folds
from treelens.present.heads import dependents, head
from treelens.present.highlights import highlights
from treelens.present.hints import hints
from treelens.present.hovers import hover
from treelens.present.lenses import lenses, title
from treelens.present.navigate import next_mismatch
from treelens.present.selections import selections
from treelens.present.status import status
from treelens.present.symbols import symbols
from treelens.present.tokens import tokens
from treelens.session.session import Session, Snapshot
from treelens.trees.forest import encode


def table(*rows: str) -> str:
    """A sentence: rows are ``ID FORM TAG FEATURES HEAD RELATION``, comments as they are."""
    lines = []
    for row in rows:
        if row.startswith("#"):
            lines.append(row)
            continue
        number, form, tag, features, above, relation = [*row.split(" "), *["_"] * 4][:6]
        cells = [number, form, "_", tag, "_", features, above, relation, "_", "_"]
        lines.append("\t".join(cells))
    return "\n".join([*lines, "", ""])


GOLD = table(
    "# sent_id = a-1",
    "1 the DET _ 2 det",
    "2 dog NOUN Number=Sing 3 nsubj",
    "3 barks VERB _ 0 root",
    "4 loudly ADV _ 3 advmod",
)
SYSTEM = GOLD.replace("Number=Sing\t3\tnsubj", "Number=Plur\t4\tobj")


def at(text: str, marked: str) -> int:
    """The offset of the ``‸`` in a piece of a text."""
    piece, inside = cursor(marked)
    return len(encode(text[: text.index(piece)])) + inside


def hovered(here: Snapshot, offset: int) -> str:
    found = hover(here, offset)
    assert found is not None
    return found.markdown


def written(text: str, span: tuple[int, int]) -> str:
    return encode(text)[slice(*span)].decode()


def test_hover_on_a_word_has_both_analyses_with_the_forms_of_the_heads() -> None:
    here = snapshot(sitting(GOLD, SYSTEM))
    for place in ("2\td‸og", "2\tdog\t_\tNOUN\t_\tNumber=Sing\t3‸"):
        assert hovered(here, at(GOLD, place)) == (
            "**NOUN** “dog” ← **nsubj** — “barks” (3) · word 2 of 4\n\n"
            "Number=Sing\n\n"
            "→ “the” det\n\n"
            "**system.mrg** has **NOUN** “dog” ← **obj** — “loudly” (4)\n\n"
            "another head · relation obj, not nsubj · Number=Plur, not Number=Sing"
        )
    assert hovered(here, at(GOLD, "3\tba‸rks")) == (
        "**VERB** “barks” ← **root** — the root · word 3 of 4\n\n"
        "→ “dog” nsubj, “loudly” advmod\n\n**system.mrg** has the same"
    )


def test_hover_says_what_no_score_counts() -> None:
    row = "1\tdog\tdog\tNOUN\t_\t_\t0\troot\t{}\t{}\n\n"
    texts = row.format("0:root", "A=1|B=2"), row.format("0:root|1:x", "A=1|B=3")
    for (mine, theirs), told in {
        texts: "\n\nDEPS 1:x besides · MISC B=3, not B=2",
        (texts[0], texts[0]): "has the same",
        (texts[1], texts[0]): "\n\nDEPS without 1:x · MISC B=2, not B=3",
    }.items():
        assert hovered(snapshot(sitting(mine, theirs)), 3).endswith(told)
        # In any sentence, with another number of them before it on either side.
        first = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
        for here, there in ((first, first), (first, ""), ("", first)):
            later = snapshot(sitting(here + mine, there + theirs))
            assert hovered(later, len(here) + 3).endswith(told)


def test_hover_says_the_field_that_it_is_about() -> None:
    here = snapshot(sitting(GOLD, SYSTEM))
    found = hover(here, at(GOLD, "3\tns‸ubj"))
    assert found is not None
    assert written(GOLD, (found.start, found.end)) == "nsubj"


def test_hover_on_a_comment_has_the_sentence_s_numbers_and_at_the_first_the_file_s() -> None:
    text = hovered(snapshot(sitting(GOLD, SYSTEM)), 3)
    assert text.startswith("**Sentence 1** of 1 · 4 words · a-1\n\n> the dog barks loudly\n\n")
    assert "against **system.mrg**: 1 head · 1 relation · 1 morphology" in text
    assert "| LAS | **75.00** | 75.00 (3/4) | 75.00 (3/4) |" in text
    assert "LA 75.00, CLAS 66.67" in text
    assert "0 of 1 sentences have a lower LAS" in text
    assert "**All sentences**" in text


def test_without_comments_the_first_id_stands_for_the_sentence() -> None:
    gold = GOLD.replace("# sent_id = a-1\n", "")
    here = snapshot(sitting(gold, gold))
    assert hovered(here, 0).startswith("**Sentence 1** of 1")
    assert hovered(here, at(gold, "1\tt‸he")).startswith("**DET** “the”")


def test_lenses_stand_above_the_comments() -> None:
    here = snapshot(sitting(GOLD + GOLD, SYSTEM + GOLD))
    assert [one.offset for one in lenses(here)] == [0, len(GOLD)]
    first, second = (title(here, one.sentence, one.other) for one in lenses(here))
    assert first.startswith("LAS 75.00 · UAS 75.00 · TedEval ")
    assert first.endswith(" · 1 head · 1 relation · 1 morphology")
    assert second == "LAS 100.00 · UAS 100.00 · TedEval 100.00 · no mismatch"


def test_the_status_has_attachment_scores() -> None:
    session = sitting(GOLD, SYSTEM)
    (link,) = session.links
    pair = session.pair(link)
    assert pair is not None
    found = status(link, pair)
    assert found.score.startswith("LAS 75.00 · UAS 75.00 · TedEval ")
    assert "UPOS 100.00" in found.detail
    assert "UAS" in found.detail


def test_marks_are_on_the_fields() -> None:
    found = diagnostics(snapshot(sitting(GOLD, SYSTEM)))
    marked = [(one.code, written(GOLD, one[:2]), one.message) for one in found]
    assert marked == [
        ("wrong-morphology", "Number=Sing", "system has Number=Plur for “dog”, not Number=Sing"),
        ("wrong-head", "3", "system attaches “dog” to “loudly”, not to “barks”"),
        ("wrong-relation", "nsubj", "system has obj for “dog”, not nsubj"),
    ]
    related = [written(SYSTEM, (one.start, one.end)) for each in found for one in each.related]
    assert related == ["Number=Plur", "4", "obj"]


def test_hints_have_what_the_other_file_has_and_heads_on_demand() -> None:
    here = snapshot(sitting(GOLD, SYSTEM))
    found = [one.text for one in hints(here, 0, len(GOLD))]
    assert found == ["≠Number=Plur", "≠“loudly”", "≠obj"]
    shown = hints(here, 0, len(GOLD), heads=True)
    assert [one.text for one in shown if "≠" not in one.text] == ["dog", "barks", "barks"]


def test_the_way_to_mismatches_goes_by_fields() -> None:
    here = snapshot(sitting(GOLD, SYSTEM))
    found, offset = [], 0
    for _ in range(4):
        mark = next_mismatch(here, offset)
        assert mark is not None
        found.append(written(GOLD, mark))
        offset = mark.end
    assert found == ["Number=Sing", "3", "nsubj", "Number=Sing"]


def test_heads_and_dependents() -> None:
    here = alone(GOLD)
    above = head(here, at(GOLD, "2\tdo‸g"))
    assert above is not None
    assert written(GOLD, above) == "barks"
    assert head(here, at(GOLD, "3\tbar‸ks")) is None
    below = dependents(here, at(GOLD, "3\tbar‸ks"))
    assert below is not None
    assert [written(GOLD, one) for one in below] == ["dog", "loudly"]
    assert dependents(here, 2) is None
    assert [
        (written(GOLD, one[:2]), one.kind) for one in highlights(here, at(GOLD, "2\tdo‸g"))
    ] == [("the", "dependent"), ("dog", "here"), ("barks", "head")]


def test_the_counterpart_is_the_same_field() -> None:
    here = snapshot(sitting(GOLD, SYSTEM))
    (place,) = counterparts(here, at(GOLD, "Number=Sing\t3‸"))
    assert (written(SYSTEM, place[1:3]), place.start) == ("4", SYSTEM.index("4\tobj"))
    (above,) = counterparts(here, 4)
    assert (above.start, above.whole_end) == (0, len(SYSTEM) - 2)


def test_folds_outline_and_selections() -> None:
    here = alone(GOLD + GOLD)
    assert [written(GOLD + GOLD, span) for span in folds(here)] == [GOLD.strip()] * 2
    first, _ = symbols(here)
    assert (first.name, first.detail) == ("1: the dog barks loudly", "a-1 · 4 words")
    assert [(one.name, one.detail) for one in first.children][1:3] == [
        ("dog", "NOUN · nsubj ← barks"),
        ("barks", "VERB · root"),
    ]
    lines = GOLD.strip().split("\n")
    grown = [written(GOLD, span) for span in selections(here, at(GOLD, "2\td‸og"))]
    assert grown == ["dog", lines[2], "\n".join(lines[1:3]), "\n".join(lines[1:]), GOLD.strip()]


def test_colours_of_fields_tokens_empty_nodes_and_keys() -> None:
    text = table("# sent_id = x", "1-2 du", "1 de ADP _ 2 case", "2 le DET A=b 0 root", "2.1 gone")
    found = [(written(text, one[:2]), one.kind) for one in tokens(alone(text), 0, len(text))]
    assert found == [
        ("sent_id", "key"),
        ("1-2", "number"),
        ("du", "word"),
        ("1", "number"),
        ("de", "word"),
        ("ADP", "tag"),
        ("2", "head"),
        ("case", "relation"),
        ("2", "number"),
        ("le", "word"),
        ("DET", "tag"),
        ("A", "feature"),
        ("b", "value"),
        ("0", "head"),
        ("root", "relation"),
        ("2.1", "number"),
        ("gone", "trace"),
    ]


# --- alignment -----------------------------------------------------------------------------

SPLIT = table("1 can X _ 3 aux", "2 not X _ 3 advmod", "3 go X _ 0 root")
WHOLE = table("1 cannot X _ 2 aux", "2 go X _ 0 root")
TOKEN = table("1-2 du", "1 de X _ 3 case", "2 le X _ 3 det", "3 pain X _ 0 root")
WORD = table("1 du X _ 2 case", "2 pain X _ 0 root")


@pytest.mark.parametrize(
    ("gold", "system", "reason"),
    [
        (SPLIT, WHOLE, "the same letters, cut into words differently"),
        (TOKEN, WORD, "both stand for “du” in the text"),
        (WHOLE, WHOLE.replace("cannot", "CANNOT"), "the same letters but for their case"),
        (WHOLE, WHOLE.replace("cannot", "should"), "other letters in the same place of the text"),
    ],
)
def test_different_words_are_explained(gold: str, system: str, reason: str) -> None:
    session = sitting(gold, system)
    for name in ("gold.mrg", "system.mrg"):
        found = [one for one in diagnostics(snapshot(session, name)) if "words" in one.code]
        assert [one.message.endswith(f": {reason}") for one in found] == [True]
    assert reason in hovered(snapshot(session), at(gold, gold[: gold.index("\t") + 2] + "‸"))


def test_a_word_without_a_partner_says_why() -> None:
    session = sitting(WHOLE, table("1 go X _ 0 root"))
    (found,) = [one for one in diagnostics(snapshot(session)) if one.code == "missing-words"]
    assert found.message == "system has no “cannot”: the other text has no letters for it"
    assert "has no such word: the other text has no letters for it" in hovered(
        snapshot(session), at(WHOLE, "1\tcan‸not")
    )


def test_a_stretch_is_marked_on_its_first_form() -> None:
    found = [one for one in diagnostics(snapshot(sitting(SPLIT, WHOLE))) if "words" in one.code]
    assert [written(SPLIT, one[:2]) for one in found] == ["can"]


def lit(session: Session, name: str, offset: int) -> list[tuple[str, str, str]]:
    """What answers to a place: what of it, all of it (a line has tabs), and why."""
    found = []
    for one in answering(snapshot(session, name), offset):
        text = snapshot(session, one.name).document.text()
        written = [text[a:b].decode() for a, b in (one[1:3], one[3:5])]
        found.append((written[0], written[1].replace("\t", " "), one.kind))
    return found


def test_the_words_there_light_up_with_their_lines() -> None:
    session = sitting(SPLIT, WHOLE)
    ((form, line, kind),) = lit(session, "gold.mrg", at(SPLIT, "2\tn‸ot"))
    assert (form, kind) == ("cannot", "nearest")
    assert line.startswith("1 cannot")
    back = lit(session, "system.mrg", at(WHOLE, "1\tcan‸not"))
    assert [(one[0], one[2]) for one in back] == [("can", "nearest"), ("not", "nearest")]
    assert lit(sitting(GOLD, SYSTEM), "gold.mrg", 3) == []


def test_the_same_field_lights_up_of_the_same_word() -> None:
    gold, system = (
        table("1 a X _ 2 dep", "2 b Y _ 0 root"),
        table("1 a Z _ 0 root", "2 b Y _ 1 obj"),
    )
    session = sitting(gold, system)
    assert [one[0] for one in lit(session, "gold.mrg", at(gold, "1\ta\t_\tX‸"))] == ["Z"]
    assert [one[0] for one in lit(session, "gold.mrg", at(gold, "2\tb‸"))] == ["b"]


def test_the_words_of_a_token_light_up_with_it() -> None:
    assert [one[0] for one in lit(sitting(TOKEN, TOKEN), "gold.mrg", 2)] == ["de", "le"]


@pytest.mark.parametrize("number", ["9" * 5000, "x"])
def test_words_whose_ids_are_no_such_numbers_are_in_no_token(number: str) -> None:
    """Python makes no number of so many digits."""
    text = TOKEN.replace("3\tpain", f"{number}\tpain")
    assert [one[0] for one in lit(sitting(text, text), "gold.mrg", 2)] == ["de", "le"]


def test_the_words_of_brackets_light_up_too() -> None:
    session = sitting("(S (V can) (R not) (V go))", "(S (V cannot) (V go))")
    assert lit(session, "gold.mrg", 7) == [("cannot", "(V cannot)", "nearest")]
    text = hovered(snapshot(session), 7)
    assert "has other words for “can not”: the same letters, cut" in text


def test_hover_on_a_token_and_on_an_empty_node() -> None:
    text = hovered(snapshot(sitting(TOKEN, WORD)), 2)
    assert text.startswith("“du” · one token of the text, words 1-2\n\n**X** “de” ← **case**")
    assert "**system.mrg** has other words here: both stand for “du” in the text\n\n> du" in text
    assert "has the same words" in hovered(snapshot(sitting(TOKEN, TOKEN)), 2)
    empty = table("1 a X _ 0 root", "1.1 gone")
    assert "not compared" in hovered(alone(empty), at(empty, "1.1\tg‸one"))
    assert [written(TOKEN, one[:2]) for one in highlights(alone(TOKEN), 2)] == ["de", "le"]


def test_sentences_that_were_taken_together_are_named() -> None:
    one, two = table("# x", "1 a X _ 0 root", "2 b X _ 1 dep"), table("# x", "1 a X _ 0 root")
    three = table("# y", "1 b X _ 0 root")
    session = sitting(GOLD + one, GOLD + two + three)
    gold, system = snapshot(session), snapshot(session, "system.mrg")
    told = "taken together with sentences 2–3 of system.mrg: the same text, cut differently"
    assert told in hovered(gold, len(GOLD) + 1)
    back = (
        "sentences 2–3 taken together with sentence 2 of gold.mrg: the same text, cut differently"
    )
    assert back in hovered(system, len(GOLD) + 1)
    assert "1 sentence here, 2 there" in title(gold, 1, 0)
    assert "2 sentences here, 1 there" in title(system, 2, 0)


def test_sentences_with_other_numbers_and_without_a_partner() -> None:
    session = sitting(WHOLE + GOLD, GOLD)
    here = snapshot(session)
    assert "system.mrg has no sentence with this text" in hovered(here, 0)
    assert "compared with sentence 1 of system.mrg" in hovered(here, len(WHOLE) + 1)


def test_brackets_against_heads_say_what_they_can() -> None:
    session = sitting("(S (D the) (N dog) (V barks) (A loudly))", GOLD)
    assert "has **NOUN** “dog” here" in hovered(snapshot(session), 12)
    assert "has **N** “dog” here" in hovered(snapshot(session, "system.mrg"), at(GOLD, "2\td‸og"))


def test_marks_of_a_broken_line_are_its_own() -> None:
    text = GOLD.replace("2\tdog\t_\tNOUN", "2 dog\t_\tNOUN")
    (found,) = diagnostics(alone(text))
    assert (found.code, written(text, found[:2])) == ("space-for-tab", " ")
