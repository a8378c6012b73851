"""Distances of texts and of sequences: rapidfuzz's, loaded when one is first asked for.

Where two files hardly differ none is, and a start would pay for them all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rapidfuzz import fuzz as fuzz
    from rapidfuzz import process as process
    from rapidfuzz.distance import Indel as Indel
    from rapidfuzz.distance import LCSseq as LCSseq
    from rapidfuzz.distance import Levenshtein as Levenshtein
else:

    def __getattr__(name: str) -> Any:
        import rapidfuzz
        from rapidfuzz import distance

        globals().update(
            fuzz=rapidfuzz.fuzz,
            process=rapidfuzz.process,
            Indel=distance.Indel,
            LCSseq=distance.LCSseq,
            Levenshtein=distance.Levenshtein,
        )
        try:
            return globals()[name]
        except KeyError:
            raise AttributeError(name) from None
