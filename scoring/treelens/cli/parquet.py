"""Parquet files of CoNLL-U rows, as data sets on the Hugging Face Hub have them: a row a sentence.

Columns that are looked for: ``tokens`` (or ``form``), ``lemmas``, ``upos``, ``xpos``, ``feats``,
``head``, ``deprel``, ``deps``, ``misc`` (lists, an item a word), ``idx`` or ``sent_id`` and
``text``, ``mwt`` (multiword tokens: lists of id, form, feats, misc). Numbers that stand for tags
are spelt out by the schema. Needs the package ``pyarrow``.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, cast

from treelens.cli import CannotContinue
from treelens.render.width import clean

_FIELDS = (
    ("lemmas", "lemma"),
    ("upos", "upos_tags"),
    ("xpos", "xpos_tags"),
    ("feats",),
    ("head", "heads"),
    ("deprel", "deprels"),
    ("deps",),
    ("misc",),
)
_FORMS = ("tokens", "form", "forms")
_ROWS = 256
"""Sentences read at a time."""


def rows_as_text(
    name: str, stored: Callable[[], contextlib.AbstractContextManager[BinaryIO]]
) -> contextlib.AbstractContextManager[BinaryIO]:
    """A stream of such a file, which ``stored`` opens, as CoNLL-U text."""
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise CannotContinue(
            f"{clean(name)}: Parquet needs the package 'pyarrow' (pip install 'treelens[corpus]')"
        ) from None
    with contextlib.ExitStack() as stack:
        stream = stack.enter_context(stored())
        try:
            file = parquet.ParquetFile(stream)
        except OSError:
            raise
        except Exception as problem:  # pyarrow's errors are many
            raise OSError(None, f"is no Parquet file: {problem}") from problem
        return _lines(name, file, stack.pop_all())


def _lines(name: str, file: Any, stack: contextlib.ExitStack) -> BinaryIO:
    forms = next((column for column in _FORMS if column in file.schema_arrow.names), None)
    if forms is None:
        raise CannotContinue(
            f"{clean(name)} has no column of words ({', '.join(_FORMS)}); "
            f"there are {', '.join(map(clean, file.schema_arrow.names))}"
        )
    return cast(BinaryIO, _Lines(_sentences(file, forms), stack))


class _Lines(io.RawIOBase):
    """A stream of what is made piece by piece."""

    def __init__(self, pieces: Iterator[str], stored: contextlib.ExitStack) -> None:
        self._pieces, self._stored = pieces, stored
        self._left = b""

    def close(self) -> None:
        self._stored.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._left = piece.encode("utf-8", "surrogatepass")
        found, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(found)] = found
        return len(found)


def _sentences(file: Any, forms: str) -> Iterator[str]:
    names = _names(file.schema_arrow)
    for batch in file.iter_batches(batch_size=_ROWS):
        for row in batch.to_pylist():
            yield _sentence(row, row[forms] or [], names)


def _names(schema: Any) -> dict[str, list[str]]:
    """What numbers in a column stand for, as the Hub's metadata has it."""
    metadata = (schema.metadata or {}).get(b"huggingface", b"{}")
    with contextlib.suppress(ValueError, AttributeError, TypeError):
        features = json.loads(metadata)["info"]["features"]
        found = {}
        for column, feature in features.items():
            inner = feature.get("feature", feature) if isinstance(feature, dict) else {}
            if isinstance(inner, dict) and isinstance(inner.get("names"), list):
                found[column] = inner["names"]
        return found
    return {}


def _sentence(row: Mapping[str, Any], forms: Sequence[str], names: Mapping[str, list[str]]) -> str:
    lines = [f"# {key} = {_cell(row[key])}" for key in ("sent_id", "text") if row.get(key)]
    if row.get("idx") and not row.get("sent_id"):
        lines.insert(0, f"# sent_id = {_cell(row['idx'])}")
    columns = [_column(row, fields, len(forms), names) for fields in _FIELDS]
    tokens = {
        int(str(one["id"]).split("-")[0]): one
        for one in row.get("mwt") or ()
        if str(one.get("id", "")).split("-")[0].isdigit()
    }
    for at, form in enumerate(forms):
        token = tokens.get(at + 1)
        if token is not None:
            cells = [token["id"], token.get("form"), *["_"] * 7, token.get("misc")]
            lines.append("\t".join(map(_cell, cells)))
        lines.append("\t".join([str(at + 1), _cell(form), *(column[at] for column in columns)]))
    return "\n".join(lines) + "\n\n"


def _column(
    row: Mapping[str, Any], fields: Sequence[str], size: int, names: Mapping[str, list[str]]
) -> list[str]:
    field = next((field for field in fields if row.get(field) is not None), None)
    values = row[field] if field else []
    if len(values) != size:
        return ["_"] * size
    known = names.get(field or "", [])
    return [
        known[value] if isinstance(value, int) and 0 <= value < len(known) else _cell(value)
        for value in values
    ]


def _cell(value: object) -> str:
    text = "_" if value is None or value == "" else str(value)
    return "_" if text == "None" else " ".join(text.split()) or "_"
