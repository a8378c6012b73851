"""Which words are equal: by their letters, as filled pauses, or because the parameters say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from treelens.dropin.sparseval.settings import Settings

_FOLDED = {code: chr(code & 31) for code in range(256)} | {ord("-"): ""}
_LOWEST_NEGATIVE = 128
_APART = 32
_T = TypeVar("_T")


def alike(one: str, other: str) -> bool:
    """Whether two words are the same but for hyphens and case.

    Case is taken to be that characters are 32 apart, which also holds of ``'`` and ``G``, or
    ``1`` and ``Q``; so this is no equivalence: ``q`` is like ``Q``, ``Q`` like ``1``. Bytes past
    ASCII are negative numbers.
    """
    if one == other:
        return True
    if one.translate(_FOLDED) != other.translate(_FOLDED):
        return False
    pairs = zip(one.replace("-", ""), other.replace("-", ""), strict=True)
    return all(
        left == right or abs(_signed(left) - _signed(right)) == _APART for left, right in pairs
    )


def _signed(letter: str) -> int:
    code = ord(letter)
    return code - 256 if code >= _LOWEST_NEGATIVE else code


class _Traits(NamedTuple):
    """What of a word makes it equal to others."""

    folded: str
    pause: str
    """Its class of filled pauses; empty if it is none."""
    firsts: tuple[int, ...]
    """The pairs of equal words whose first one this is."""
    seconds: tuple[int, ...]


class _ByLetters(Generic[_T]):
    """What is said of some words, to be found by words that are like them."""

    def __init__(self, said: Iterable[tuple[str, _T]]) -> None:
        self._said: defaultdict[str, list[tuple[str, _T]]] = defaultdict(list)
        for word, what in said:
            self._said[word.translate(_FOLDED)].append((word, what))

    def found(self, word: str) -> tuple[_T, ...]:
        said = self._said.get(word.translate(_FOLDED), ())
        return tuple(what for like, what in said if alike(word, like))


class Words:
    """Equality of words under the parameters. Everything is found out once."""

    def __init__(self, settings: Settings) -> None:
        self._pauses: _ByLetters[str] = _ByLetters(settings.filled_pauses)
        self._firsts = _ByLetters((pair[0], at) for at, pair in enumerate(settings.equal_words))
        self._seconds = _ByLetters((pair[1], at) for at, pair in enumerate(settings.equal_words))
        self._traits: dict[str, _Traits] = {}
        self._equal: dict[tuple[str, str], bool] = {}

    def equal(self, one: str | None, other: str | None) -> bool:
        """Whether two words are equal; a head that is missing equals nothing."""
        if one is None or other is None:
            return False
        if one == other:
            return True
        known = self._equal.get((one, other))
        if known is None:
            known = self._equal[one, other] = self._are_equal(one, other)
        return known

    def _are_equal(self, one: str, other: str) -> bool:
        if alike(one, other):
            return True
        left, right = self.traits(one), self.traits(other)
        if left.pause and left.pause == right.pause:
            return True
        return not (
            set(left.firsts).isdisjoint(right.seconds)
            and set(left.seconds).isdisjoint(right.firsts)
        )

    def traits(self, word: str) -> _Traits:
        known = self._traits.get(word)
        if known is None:
            # Of several classes the one that was named last.
            name = next(reversed(self._pauses.found(word)), "")
            known = self._traits[word] = _Traits(
                word.translate(_FOLDED),
                name if name and _signed(name) > 0 else "",
                self._firsts.found(word),
                self._seconds.found(word),
            )
        return known


class Vocabulary:
    """Some words, to be found by words that they are equal to."""

    def __init__(self, words: Words, members: Iterable[str]) -> None:
        self._words = words
        self._folded: defaultdict[str, list[str]] = defaultdict(list)
        self._pauses: defaultdict[str, list[str]] = defaultdict(list)
        self._firsts: defaultdict[int, list[str]] = defaultdict(list)
        self._seconds: defaultdict[int, list[str]] = defaultdict(list)
        self._found: dict[str, list[str]] = {}
        for member in dict.fromkeys(members):
            traits = words.traits(member)
            self._folded[traits.folded].append(member)
            if traits.pause:
                self._pauses[traits.pause].append(member)
            for pair in traits.firsts:
                self._firsts[pair].append(member)
            for pair in traits.seconds:
                self._seconds[pair].append(member)

    def equal_to(self, word: str | None) -> list[str]:
        """All members that equal a word."""
        if word is None:
            return []
        known = self._found.get(word)
        if known is None:
            known = self._found[word] = list(dict.fromkeys(self._candidates(word)))
        return known

    def _candidates(self, word: str) -> Iterable[str]:
        traits = self._words.traits(word)
        yield from (member for member in self._folded.get(traits.folded, ()) if alike(word, member))
        if traits.pause:
            yield from self._pauses.get(traits.pause, ())
        for pair in traits.firsts:
            yield from self._seconds.get(pair, ())
        for pair in traits.seconds:
            yield from self._firsts.get(pair, ())
