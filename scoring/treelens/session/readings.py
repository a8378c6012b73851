"""What a document's sentences were read in: the forest of the whole text, and one for each edit.

What is looked up in each forest (what is said of sentences, where names are used) takes as long as
there are forests. So those of edits are put together now and then, as if they had been read at
once; mostly few small ones, so that each sentence is moved as often as its text's size has digits.
"""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import count
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treelens.trees.forest import (
    Forest,
    Ints,
    Problem,
    concatenate,
    each_once,
    gather,
    in_one_source,
)

_FORESTS_KEPT = 64
"""Past so many small forests of single edits, those that no sentence uses are let go, and the
others put together."""

_BYTES_KEPT = 4, 1 << 18
"""And past so many times the text and so many bytes that all were read from: they weigh some ten
times as much."""

_CARE_KEPT = 0.5
"""Those that no sentence uses are let go, too, if more than this share of care went into all that
there are."""

_START = attrgetter("start")
_COUNT = count()


class Problems(NamedTuple):
    """What was wrong in a text that was read, in text order, and which of its rows have any, or an
    error."""

    found: list[Problem]
    rows: npt.NDArray[np.intp]
    broken: frozenset[int]


class Readings(NamedTuple):
    """How ``n`` sentences of a text were read; ``(n,)`` each.

    number: which no other reading of any sentence has, whatever forest it is in.
    home, row: the forest that a sentence is in, and where in it.
    """

    number: npt.NDArray[np.int64]
    home: Ints
    row: Ints
    forests: Mapping[int, Forest]
    problems: Mapping[int, Problems]

    def among(self, here: slice) -> Readings:
        return self._replace(number=self.number[here], home=self.home[here], row=self.row[here])

    def of(self, sentence: int) -> tuple[Forest, int]:
        return self.forests[int(self.home[sentence])], int(self.row[sentence])

    def care(self) -> float:
        """The share of care that went into all that there are."""
        return sum(forest.care for forest in self.forests.values())

    def whole(self) -> Forest | None:
        """The forest of a text that has been read at once, if nothing of it was edited."""
        forest = self.forests.get(0)
        return forest if len(self.forests) == 1 and len(forest or ()) == len(self.row) else None

    def forest(self, sentences: npt.NDArray[np.int64]) -> Forest:
        """The given sentences, in the given order."""
        if not len(sentences):
            return gather(next(iter(self.forests.values())), sentences)
        homes, rows = self.home[sentences], self.row[sentences]
        cuts = np.flatnonzero(np.diff(homes)) + 1
        runs = zip([0, *cuts.tolist()], [*cuts.tolist(), len(sentences)], strict=True)
        return concatenate([gather(self.forests[int(homes[a])], rows[a:b]) for a, b in runs])

    def parts(self) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """The forests that sentences are in, by number, each with its sentences."""
        order = np.argsort(self.home, kind="stable")
        homes, firsts = np.unique(self.home[order], return_index=True)
        # (A text without sentences has a stretch all the same, which is of no forest.)
        yield from zip(homes.tolist(), np.split(order, firsts[1:]), strict=False)

    def alike(self, old: Readings, step: int) -> int:
        """How many sentences from the start (``step`` 1) or the end (-1) are the same readings."""
        size = min(len(self.number), len(old.number))
        differs = np.flatnonzero(self.number[::step][:size] != old.number[::step][:size])
        return int(differs[0]) if len(differs) else size

    def spliced(self, first: int, end: int, new: Readings) -> Readings:
        """With others in the place of ``[first, end)``, all of them in one forest."""
        (forest,), (problems,) = new.forests.values(), new.problems.values()
        home = max(self.forests) + 1
        return Readings(
            np.concatenate([self.number[:first], new.number, self.number[end:]]),
            np.concatenate(
                [self.home[:first], np.full(len(new.row), home, np.int32), self.home[end:]]
            ),
            np.concatenate([self.row[:first], new.row, self.row[end:]]),
            {**self.forests, home: forest},
            {**self.problems, home: problems},
        )

    # --- problems

    def problems_of(self, sentence: int) -> list[Problem]:
        """A sentence's problems, with the offsets that they were found at."""
        home = int(self.home[sentence])
        known = self.problems[home].found
        if not known:
            return []
        low, high = self.forests[home].piece[self.row[sentence]].tolist()
        first, end = (bisect.bisect_left(known, at, key=_START) for at in (low, high))
        return known[first:end]

    def is_broken(self, sentence: int) -> bool:
        return int(self.row[sentence]) in self.problems[int(self.home[sentence])].broken

    def with_problems(self, *, errors: bool) -> npt.NDArray[np.intp]:
        """Sentences that have problems, or ``errors``, ascending: none is looked at one by one."""
        rows = {
            home: np.array([*one.broken], np.intp) if errors else one.rows
            for home, one in self.problems.items()
        }
        flags = np.zeros(max(rows) + 1, np.bool_)
        flags[[home for home, found in rows.items() if len(found)]] = True
        sentences = np.flatnonzero(flags[self.home])
        homes = self.home[sentences]
        with_problem = np.zeros(len(sentences), np.bool_)
        for home in each_once(homes).tolist():
            here = homes == home
            with_problem[here] = np.isin(self.row[sentences[here]], rows[home])
        return sentences[with_problem]

    # --- fewer forests

    def fewer(self, length: int, begins_line: Callable[[int], bool]) -> Readings:
        """The same in fewer forests, where there are many for a text of so many bytes. begins_line:
        whether a sentence's text begins one."""
        many = self._are_many(length)
        if not many and self.care() <= _CARE_KEPT:
            return self
        used = self._used()
        return used._together(begins_line) if many and used._are_many(length) else used

    def _are_many(self, length: int) -> bool:
        times, beside = _BYTES_KEPT
        held = sum([len(forest.source) for forest in self.forests.values()])
        return len(self.forests) > _FORESTS_KEPT or held > times * length + beside

    def _used(self) -> Readings:
        """Without forests that no sentence is in."""
        return self._only({*each_once(self.home).tolist()})

    def _only(self, homes: Set[int]) -> Readings:
        return self._replace(
            forests={home: forest for home, forest in self.forests.items() if home in homes},
            problems={home: found for home, found in self.problems.items() if home in homes},
        )

    def _together(self, begins_line: Callable[[int], bool]) -> Readings:
        """With the small forests put together."""
        parts = sorted(self.parts(), key=lambda part: len(part[1]))
        chosen: list[tuple[int, npt.NDArray[np.int64]]] = []
        size = 0
        for home, here in parts:
            if chosen and len(here) > size:
                break
            chosen.append((home, here))
            size += len(here)
        if len(chosen) < 2:
            return self
        grouped = np.concatenate([here for _, here in chosen])
        order = np.argsort(grouped)
        moved = grouped[order]
        forest = concatenate([gather(self.forests[home], self.row[here]) for home, here in chosen])
        forest = gather(forest, order)
        (forest,) = in_one_source([forest], _led(forest, map(begins_line, moved.tolist())))
        forest = dataclasses.replace(forest, care=sum(self.forests[one].care for one, _ in chosen))
        home, problems = max(self.forests) + 1, self._moved_problems(moved, forest)
        homes, rows = self.home.copy(), self.row.copy()
        homes[moved], rows[moved] = home, np.arange(len(moved))
        stay = self._only(self.forests.keys() - {one for one, _ in chosen})
        return stay._replace(
            home=homes,
            row=rows,
            forests={**stay.forests, home: forest},
            problems={**stay.problems, home: problems},
        )

    def _moved_problems(self, sentences: npt.NDArray[np.int64], forest: Forest) -> Problems:
        """The problems of sentences in the forest that they are put in, one behind the other."""
        found, rows, broken = list[Problem](), list[int](), set[int]()
        for row, sentence in enumerate(sentences.tolist()):
            if problems := self.problems_of(sentence):
                old, at = self.of(sentence)
                by = int(forest.piece[row, 0]) - int(old.piece[at, 0])
                found += [problem.moved(by) for problem in problems]
                rows.append(row)
            if self.is_broken(sentence):
                broken.add(row)
        return Problems(found, np.array(rows, np.intp), frozenset(broken))


def _led(forest: Forest, begin_line: Iterable[bool]) -> Iterator[bytes]:
    """What is to stand before each of a forest's sentences for it to begin a line, or not, as it
    did in its text: what is in its first line would be another thing."""
    ended = True
    for begins, (low, high) in zip(begin_line, forest.piece.tolist(), strict=True):
        yield b"" if begins == ended else b"\n" if begins else b")"
        ended = forest.source[high - 1 : high] in (b"\n", b"\r") if low < high else begins


def readings(forest: Forest, problems: list[Problem]) -> Readings:
    """Of a text that has just been read, problems in text order."""
    rows = np.searchsorted(forest.piece[:, 0], [*map(_START, problems)], side="right") - 1
    errors = np.array([one.severity == "error" for one in problems], np.bool_)
    sentences = len(forest)
    return Readings(
        (next(_COUNT) << 32) + np.arange(sentences),
        np.zeros(sentences, np.int32),
        np.arange(sentences, dtype=np.int32),
        {0: forest},
        {0: Problems(problems, each_once(rows), frozenset(rows[errors].tolist()))},
    )
