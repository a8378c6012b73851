"""Names and other texts of users, as they are shown to people."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from treelens.present.revisions import revision
from treelens.render.markdown import escaped
from treelens.render.width import clean
from treelens.session.document import Document

_WORDS = 12
"""Words of a quotation before its middle is left out."""


def short_name(name: str) -> str:
    """The last part of a path or URI, with its escapes undone; of a revision, which one."""
    committed = revision(name)
    path = name if committed is None else name.partition("?")[0]
    shown = _unescaped(path.rstrip("/").rsplit("/", 1)[-1])
    return shown if committed is None else f"{shown} ({committed})"


def told_apart(name: str, others: Iterable[str]) -> str:
    """What tells a name from others: the last part of its path, with as many folders before it as
    no other has (``b/out.mrg``); where all are called alike but for what stands between two dots
    (``x.bikel.mrg``, ``x.collins.mrg``), only that."""
    names = [other for other in others if other != name]
    parts, rest = name.split("/"), [other.split("/") for other in names]
    taken = 1
    while taken < len(parts) and any(one[-taken:] == parts[-taken:] for one in rest):
        taken += 1
    if taken == 1:
        return _own_part(short_name(name), [short_name(other) for other in names])
    return "/".join([*map(_unescaped, parts[-taken:-1]), short_name(name)])


def _unescaped(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote  # for what addresses have

    return unquote(text)


def _own_part(shown: str, others: list[str]) -> str:
    parts, rest = shown.split("."), [other.split(".") for other in others]
    if len(parts) < 3 or any(len(one) != len(parts) for one in rest):
        return shown
    differ = [at for at, part in enumerate(parts) if any(one[at] != part for one in rest)]
    own = parts[differ[0]] if len(differ) == 1 else ""
    return own or shown


def isolated(text: str) -> str:
    """Text that does not scramble what stands around it when it runs from right to left."""
    if any(unicodedata.bidirectional(one) in ("R", "AL") for one in text):
        return f"\u2068{clean(text)}\u2069"
    return text


def opening(document: Document, sentence: int, most: int) -> str:
    """The first words of a sentence, up to ``most``; an ellipsis stands for the others."""
    forest, row, _ = document.piece(sentence)
    first, end = forest.first_leaf[row : row + 2].tolist()
    last = min(end, first + most)
    starts, ends = forest.word_start[first:last].tolist(), forest.word_end[first:last].tolist()
    words = " ".join(forest.text(*span) for span in zip(starts, ends, strict=True))
    return f"{words} …" if last < end else words


def quoted(words: list[str]) -> str:
    """Words as a Markdown quotation, the middle left out where there are many."""
    if len(words) > _WORDS:
        half = _WORDS // 2
        words = [*words[:half], "…", *words[-half:]]
    return f"> {isolated(escaped(' '.join(words)))}"


def in_quotes(word: str) -> str:
    """A word in quotation marks, in Markdown."""
    return f"“{isolated(escaped(word))}”"
