"""A sentence of a data set on the Hugging Face Hub, as the CoNLL-U that it was made of.

Columns that are looked for: ``tokens`` (or ``form``), ``lemmas``, ``upos``, ``xpos``, ``feats``,
``head``, ``deprel``, ``deps``, ``misc`` (lists, an item a line), ``idx`` or ``sent_id``, ``text``,
``mwt`` and ``empty_nodes`` (lists of lines with their IDs).

Older data sets have what the package ``conllu`` made of the file, without IDs: features as Python
writes a dictionary, and multiword tokens and empty nodes among the words. They are told by having
no head, and how many words a multiword token has by the sentence's text.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

FORMS = ("tokens", "form", "forms")
_TAGS = (("upos", "upos_tags"), ("xpos", "xpos_tags"))
_OTHERS = (("feats",), ("head", "heads"), ("deprel", "deprels"), ("deps",), ("misc",))
_COLUMNS = (("lemmas", "lemma"), *_TAGS, *_OTHERS)
_FORM, _UPOS, _HEAD, _DEPREL, _DEPS = 0, 2, 5, 6, 7
_LINE = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def sentence(row: Mapping[str, Any], form: str, names: Mapping[str, Sequence[str]]) -> str:
    """The lines of a row whose words are in the column ``form``, and an empty one.

    ``names`` says of a column what its numbers stand for.
    """
    forms = [_cell(value) for value in _list(row[form])]
    columns = [_column(row, fields, len(forms), names) for fields in _COLUMNS]
    lines = _numbered(list(zip(forms, *columns, strict=True)), _squeezed(row.get("text")))
    beside = [
        tuple(_cell(one.get(field)) for field in _LINE)
        for column in ("mwt", "empty_nodes")
        for one in _list(row.get(column))
        if isinstance(one, dict)
    ]
    if beside:
        lines = sorted([*beside, *lines], key=_place)
    comments = [
        f"# {key} = {_cell(row[column])}"
        for key, column in (("sent_id", _name_column(row)), ("text", "text"))
        if row.get(column)
    ]
    return "\n".join([*comments, *map("\t".join, lines)]) + "\n\n"


def _name_column(row: Mapping[str, Any]) -> str:
    return "sent_id" if row.get("sent_id") else "idx"


def _place(line: Sequence[str]) -> tuple[int, int]:
    """Where a line stands: tokens before their first word, empty nodes behind the one before."""
    whole, _, empty = line[0].partition(".")
    first, dash, _ = whole.partition("-")
    return _number(first), -1 if dash else _number(empty)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _numbered(rows: Sequence[tuple[str, ...]], text: str) -> list[tuple[str, ...]]:
    """Lines of the rows; ``text`` is the sentence's without spaces."""
    if all(row[_HEAD] == "_" for row in rows):
        return [(str(number), *row) for number, row in enumerate(rows, 1)]
    sizes = _sizes([row for row in rows if not _is_empty(row)], text)
    lines, word, empty = [], 0, 0
    for row in rows:
        if _is_empty(row):
            empty += 1
            name = f"{word}.{empty}"
        elif size := next(sizes):
            name = f"{word + 1}-{word + size}"
        else:
            word, empty = word + 1, 0
            name = str(word)
        lines.append((name, *row))
    return lines


def _is_empty(row: Sequence[str]) -> bool:
    return row[_HEAD] == "_" != row[_DEPS]


def _is_token(row: Sequence[str]) -> bool:
    return row[_HEAD] == row[_UPOS] == row[_DEPREL] == "_"


def _sizes(rows: Sequence[Sequence[str]], text: str) -> Iterator[int]:
    """Of each row, how many words it has if it is a multiword token, and 0 for a word."""
    forms = [_squeezed(row[_FORM]) for row in rows]
    text = text or " "  # which is nowhere in a text without spaces
    inside = 0
    for at, row in enumerate(rows):
        size = 0
        if inside:
            inside -= 1
        else:
            text = text.removeprefix(forms[at])
            if _is_token(row):
                after = range(at + 1, len(rows))
                end = next((k for k in after if _is_token(rows[k])), len(rows))
                size = inside = _size(forms[at + 1 : end], forms[end : end + 1], text)
        yield size


def _size(words: Sequence[str], token: Sequence[str], text: str) -> int:
    """How many of ``words`` are of the token before them; ``token`` is the next one, if any.

    ``text`` is what follows, which the others begin. Where it does not say so: two, as nearly all
    tokens have.
    """
    for size in range(2, len(words) + 1):
        after = "".join([*words[size:], *token])
        if text.startswith(after) if token else text == after:
            return size
    return min(2, len(words))


def _column(
    row: Mapping[str, Any],
    fields: Sequence[str],
    size: int,
    names: Mapping[str, Sequence[str]],
) -> list[str]:
    field = next((field for field in fields if row.get(field) is not None), None)
    values = _list(row.get(field or ""))
    if len(values) != size:
        return ["_"] * size
    known = names.get(field or "", ())
    read = _cell if fields[0] == "lemmas" else _annotation
    return [
        known[value] if isinstance(value, int) and 0 <= value < len(known) else read(value)
        for value in values
    ]


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _cell(value: object) -> str:
    return " ".join(str(value).split()) or "_" if value is not None else "_"


def _annotation(value: object) -> str:
    """What is no form and no lemma: a text, or what ``str`` made of what ``conllu`` has of it."""
    text = _cell(value)
    if text == "None":
        return "_"
    return _written(text) if text[0] in "{[" else text


@lru_cache(1 << 14)
def _written(text: str) -> str:
    with contextlib.suppress(ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        value = ast.literal_eval(text)
        if isinstance(value, dict):
            pairs = (key if of is None else f"{key}={of}" for key, of in value.items())
        else:
            pairs = (f"{_id(head)}:{relation}" for relation, head in value)
        return _cell("|".join(pairs))
    return text


def _id(head: object) -> str:
    return "".join(map(str, head)) if isinstance(head, tuple) else str(head)


def _squeezed(text: object) -> str:
    return "".join(str(text or "").split())
