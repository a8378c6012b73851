"""Columns of a terminal, and text that does nothing to one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.render.width import clean, in_order, shortened, width, without_controls
from wcwidth import wcwidth


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("dog", 3),
        ("猫", 2),
        ("ﾈｺ", 2),
        ("Ａ", 2),
        ("한국어", 6),
        ("한", 2),  # the same kind of syllable, spelt out in its parts
        ("é", 1),
        ("הַסֵּפֶר", 4),
        ("का", 2),
        ("a\u200bb", 2),
        ("co\u00adop", 5),
        ("", 0),
    ],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


def test_what_is_taken_for_plain_is_as_wide_as_the_tables_say() -> None:
    codes = *range(0xA0, 0x400), *range(0x2010, 0x2028), *range(0x2100, 0x2200)
    for character in map(chr, codes):
        assert width(character) == max(wcwidth(character), 0)
        assert in_order([character]) == character
        if unicodedata.category(character) != "Cf":
            assert clean(character) == character


@given(st.text())
def test_what_is_shown_does_nothing_to_a_terminal(text: str) -> None:
    shown = clean(text)
    assert not any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in shown)
    assert not set(shown) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200e\u200f\u2028")
    shown.encode("utf-8")
    assert clean(shown) == shown


def test_what_is_harmless_is_shown_as_it_is() -> None:
    assert clean("Þau „sögðu“ 猫 𝔸 é") == "Þau „sögðu“ 猫 𝔸 é"
    assert clean("a\x1b[31mb\0") == "a␛[31mb␀"


def test_of_a_message_only_controls_are_shown_otherwise() -> None:
    text = "\u2068שלום\u2069\nwas „sögðu“ 猫 𝔸 é \u200eא\u200f نمی\u200cخواهم क्\u200dष"
    assert without_controls(text) == text
    codes = *range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A)
    controls = [*map(chr, codes)]
    for one in controls:
        assert without_controls(f"a{one}b") == (f"a{clean(one)}b" if one != "\n" else "a\nb")


def test_an_isolate_that_is_not_closed_is_shown() -> None:
    ours, left_open = "\u2068שלום\u2069", "system has \u2068NP, not "
    assert without_controls(left_open + ours) == left_open.replace("\u2068", "\ufffd") + ours
    assert without_controls(f"{ours}\u2069{ours}") == f"{ours}\ufffd{ours}"
    assert clean(left_open + ours) == "system has \ufffdNP, not שלום"


def test_words_of_a_right_to_left_script_keep_their_places() -> None:
    assert in_order(["the", "dog"]) == "the dog"
    marked = in_order(["ספר", "ישן", "."])
    assert marked.replace("\u200e", "") == "ספר ישן ."
    assert marked.startswith("\u200e")
    assert marked.count("\u200e ") == 2


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.integers(3, 20))
def test_a_shortened_text_fits(text: str, room: int) -> None:
    short = shortened(text, room)
    assert width(short) <= room
    assert short == text or "…" in short
