"""What is doubted of files that are hardly a pair: all else of status is in test_comparing.py."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from drawn import sitting
from treelens.present import status
from treelens.present.status import doubt
from treelens.rules.parameters import Parameters
from treelens.session.session import Counterpart
from treelens.trees.forest import Forest


def test_a_wrong_pair_is_doubted() -> None:
    trees = [f"(S (A one-{k}) (B two-{k}))\n" for k in range(9)]
    others = [f"(S (A drei-{k}) (B vier-{k}))\n" for k in range(9)]

    def said(gold: list[str], system: list[str]) -> str:
        session = sitting("".join(gold), "".join(system))
        pair = session.pair(session.links[0])
        assert pair is not None
        return doubt(session.links[0], pair)

    assert said(trees, trees) == said(trees, trees[:1]) == said(trees[:4], others[:4]) == ""
    assert said(trees, others).startswith(
        "gold.mrg and system.mrg share hardly any words: 0 of 9 sentences have a counterpart. "
    )
    rows = [
        f"1\tone-{k}\t_\tA\t_\t_\t0\troot\t_\t_\n2\ttwo-{k}\t_\tB\t_\t_\t1\tx\t_\t_\n\n"
        for k in range(9)
    ]
    assert said(trees, rows).startswith(
        "gold.mrg has constituents and system.mrg has dependencies: only words and tags can be "
    )


def test_what_is_not_read_is_not_compared() -> None:
    rows = "1\tgo\t_\tV\t_\t_\t0\troot\t_\t_\n\n"
    session = sitting(rows, rows)
    (link,) = session.links
    cell = rows.index("\n")
    session.edit(link.gold, cell, cell, b"\t1:VPC")

    def shown(name: str) -> tuple[Counterpart, ...]:
        snapshot = session.snapshot(name)
        assert snapshot is not None
        return snapshot.counterparts

    pair = session.unread_or_pair(link)
    assert pair is not None
    assert (session.pair(link), shown(link.gold), shown(link.system)) == (None, (), ())
    said = status.status(link, pair)
    assert (said.score, said.mismatches) == ("not compared", 0)
    assert "cut -f1-10" in said.detail
    assert doubt(link, pair).startswith("Nothing is compared with gold.mrg: this is cupt ")

    session.edit(link.gold, cell, cell + len("\t1:VPC"), b"")
    assert session.pair(link) is session.unread_or_pair(link)
    assert len(shown(link.gold)) == len(shown(link.system)) == 1


@pytest.mark.parametrize(
    ("gold", "system", "doubted"),
    [
        ("plums ripen in autumn and fall to the ground", "they sing", ""),
        (
            "plums ripen in autumn and fall to the ground . / who eats them ?",
            "four black crows watch our old barn at dusk . / he saw it",
            "0 of 2 sentences have a counterpart",
        ),
        (
            "plums in our garden ripen in autumn and fall to the ground .",
            "four black crows watch the old barn at dusk .",
            "0 of 1 sentence has a counterpart",
        ),
        # Half typed: of the first sentence there is hardly a third.
        (
            "when plums in our garden are ripe at last , before the leaves of our trees turn red "
            "and the first cold nights come , they fall into the high grass / we eat them",
            "when plums in our garden are ripe at last ,",
            "",
        ),
        ("plums ripen in autumn and fall to the ground .", "", ""),
    ],
)
def test_of_few_sentences_it_takes_some_words_to_be_doubted(
    gold: str, system: str, doubted: str
) -> None:
    def trees(text: str) -> str:
        sentences = [one.split() for one in text.split("/")]
        return "".join(f"(S {' '.join(f'(X {word})' for word in one)})\n" for one in sentences)

    session = sitting(trees(gold), trees(system))
    pair = session.pair(session.links[0])
    assert pair is not None
    said = doubt(session.links[0], pair)
    assert doubted in said if doubted else not said


def test_few_sentences_are_looked_for_among_as_many_in_a_file_of_any_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    of_piece = status.text_of

    def counting(forest: Forest, row: int, parameters: Parameters) -> Sequence[bytes]:
        asked.append(row)
        return of_piece(forest, row, parameters)

    monkeypatch.setattr(status, "text_of", counting)
    other = "(S " + " ".join(f"(X drei-{k})" for k in range(12)) + ")\n"
    counts = []
    for size in (300, 900):
        session = sitting("".join(f"(S (A one-{k}))\n" for k in range(size)), other)
        pair = session.pair(session.links[0])
        assert pair is not None
        asked.clear()
        assert doubt(session.links[0], pair)
        counts.append(len(asked))
    assert counts[0] == counts[1]
