"""Numbers for any number of texts, in a few bytes each: what a text was is not known any more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_BYTES = 16
"""Of a digest: that two texts have the same one is less likely than that the memory errs."""

Numbers = npt.NDArray[np.int64]


def numbers_of(texts: Sequence[bytes]) -> Numbers:
    """A number of 63 bits for each text, which others are not likely to have; ``(texts,)``."""
    from hashlib import blake2b  # which loads OpenSSL; only asked for where there are texts

    given = b"".join(blake2b(text, digest_size=8).digest() for text in texts)
    return (np.frombuffer(given, "<u8") >> np.uint64(1)).astype(np.int64)


class NumberedTexts:
    """Numbers from 0, in the order in which texts come; 24 bytes a text.

    Sorted arrays, each more than twice as long as the next: each text is sorted anew only when
    there are twice as many.
    """

    def __init__(self) -> None:
        self._known = list[tuple[npt.NDArray[np.bytes_], Numbers]]()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def numbers(self, texts: Sequence[bytes]) -> Numbers:
        """The number of each text; new ones get the next. ``(texts,)``."""
        if not texts:
            return np.zeros(0, np.int64)
        from hashlib import blake2b  # as above

        given = np.array(
            [blake2b(text, digest_size=_BYTES).digest() for text in texts], f"S{_BYTES}"
        )
        digests, first, inverse = np.unique(given, return_index=True, return_inverse=True)
        found = np.full(len(digests), -1, np.int64)
        for keys, numbers in self._known:
            at = np.minimum(np.searchsorted(keys, digests), len(keys) - 1)
            same = keys[at] == digests
            found[same] = numbers[at[same]]
        new = np.flatnonzero(found < 0)
        if len(new):
            new = new[np.argsort(first[new])]
            found[new] = np.arange(self._count, self._count + len(new))
            self._count += len(new)
            new.sort()
            self._add(digests[new], found[new])
        return found[inverse]

    def _add(self, digests: npt.NDArray[np.bytes_], numbers: Numbers) -> None:
        while self._known and len(self._known[-1][0]) <= 2 * len(digests):
            keys, its = self._known.pop()
            digests, numbers = np.concatenate([keys, digests]), np.concatenate([its, numbers])
            order = np.argsort(digests, kind="stable")
            digests, numbers = digests[order], numbers[order]
        self._known.append((digests, numbers))
