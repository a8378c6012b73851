"""What a report of scores says, whatever its form: blocks of counts, how sentences paired up.

Everything here comes from the tallies of :class:`treelens.session.pair.Pair`, as what the
editor shows does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from treelens import __version__
from treelens.align.uncertain import Uncertain
from treelens.compare.sides import Side
from treelens.counting.sums import PairingCounts, Sums
from treelens.metrics import Metric, Score, Tallies, scores
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.counts import LENGTH, MISMATCH, OWN, PLACES
from treelens.session.document import Document
from treelens.session.document import place as place

if TYPE_CHECKING:
    from treelens.session.pair import Group, Pair


class ReadFile(NamedTuple):
    """A file as it was read."""

    name: str
    sentences: int
    problems: int


class ScoreBlock(NamedTuple):
    """Scores over some of the sentences; ``total`` is one row of counts.

    key: ``all``, or ``cutoff`` for those that are short enough.
    """

    key: str
    title: str
    sentences: int
    total: Tallies
    scores: tuple[Score, ...]


class FileScores(NamedTuple):
    """One file of a corpus, or all files below a folder of it."""

    name: str
    is_folder: bool
    blocks: tuple[ScoreBlock, ...]


class Behind(Protocol):
    """Two texts' groups of sentences in order, as pairs of some of each, as often as wanted."""

    def __iter__(self) -> Iterator[Pair]: ...
    def __getitem__(self, number: int, /) -> Pair: ...
    def counts(self) -> Iterator[Pair]:
        """The same, whose texts nobody asks for."""

    def scores_of(self, sentence: int) -> tuple[Score, ...]:
        """The scores of the group that a sentence of gold is in."""


@dataclass(frozen=True, slots=True)
class AtHand:
    """All of it in one pair."""

    pair: Pair

    def __iter__(self) -> Iterator[Pair]:
        return iter([self.pair])

    counts = __iter__

    def __getitem__(self, number: int) -> Pair:
        return [self.pair][number]

    def scores_of(self, sentence: int) -> tuple[Score, ...]:
        return self.pair.scores(self.pair.group_of(Side.GOLD, sentence))


class SystemReport(NamedTuple):
    """One system against gold.

    files: the files and folders of a corpus. uncertain: what is, in how sentences were paired, in
    all files. rows: gives every group of sentences, in order; None where there are sums only.
    behind: the sentences that the sums are of, if they can be looked at.
    """

    source: ReadFile
    pairing: PairingCounts
    blocks: tuple[ScoreBlock, ...]
    files: tuple[FileScores, ...] = ()
    uncertain: tuple[Uncertain, ...] = ()
    rows: Callable[[], Iterator[GroupRow]] | None = None
    behind: Behind | None = None

    @property
    def looked_at(self) -> Behind:
        """What is behind the sums, for forms of report that cannot do without."""
        if self.behind is None:
            raise ValueError(f"of {self.source.name} there are sums only")
        return self.behind


class Together(Protocol):
    """Of some of gold's sentences after the other, the pairs with each system."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[Pair, ...]]: ...


class Report(NamedTuple):
    """One or more systems against one gold file: the same metrics, under the same parameters.

    together: the sentences that all sums are of, where there are several systems and they can be
    looked at.
    """

    gold: ReadFile
    systems: tuple[SystemReport, ...]
    parameters: Parameters | None
    """None where only the signature is known."""
    metrics: tuple[Metric, ...]
    signature: str
    together: Together = ()


class GroupRow(NamedTuple):
    """One group of sentences; lines: where its first sentence starts in gold's file and in
    system's, from 1, and 0 where it has none there."""

    group: Group
    lines: tuple[int, int]
    length: int
    different: bool
    total: Tallies
    scores: tuple[Score, ...]


def signature(parameters: Parameters, metrics: Sequence[Metric]) -> str:
    """Everything that the numbers depend on, in one line: two equal ones are comparable."""
    preset = PRESETS.get(parameters.name)
    # These have fields of their own, so that --cutoff does not hide which preset it is.
    same = preset and preset == replace(
        parameters,
        cutoff=preset.cutoff,
        labelled=preset.labelled,
        spelling=preset.spelling,
        alignment=preset.alignment,
        heads=preset.heads,
    )
    fields = {
        "v": __version__,
        "metrics": "+".join(metric.name for metric in metrics),
        "parameters": parameters.name if same else parameters.signature,
        "brackets": "labelled" if parameters.labelled else "unlabelled",
        "cutoff": str(parameters.cutoff),
        "words": parameters.spelling.signature,
        "alignment": parameters.alignment,
    }
    if parameters.heads:
        fields["heads"] = parameters.heads.signature
    # A name is a file's, which may hold what separates fields here.
    return "treelens|" + "|".join(
        f"{key}:{value.replace('|', '_')}" for key, value in fields.items()
    )


