"""Counts as data: a row a group of sentences, in CSV or Parquet, for other programs and to merge.

Columns: ``gold`` and ``system`` (what was scored), ``file`` (of many), which sentences and lines
the row is of (:data:`~treelens.counting.files.PLACES`), every metric's counts as
``metric.count``, what holds of the group whatever the metric
(:data:`~treelens.counting.files.OWN`), and in the first row the signature of it all.
"""

from __future__ import annotations

import contextlib
import csv
import importlib
import io
import os
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from treelens.cli import CannotContinue, output, packed
from treelens.cli.inputs import FilePair
from treelens.counting.files import OWN, PLACES, rows_of
from treelens.counting.stretched import Counted
from treelens.metrics import Metric, Tallies
from treelens.render.sheet import as_it_was, harmless
from treelens.render.width import clean

NAMES = ("gold", "system", "file")
SIGNATURE = "signature"
_PARQUET = b"PAR1"
_ROWS = 1 << 14
"""Rows that are written and read at a time."""


def columns(metrics: Sequence[Metric]) -> list[str]:
    """The columns of whole numbers."""
    counts = [f"{metric.name}.{count}" for metric in metrics for count in metric.counts]
    return [*PLACES, *counts, *OWN]


class CountRows(NamedTuple):
    """Some rows of a file of counts, all of the same names."""

    names: tuple[str, str, str]
    numbers: Tallies


