"""Places for words: an alignment gives each word of gold and of test a place on one axis.

Three ways to one: gold's own words, which the test's have to be; a file of pairs of words; or
an alignment made here, which the original does not have. In the first two both trees are walked
along the alignment, and words that are not what is expected there are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from operator import attrgetter

from treelens.dropin.sparseval.reading import Node, Tree
from treelens.dropin.sparseval.words import alike

_DELETED = "100"
_WORD = attrgetter("word")


class Unaligned(Exception):  # noqa: N818 — an ending of the original
    """The trees hold more words than the alignment: what the original says, and where."""

    def __init__(self, message: str, side: str, word: str) -> None:
        super().__init__(message)
        self.message = message
        self.side = side
        self.word = word


class Disagreement(Exception):  # noqa: N818 — of a line of an alignment file, told as such
    """A line of an alignment that contradicts itself: the original's words, and ours."""

    def __init__(self, line: int, message: str, why: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.why = why


class Entry:
    """A place on the axis."""

    __slots__ = ("deletion", "gold", "gold_node", "number", "sentence", "test", "test_node")

    def __init__(self, gold: str | None, test: str | None, *, deletion: bool = False) -> None:
        self.gold = gold
        self.test = test
        """None if it is gold's word."""
        self.deletion = deletion
        """No word of the test stands here."""
        self.number = self.sentence = -1
        """As they are told in warnings; of a part of an entry there are none."""
        self.gold_node: Node | None = None
        self.test_node: Node | None = None

    def tested(self) -> str | None:
        """The word that the test should have here."""
        return self.gold if self.test is None else self.test


def read_alignment(lines: list[str]) -> list[Entry]:
    """An alignment file: ``gold<TAB>test<TAB>flags``, ``gold<TAB>100``, ``<TAB>test<TAB>010``.

    The flags are three digits for deletion, insertion and substitution; of them only the second
    is looked at. Raises Disagreement.
    """
    return [_entry(number, line) for number, line in enumerate(lines, start=1)]


_LINE = re.compile(r"(?s)([^ \t]*)[ \t]*([^ \t]*)(?:[ \t]+(.*))?")


def _entry(number: int, line: str) -> Entry:
    fields = _LINE.fullmatch(line)
    assert fields is not None  # every part of it may be empty
    gold, test, flags = fields.groups()
    if flags is None:
        if test != _DELETED:
            why = f"without flags behind it, '{test}' has to be {_DELETED}, for a deletion"
            raise Disagreement(number, "disagreement in alignment c", why)
        return Entry(gold or None, None, deletion=True)
    inserted = flags[1:2]
    if not gold and inserted == "0":
        why = "there is no word of gold, but the flags do not say that the other is inserted"
        raise Disagreement(number, f"{line}\n\ndisagreement in alignment a", why)
    if gold and inserted == "1":
        why = f"the flags say that a word is inserted, but there is a word of gold, '{gold}'"
        raise Disagreement(number, "disagreement in alignment b", why)
    return Entry(gold or None, None if test == gold else test)


def align_perfectly(gold: Tree, test: Tree, sentence: int, warn: Callable[[str], object]) -> bool:
    """Take gold's words as what both sides should have, deleted ones included.

    Without a word in gold there is no alignment: whether there is one. Raises Unaligned.
    """
    gold_words, test_words = gold.words(), test.words()
    if not gold_words:
        return False
    are_odd = gold.may_have_odd_words or test.may_have_odd_words
    if not are_odd and list(map(_WORD, gold_words)) == list(map(_WORD, test_words)):
        for place, pair in enumerate(zip(gold_words, test_words, strict=True)):
            _place(pair, place)
    else:
        entries = [Entry(word, None) for word in _own_words(gold.root)]
        _align(entries, gold_words, test_words, sentence, warn)
    return True


def _own_words(root: Node) -> list[str]:
    """Words from the top; below a bracket that has a word beside children none is looked for."""
    found: list[str] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.word is not None:
            found.append(node.word)
        else:
            waiting += reversed(node.children)
    return found


def align_along(
    entries: list[Entry], gold: Tree, test: Tree, sentence: int, warn: Callable[[str], object]
) -> None:
    """Take the words of an alignment file, which is used up. Raises Unaligned.

    Deleted words are in neither tree any more, but for that of a root that has one.
    """
    gold_words, test_words = (
        [node for node in tree.words() if not node.deleted] for tree in (gold, test)
    )
    _align(entries, gold_words, test_words, sentence, warn)


def _align(
    entries: list[Entry],
    gold: list[Node],
    test: list[Node],
    sentence: int,
    warn: Callable[[str], object],
) -> None:
    """Walk both sides along an alignment."""
    for number, entry in enumerate(entries, start=1):
        entry.number, entry.sentence = number, sentence
    _Walk(entries, warn).gold_words(gold)
    _Walk(entries, warn).test_words(test)
    for place, entry in enumerate(entries):
        _place((entry.gold_node, entry.test_node), place)


def _place(pair: tuple[Node | None, Node | None], place: int) -> None:
    """Give a word of gold, or one of the test, or both, a place.

    A word of the test at the place of a deleted word of gold is deleted too.
    """
    gold, test = pair
    if gold is not None:
        gold.start, gold.end = place, place + 1
    if test is not None:
        test.start, test.end = place, place + 1
        if gold is not None and gold.deleted:
            test.deleted = True


class _Walk:
    """A place in an alignment, and the words that it meets one after the other.

    A word may be a part of what is expected, which then becomes two entries, or what is
    expected here and next together.
    """

    def __init__(self, entries: list[Entry], warn: Callable[[str], object]) -> None:
        self.entries = entries
        self.at = 0
        self.warn = warn

    def gold_words(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            assert node.word is not None
            self._gold_word(node, node.word)

    def test_words(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            assert node.word is not None
            self._test_word(node, node.word)

    def _next(self, side: str, word: str) -> Entry:
        """The next entry that has a word for this side."""
        first = self.at
        is_gold = side == "gold"
        while self.at < len(self.entries):
            entry = self.entries[self.at]
            if entry.gold is not None if is_gold else not entry.deletion:
                return entry
            self.at += 1
        sentence, number = -1, -1
        if first < len(self.entries):
            sentence, number = self.entries[first].sentence, self.entries[first].number
        message = f"warning: {side} mis-alignment: ({sentence},{number}) {word}"
        raise Unaligned(message, side, word)

    def _entry(self, at: int) -> Entry | None:
        return self.entries[at] if at < len(self.entries) else None

    def _gold_word(self, node: Node, word: str) -> None:
        entry = self._next("gold", word)
        expected = entry.gold
        assert expected is not None
        entry.gold_node = node
        self.at += 1
        if word == expected:
            return
        if expected.startswith(word):
            rest = Entry(
                expected[len(word) :], None, deletion=entry.deletion or entry.test is not None
            )
            self.entries.insert(self.at, rest)
            entry.gold = word
            if entry.test == word:
                entry.test = None
            return
        following = self._entry(self.at)
        if following is not None and _is_both(word, expected, following.gold):
            self.at += 1
        else:
            self._warn("gold", entry, word, expected)

    def _test_word(self, node: Node, word: str) -> None:
        entry = self._next("test", word)
        expected = entry.tested()
        assert expected is not None
        entry.test_node = node
        self.at += 1
        if word == expected:
            return
        following = self._entry(self.at)
        if entry.test is not None and entry.test.startswith(word):
            if following is None or not following.deletion:
                following = Entry(None, None)
                self.entries.insert(self.at, following)
            # The place of a deleted word of gold, if there is one, takes the rest.
            following.deletion = False
            following.test = entry.test[len(word) :]
            entry.test = word
        elif following is not None and _is_both(word, expected, following.tested()):
            self.at += 1
        else:
            self._warn("test", entry, word, expected)

    def _warn(self, side: str, entry: Entry, word: str, expected: str) -> None:
        where = f"({entry.sentence},{entry.number + 1})"
        self.warn(f"warning, potential {side} mis-alignment {where}: {word} {expected}")


def _is_both(word: str, one: str, other: str | None) -> bool:
    if other is None:
        return False
    return word == f"{one}-{other}" or alike(one + other, word)