def counts(total: Tallies, metrics: Sequence[Metric]) -> dict[str, dict[str, int]]:
    """A row of counts by metric and name."""
    found: dict[str, dict[str, int]] = {}
    at = 0
    for metric in metrics:
        values = total[at : at + len(metric.counts)].tolist()
        found[metric.name] = dict(zip(metric.counts, values, strict=True))
        at += len(metric.counts)
    return found


def blocks(sums: Sums, parameters: Parameters, metrics: Sequence[Metric]) -> tuple[ScoreBlock, ...]:
    """All sentences, and those up to the cutoff (by gold's length, as evalb has it)."""
    return blocks_of(sums, parameters.cutoff, metrics)


def blocks_of(sums: Sums, cutoff: int, metrics: Sequence[Metric]) -> tuple[ScoreBlock, ...]:
    """The same, given the cutoff."""
    return (
        ScoreBlock("all", "All sentences", sums.golds, sums.all, scores(sums.all, metrics)),
        ScoreBlock(
            "cutoff",
            f"Up to {cutoff} words",
            sums.short_golds,
            sums.short,
            scores(sums.short, metrics),
        ),
    )


def rows(pair: Pair) -> Iterator[GroupRow]:
    """Every group, in order."""
    lengths, different = pair.lengths(), pair.mismatching()
    for number in range(len(pair)):
        total, group = pair.tally(number), pair.group(number)
        length, differs = int(lengths[number]), bool(different[number])
        lines = (
            line_of(document, sentences[0]) if sentences else 0
            for document, sentences in zip((pair.gold, pair.system), group, strict=True)
        )
        found = scores(total, pair.metrics)
        yield GroupRow(group, (next(lines), next(lines)), length, differs, total, found)


def counted_rows(numbers: Tallies, metrics: Sequence[Metric]) -> Iterator[GroupRow]:
    """The same, of rows as :func:`treelens.counting.files.rows_of` gives them."""
    from treelens.session.pair import Group  # with all kinds of errors, which totals do without

    for row in numbers:
        gold, golds, system, systems, gold_line, system_line, *_ = row[: len(PLACES)].tolist()
        group = Group(range(gold - 1, gold - 1 + golds), range(system - 1, system - 1 + systems))
        length, different = int(row[LENGTH]), bool(row[MISMATCH])
        total = row[len(PLACES) : -len(OWN)]
        found = scores(total, metrics)
        yield GroupRow(group, (gold_line, system_line), length, different, total, found)


def headline(scores: Sequence[Score]) -> Score:
    """The one score that stands for all where there is room for one: the first headline."""
    return next((score for score in scores if score.ratio.headline), scores[0])


def line_of(document: Document, sentence: int) -> int:
    """The line of the whole text, from 1, on which a sentence's tree starts."""
    forest, row, shift = document.piece(sentence)
    return document.before.lines + document.line_at(int(forest.tree[row, 0]) + shift) + 1


def numbers(sentences: range, before: int = 0) -> str:
    """Sentence numbers as people count them: ``3``, or ``3-4``; nothing where there are none.
    before: how many there are in the text before those that are counted from 0."""
    if not sentences:
        return ""
    first, last = before + sentences[0] + 1, before + sentences[-1] + 1
    return str(first) if first == last else f"{first}-{last}"


def best(values: Sequence[float | None], higher_is_better: bool) -> float | None:
    """The best of several systems' values; None where there is nothing to choose."""
    known = [value for value in values if value is not None]
    if len(known) < 2 or min(known) == max(known):
        return None
    return float(max(known) if higher_is_better else min(known))


def short_names(names: Sequence[str]) -> list[str]:
    """The ends of paths that tell some files apart."""
    parts = [name.replace("\\", "/").strip("/").split("/") for name in names]
    for length in range(1, max(map(len, parts), default=0) + 1):
        ends = ["/".join(part[-length:]) for part in parts]
        if len(set(ends)) == len(set(names)):
            return ends
    return list(names)
