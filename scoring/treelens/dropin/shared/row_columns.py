"""The rows and totals of many tallies at once: the same bytes as ``rows`` would print."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from treelens.dropin.shared.rows import ERROR, SKIPPED, Tally, Totals

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

_LARGEST = 999
"""Up to here every field but the line number has its own width, whatever stands in it."""
_FIELD_WIDTHS = (3, 1, 6, 6, 3, 3, 3, 3, 4, 4, 6)


def totals(numbers: Ints) -> Totals:
    """Column sums over the pairs."""
    status = numbers[1]
    scored = numbers[:, (status != SKIPPED) & (status != ERROR)]
    _, _, matched, gold, test, crossing, words, tags = scored
    return Totals(
        sentences=numbers.shape[1],
        skipped=int(np.count_nonzero(status == SKIPPED)),
        errors=int(np.count_nonzero(status == ERROR)),
        matched=int(matched.sum()),
        gold=int(gold.sum()),
        test=int(test.sum()),
        crossing=int(crossing.sum()),
        words=int(words.sum()),
        tags=int(tags.sum()),
        complete=int(np.count_nonzero((gold == test) & (test == matched))),
        without_crossing=int(np.count_nonzero(crossing == 0)),
        two_or_less_crossing=int(np.count_nonzero(crossing <= 2)),
    )


class RowPrinter:
    """Rows as a matrix of bytes, its columns filled from tables of what was printed before."""

    def __init__(
        self, row: Callable[[int, Tally], bytes], percent: Callable[[int, int], float]
    ) -> None:
        """How a row is written, and a percentage worked out, of a part and a whole."""
        self._row, self._percent_of = row, percent
        numbers = [b"%4d" % number for number in range(_LARGEST + 1)]
        self._four = np.frombuffer(b"".join(numbers), np.uint8).reshape(-1, 4)
        cells = (_LARGEST + 1) * (_LARGEST + 2) // 2
        self._percents = np.zeros((cells, 6), np.uint8)

    def rows(self, line: int, numbers: Ints) -> bytes:
        """The rows of pairs that are numbered from ``line`` on."""
        count = numbers.shape[1]
        digits = max(len(str(line)), 4)
        if numbers.max(initial=0) > _LARGEST:
            tallies = enumerate(zip(*numbers.tolist(), strict=True))
            return b"".join(self._row(line + k, Tally(*each)) for k, each in tallies)
        if len(str(line + count - 1)) > digits:
            # The number of the line widens the rest: no single matrix.
            half = 10**digits - line
            return self.rows(line, numbers[:, :half]) + self.rows(line + half, numbers[:, half:])
        return self._matrix(line, digits, numbers).tobytes()

    def _matrix(self, line: int, digits: int, numbers: Ints) -> Bytes:
        length, status, matched, gold, test, crossing, words, tags = numbers
        narrowest = self._row(10 ** (digits - 1), Tally(0, 0))
        template = np.frombuffer(narrowest, np.uint8)
        matrix = np.tile(template, (numbers.shape[1], 1))
        lines = b"%%%dd" % digits * len(length) % tuple(range(line, line + len(length)))
        matrix[:, :digits] = np.frombuffer(lines, np.uint8).reshape(-1, digits)
        fields = (
            self._four[length],
            self._four[status],
            self._percent(matched, gold),
            self._percent(matched, test),
            *(self._four[each] for each in (matched, gold, test, crossing, words, tags)),
            self._percent(tags, words),
        )
        for (start, end), field in zip(_places(narrowest), fields, strict=True):
            matrix[:, start:end] = field[:, start - end :]
        return matrix

    def _percent(self, part: Ints, whole: Ints) -> Bytes:
        """``%6.2f`` of the percentage; of nothing, zero."""
        index = whole * (whole + 1) // 2 + part
        missing = index[self._percents[index, -1] == 0]
        if len(missing):
            for each in set(missing.tolist()):
                self._percents[each] = np.frombuffer(self._percent_at(each), np.uint8)
        return self._percents[index]

    def _percent_at(self, index: int) -> bytes:
        whole = int(((8 * index + 1) ** 0.5 - 1) // 2)
        part = index - whole * (whole + 1) // 2
        return b"%6.2f" % self._percent_of(part, whole)


def _places(row: bytes) -> list[tuple[int, int]]:
    """Where in a row the fields after the line's number stand, with their largest widths."""
    ends = [found.end() for found in re.finditer(rb"[\d.]+", row)]
    return [(end - width, end) for end, width in zip(ends[1:], _FIELD_WIDTHS, strict=True)]