class Spool:
    """Rows of one pair of files that are counted, on disk until they are certain."""

    def __init__(self) -> None:
        import tempfile  # which reports without rows do without

        self._file = tempfile.TemporaryFile()  # noqa: SIM115 — closed with the spool
        self._places: dict[int, tuple[int, int]] = {}
        """Where the rows of each number start and end."""

    def keep(self, counted: Counted | Tallies) -> None:
        """Take rows in, all of a pair or a stretch's; what there was of its number is void."""
        number, rows = 0, counted
        if isinstance(counted, Counted):
            number, rows = counted.number, rows_of(counted)
        start = self._file.seek(0, os.SEEK_END)
        self._file.write(np.ascontiguousarray(rows, np.int64).tobytes())
        self._places[number] = start, self._file.tell()

    def rows(self, width: int) -> Iterator[Tallies]:
        """All of them in order, some at a time; ``(k, width)``."""
        waiting, full = b"", 8 * width * _ROWS
        for _, (start, end) in sorted(self._places.items()):
            self._file.seek(start)
            waiting += self._file.read(end - start)
            while len(waiting) >= full:
                yield np.frombuffer(waiting[:full], np.int64).reshape(-1, width)
                waiting = waiting[full:]
        if waiting:
            yield np.frombuffer(waiting, np.int64).reshape(-1, width)

    def clear(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._places.clear()

    def close(self) -> None:
        self._file.close()


class Writer:
    """A file of counts that is being written: the file ``name``, at a path of its own till then."""

    def __init__(self, name: str, path: str, metrics: Sequence[Metric], signature: str) -> None:
        self._columns = columns(metrics)
        self._signature = signature
        self._spool = Spool()
        self._pair: FilePair | None = None
        self._names = ("", "")
        is_parquet = name.lower().endswith(".parquet")
        make = _ParquetFile if is_parquet else _CsvFile
        self._name = name
        with _told(name):
            self._file = make(path, self._columns, signature)

    def of(self, gold: str, system: str) -> None:
        """What comes next is of these two."""
        if (gold, system) != self._names:
            self.flush()
            self._names = gold, system

    def keep(self, pair: FilePair, counted: Counted | Tallies) -> None:
        """Take rows in, as :meth:`Spool.keep` does."""
        if pair is not self._pair:
            self.flush()
            self._pair = pair
        self._spool.keep(counted)

    def flush(self) -> None:
        """Write what is certain by now."""
        if self._pair is None:
            return
        names = (*self._names, self._pair.place)
        for rows in self._spool.rows(len(self._columns)):
            with _told(self._name):
                self._file.write(CountRows(names, rows))
        self._spool.clear()
        self._pair = None

    def close(self, complete: bool) -> None:
        with contextlib.closing(self._spool):
            if complete:
                self.flush()
            with _told(self._name):
                self._file.close()


@contextlib.contextmanager
def _told(name: str) -> Iterator[None]:
    """That a file cannot be written, in words that name it."""
    try:
        yield
    except OSError as problem:
        what = problem.strerror or problem
        raise CannotContinue(f"cannot write {clean(name)}: {what}") from None


@contextlib.contextmanager
def writing(path: str, metrics: Sequence[Metric], signature: str) -> Iterator[Writer]:
    """A file of counts, there when all has been counted."""
    with output.target(path) as part:
        writer = Writer(path, part, metrics, signature)
        complete = False
        try:
            yield writer
            complete = True
        finally:
            writer.close(complete)


class _CsvFile:
    def __init__(self, path: str, columns: Sequence[str], signature: str) -> None:
        self._stream = open(path, "w", encoding="utf-8", errors="surrogateescape", newline="")  # noqa: SIM115
        self._writer = csv.writer(self._stream, lineterminator="\n")
        self._writer.writerow([*NAMES, *columns, SIGNATURE])
        self._signature = signature

    def write(self, rows: CountRows) -> None:
        names = [*map(harmless, rows.names)]
        for numbers in rows.numbers.tolist():
            self._writer.writerow([*names, *numbers, self._signature])
            self._signature = ""

    def close(self) -> None:
        self._stream.close()


def _pyarrow(path: str) -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise CannotContinue(
            f"{clean(path)}: Parquet needs the package 'pyarrow' (pip install 'treelens[corpus]')"
        ) from None


class _ParquetFile:
    def __init__(self, path: str, columns: Sequence[str], signature: str) -> None:
        self._pyarrow, parquet = _pyarrow(path)
        text, number = self._pyarrow.string(), self._pyarrow.int64()
        fields = [(name, text) for name in NAMES] + [(name, number) for name in columns]
        self._schema = self._pyarrow.schema(fields, metadata={SIGNATURE: signature})
        # (A path would have to be text, as names in it have.)
        self._stream = open(path, "wb")  # noqa: SIM115
        self._file = parquet.ParquetWriter(self._stream, self._schema)

    def write(self, rows: CountRows) -> None:
        texts = (name.encode("utf-8", "backslashreplace").decode() for name in rows.names)
        names = [[name] * len(rows.numbers) for name in texts]
        numbers = [np.ascontiguousarray(column) for column in rows.numbers.T]
        self._file.write_table(self._pyarrow.table([*names, *numbers], schema=self._schema))

    def close(self) -> None:
        with self._stream:
            self._file.close()


# --- reading -------------------------------------------------------------------------------


class Header(NamedTuple):
    """What a file of counts says of itself."""

    columns: tuple[str, ...]
    signature: str


def read(path: str) -> Iterator[Header | CountRows]:
    """A file of counts: what it says of itself, then its rows, some at a time."""
    try:
        with packed.opened(path) as file:
            if file.peek(len(_PARQUET)).startswith(_PARQUET):
                yield from _read_parquet(path)
            else:
                yield from _read_csv(file)
    except OSError as problem:
        raise CannotContinue(f"{clean(path)}: {problem.strerror or problem}") from None
    except (ValueError, OverflowError, csv.Error) as problem:
        raise CannotContinue(f"{clean(path)} is no file of counts: {clean(str(problem))}") from None


def _read_csv(file: BinaryIO) -> Iterator[Header | CountRows]:
    with io.TextIOWrapper(file, "utf-8", "surrogateescape", newline="") as stream:
        lines = csv.reader(stream)
        head = next(lines, [])
        columns = _checked(head[:-1] if head[-1:] == [SIGNATURE] else [])
        first = next(lines, None)
        yield Header(columns, first[-1] if first else "")
        waiting: list[list[str]] = [first] if first else []
        for line in lines:
            if waiting and (line[:3] != waiting[0][:3] or len(waiting) == _ROWS):
                yield _rows(waiting, len(columns))
                waiting = []
            waiting.append(line)
        if waiting:
            yield _rows(waiting, len(columns))


def _rows(lines: list[list[str]], width: int) -> CountRows:
    gold, system, file = map(as_it_was, lines[0][:3])
    numbers = [[int(cell) for cell in line[3 : 3 + width]] for line in lines]
    return CountRows((gold, system, file), np.array(numbers, np.int64).reshape(len(lines), width))


def _read_parquet(path: str) -> Iterator[Header | CountRows]:
    with open(path, "rb") as stream:
        yield from _in_parquet(_pyarrow(path)[1].ParquetFile(stream))


def _in_parquet(file: Any) -> Iterator[Header | CountRows]:
    from treelens.cli.parquet import batches

    columns = _checked(file.schema_arrow.names)
    metadata = file.schema_arrow.metadata or {}
    yield Header(columns, metadata.get(SIGNATURE.encode(), b"").decode())
    for batch in batches(file, _ROWS):
        names = list(zip(*(batch.column(name).to_pylist() for name in NAMES), strict=True))
        numbers = np.stack([batch.column(name).to_numpy() for name in columns], axis=1)
        cuts = [at for at in range(1, len(names)) if names[at] != names[at - 1]]
        for low, high in zip([0, *cuts], [*cuts, len(names)], strict=True):
            if high > low:
                yield CountRows(names[low], numbers[low:high])


def _checked(columns: Sequence[str]) -> tuple[str, ...]:
    if tuple(columns[:3]) != NAMES or tuple(columns[3 : 3 + len(PLACES)]) != PLACES:
        raise ValueError("'treelens score --counts' did not write its columns")
    return tuple(columns[3:])
