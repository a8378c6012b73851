"""What a long list is grouped by is shown as far as it is known, while the rest is looked for."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

import pytest
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.session.session import Link
from treelens.trees.forest import Symbols, encode
from treelens_server import sorting
from treelens_server.sorting import Sorting

LINK = Link("a.gold.mrg", "a.system.mrg")
SENTENCES = 3_000


class Started:
    """What was begun in the background, for a test to do bit by bit."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, Callable[[Any], Any], Callable[[Any], None], Any]] = []

    def __call__(
        self,
        title: str,
        names: Set[str],
        work: Callable[[Any], Any],
        then: Callable[[Any], None],
        meanwhile: Callable[[], bool] | None = None,
    ) -> None:
        self.begun.append((title, work, then, meanwhile))


def a_pair() -> Pair:
    symbols = Symbols()
    lines = [f"(S (NP (N w{n})) (V goes))" for n in range(SENTENCES)]
    texts = "\n".join(lines), "\n".join(lines).replace("NP", "XP")
    return pair(*(document(encode(text), symbols, None) for text in texts))


@pytest.mark.parametrize("by", ["class", "label"])
def test_what_is_known_is_there_before_all_is(by: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "_FIRST", 0.0)
    started, of = Started(), a_pair()
    kept = Sorting(started)
    assert not len(kept.errors(of, by, LINK).group)
    ((_, work, then, meanwhile),) = started.begun
    known: list[int] = []

    def progress(share: float) -> None:
        if meanwhile():
            known.append(len({*kept.errors(of, by, LINK).group.tolist()}))

    found = work(progress)
    then(found)
    assert 0 < known[0] < known[1] < SENTENCES
    assert kept.news == len(known)
    assert len({*kept.errors(of, by, LINK).group.tolist()}) == SENTENCES
    assert not kept.is_wanting(of, by)
    assert len(started.begun) == 1
