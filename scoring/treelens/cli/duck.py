"""What varies, found by DuckDB: in a table on disk, of which memory holds a bounded part."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treelens.cli import CannotContinue
from treelens.cli.progress import Progress
from treelens.consistency.sieve import COUNTED, FACT, Facts, Varied
from treelens.render.width import clean

if TYPE_CHECKING:
    from treelens.cli.processes import Shared
    from treelens.cli.stretches import Portion
    from treelens.consistency.hints import Hints

_MEMORY = "128MB"
"""What DuckDB may take before it writes to disk."""
_COLUMNS = FACT.names or ()
_TYPES = {"<u8": "UBIGINT", "<u4": "UINTEGER", "<i8": "BIGINT"}


def shuffled(
    shared: Shared, folder: str, portions: Sequence[Portion], hints: Hints
) -> Iterator[Varied]:
    """The facts of portions in a table in a folder; what varies comes as one part."""
    from treelens.cli.stretches import stored, write_down

    settings = {
        "memory_limit": _MEMORY,
        "temp_directory": folder,
        "threads": 1,
        "preserve_insertion_order": False,
    }
    file = os.path.join(folder, "facts.duckdb")
    duckdb = _duckdb()
    try:
        with duckdb.connect(file, config=settings) as database:
            columns = ", ".join(f'"{name}" {_TYPES[FACT[name].str]}' for name in _COLUMNS)
            database.execute(f"CREATE TABLE facts ({columns})")
            with Progress("Writing down") as progress:
                work = functools.partial(write_down, hints=stored(hints, folder))
                for number, parts in enumerate(shared(work, portions), 1):
                    for part in parts:
                        _insert(database, part)
                    progress(number / len(portions))
            yield _varied(database)
    except duckdb.Error as problem:
        where = f"{clean(os.path.dirname(folder))} (TMPDIR names another folder)"
        raise CannotContinue(
            f"DuckDB cannot keep temporary files in {where}: {clean(str(problem))}"
        ) from None


def _insert(database: Any, facts: Facts) -> None:
    columns = {name: np.ascontiguousarray(facts[name]) for name in _COLUMNS}
    database.register("more", columns)
    database.execute("INSERT INTO facts FROM more")
    database.unregister("more")


def _varied(database: Any) -> Varied:
    """As ``sieve.varied`` has it."""
    database.execute(
        f"""CREATE TEMP TABLE varied AS
        SELECT key, "check", min(sentence) = {COUNTED} AS counted FROM facts
        GROUP BY key, "check" HAVING min(label) <> max(label)"""
    )
    found = database.execute(
        """SELECT key, sentence FROM facts
        SEMI JOIN (FROM varied WHERE NOT counted) USING (key, "check") ORDER BY key"""
    ).fetchnumpy()
    (counted,) = database.execute("SELECT count(*) FROM varied WHERE counted").fetchone()
    return Varied(found["key"], found["sentence"], counted)


def _duckdb() -> Any:
    try:
        return importlib.import_module("duckdb")
    except ImportError:
        raise CannotContinue(
            "--engine duckdb needs the package 'duckdb' (pip install 'treelens[corpus]')"
        ) from None
