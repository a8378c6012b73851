"""Which state of a text, and of how it is compared, something was said of.

A version cannot say it: what is not open has none, and what is opened again begins anew. So each
state has a name, whoever has the text: no other state has it, nor had one in a server before.
"""

from __future__ import annotations

import itertools
import secrets
from functools import lru_cache
from weakref import WeakKeyDictionary

from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.session import Counterpart

_WAYS = 64
"""Ways to compare that are known again; of one that was forgotten it is said that it is another."""


class States:
    """Names for states, given out when they are first asked for."""

    def __init__(self) -> None:
        self._server = secrets.token_hex(4)
        self._numbers = itertools.count(1)
        self._documents: WeakKeyDictionary[Document, int] = WeakKeyDictionary()
        self._way = lru_cache(_WAYS)(self._new_way)

    def of(self, document: Document) -> str:
        """The state of a text: a document that has another one by now is another object, and one
        whose file was read again, opened or closed as it was is the same."""
        number = self._documents.get(document)
        if number is None:
            number = self._documents[document] = next(self._numbers)
        return f"{self._server}.{number}"

    def compared(self, document: Document, other: Counterpart) -> str:
        """The state of all that the differences of two texts, and their order, follow from."""
        way = self._way(other.pair.asked, other.pair.strict)
        return f"{self.of(document)} {self.of(other.document)} {way}"

    def _new_way(self, parameters: Parameters, strict: bool) -> int:
        return next(self._numbers)
