"""Counters of any number of keys in bounded memory: what is more than that waits on disk.

A counter that is too large is appended to a file, a key and its count a line. To be read, such a
file is put apart by its keys into parts that are small enough to be added up one at a time.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

_MOST = 1 << 18
"""Keys that are held, some 35 MB: in English those of 18,000 sentences."""
_PART_BYTES = 1 << 20
"""Some 25,000 keys."""


class Counters:
    """Counters that go to disk when they have more than ``most`` keys together.

    folder: makes a temporary folder, when there is something to write. part_bytes: of a file that
    is added up as a whole.
    """

    def __init__(
        self, folder: Callable[[], str], most: int = _MOST, part_bytes: int = _PART_BYTES
    ) -> None:
        self._make_folder, self._folder = folder, ""
        self._most = most
        self.part_bytes = part_bytes
        self._all: list[Spilled] = []

    def new(self, group: Callable[[bytes], bytes] = bytes) -> Spilled:
        """An empty one. ``group``: what the keys that are wanted together have in common."""
        self._all.append(Spilled(self, len(self._all), group))
        return self._all[-1]

    def bound(self) -> None:
        """Let go of what is too much; to be called after each piece of a bounded size."""
        if sum(map(len, self._all)) > self._most:
            self.spill()

    def spill(self) -> None:
        """Let go of all that memory holds."""
        self._folder = self._folder or self._make_folder()
        for each in self._all:
            each.spill(self._folder)


class Spilled:
    """One of :class:`Counters`, whose keys have no line ends; its length is how many of them
    memory holds."""

    def __init__(self, among: Counters, number: int, group: Callable[[bytes], bytes]) -> None:
        self._among, self._number, self._group = among, number, group
        self._held = Counter[bytes]()
        self._path = ""
        self._parts = 0

    def __len__(self) -> int:
        return len(self._held)

    def update(self, keys: Iterable[bytes]) -> None:
        """Add keys, or a mapping of them to their counts."""
        self._held.update(keys)

    def batches(self) -> Iterator[Counter[bytes]]:
        """All counts, some at a time, in no certain order. What has a group in common is in one
        batch."""
        if not self._path:
            yield self._held
            return
        self._among.spill()
        if os.path.exists(self._path):
            self._put_apart()
        for path in (f"{self._path}.{number}" for number in range(self._parts)):
            if os.path.exists(path):
                yield _added_up(path)

    def spill(self, folder: str) -> None:
        """Append what memory holds to a file."""
        if self._held:
            self._path = os.path.join(folder, str(self._number))
            with open(self._path, "ab") as file:
                file.writelines([b"%d %b\n" % (count, key) for key, count in self._held.items()])
            self._held = Counter()

    def _put_apart(self) -> None:
        size = self._among.part_bytes
        self._parts = self._parts or os.path.getsize(self._path) // size + 1
        with open(self._path, "rb") as file:
            while lines := file.readlines(size):
                parts: list[list[bytes]] = [[] for _ in range(self._parts)]
                for line in lines:
                    key = line[line.index(b" ") + 1 : -1]
                    parts[hash(self._group(key)) % self._parts].append(line)
                for number, part in enumerate(parts):
                    if part:
                        with open(f"{self._path}.{number}", "ab") as apart:
                            apart.writelines(part)
        os.remove(self._path)


def _added_up(path: str) -> Counter[bytes]:
    counts = Counter[bytes]()
    with open(path, "rb") as file:
        for line in file:
            count, _, key = line[:-1].partition(b" ")
            counts[key] = counts.get(key, 0) + int(count)
    return counts
