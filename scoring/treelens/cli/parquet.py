"""Parquet files of CoNLL-U rows, as data sets on the Hugging Face Hub have them: a row a sentence.

Which columns are looked for ``hub_rows`` says. Numbers that stand for tags are spelt out by the
schema. Needs the package ``pyarrow``.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast

from treelens.cli import CannotContinue
from treelens.cli.hub_rows import FORMS, sentence
from treelens.render.width import clean

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
    schema = file.schema_arrow
    lists = {one.name for one in schema if str(one.type).startswith(("list<", "large_list<"))}
    forms = next((column for column in FORMS if column in lists), None)
    if forms is None:
        raise CannotContinue(
            f"{clean(name)} has no column of a sentence's words, a list ({', '.join(FORMS)}); "
            f"there are {', '.join(map(clean, schema.names))}"
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
    for batch in batches(file, _ROWS):
        for row in batch.to_pylist():
            yield sentence(row, forms, names)


def batches(file: Any, rows: int) -> Iterator[Any]:
    """So many rows of a Parquet file at a time. (Of all of its groups of rows together, some would
    be read ahead by threads, and more the more there are.)"""
    for group in range(file.num_row_groups):
        yield from file.iter_batches(batch_size=rows, row_groups=[group], use_threads=False)


def _names(schema: Any) -> dict[str, list[str]]:
    """What numbers in a column stand for, as the Hub's metadata has it."""
    metadata = (schema.metadata or {}).get(b"huggingface", b"{}")
    with contextlib.suppress(ValueError, AttributeError, TypeError, LookupError):
        features = json.loads(metadata)["info"]["features"]
        found = {}
        for column, feature in features.items():
            inner = feature.get("feature", feature) if isinstance(feature, dict) else {}
            if isinstance(inner, dict) and isinstance(inner.get("names"), list):
                found[column] = inner["names"]
        return found
    return {}
