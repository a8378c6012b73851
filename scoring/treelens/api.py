"""The library: two texts in, every score out, and all that is behind it.

What is here is all that is promised to stay: the functions, what they return, and the values in
that (:class:`Finding`, :class:`Error`, :class:`Mark`, :class:`Problem`).

    >>> import treelens
    >>> result = treelens.score("(S (NP (DT a)) (VP (VB b)))", "(S (NP (DT a)) (X (VB b)))")
    >>> result.scores["recall"]
    66.66666666666667

The names here are also those of :mod:`treelens` itself, which loads them when they are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple

from treelens.compare.sides import Side
from treelens.counting.waiting import Held
from treelens.differences.difference import Finding
from treelens.differences.marks import Mark
from treelens.differences.wording import summary
from treelens.errors import Error
from treelens.metrics import Metric, Score
from treelens.metrics.table import STANDARD, applicable, choose, metrics_of, names_in, no_metric
from treelens.report.content import AtHand, counts, signature
from treelens.report.differences import Differences, add_stretches, resampled, waiting_rows
from treelens.rules.parameters import PRESETS, Parameters
from treelens.session.agreement import KEYS, Agreement, Disagreement
from treelens.session.document import document
from treelens.session.pair import Pair, pair
from treelens.statistics.kappa import Kappa
from treelens.statistics.significance import ITERATIONS
from treelens.trees.forest import Annotation, Problem, Symbols, encode

__all__ = [
    "AgreementResult",
    "Disagreement",
    "Error",
    "Finding",
    "Kappa",
    "Mark",
    "Problem",
    "Result",
    "Sentences",
    "agreement",
    "score",
    "significance",
    "summary",
]


class Sentences(NamedTuple):
    """Sentences of gold and system with the same text: one of each, where all is well.

    The ranges are of numbers from 0; either may be empty. ``findings`` is what differs.
    """

    gold: range
    system: range
    scores: dict[str, float | None]
    counts: dict[str, dict[str, int]]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of a system's text against gold's, as :func:`score` makes it; it never changes."""

    _pair: Pair = field(repr=False)

    @property
    def scores(self) -> dict[str, float | None]:
        """Every score of the corpus by name; None for 0/0."""
        return _values(self._pair.scores())

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """The whole numbers behind the scores, by metric."""
        return counts(self._pair.total, self._pair.metrics)

    @property
    def signature(self) -> str:
        """Everything that the scores depend on, in one line."""
        return signature(self._pair.parameters, self._pair.metrics)

    @property
    def problems(self) -> tuple[list[Problem], list[Problem]]:
        """What is wrong in gold's text, and in system's; offsets are bytes of UTF-8."""
        return self._pair.gold.problems(), self._pair.system.problems()

    def intervals(
        self, iterations: int = ITERATIONS, seed: int = 0
    ) -> dict[str, tuple[float | None, float | None]]:
        """A 95 % confidence interval of every score, by bootstrap over gold's sentences; None
        where nothing drawn had anything to count. The same seed gives the same numbers. A
        ValueError where nothing is to be drawn."""
        found = _differences([self._pair], iterations, seed)
        return {one.ratio.name: (one.low, one.high) for one in found.intervals[0]}

    def errors(self) -> Iterator[tuple[int, tuple[Error, ...]]]:
        """What differs by the wrong decisions behind it: the numbers of the groups that have any,
        in the order of :meth:`sentences`, with these."""
        return self._pair.all_errors()

    def edited(
        self, side: Literal["gold", "system"], start: int, end: int, replacement: str | bytes
    ) -> Result:
        """The result after ``[start, end)`` of a text was replaced (bytes of UTF-8), as exact as
        scoring both anew, for the cost of the sentences that were touched. What applies of the
        metrics' names follows from what the texts are then (the standard ones, if none of them
        does). ValueError where the text has no such bytes."""
        which = Side(side)
        new = encode(replacement) if isinstance(replacement, str) else replacement
        old = self._pair.document(which)
        if not 0 <= start <= end <= old.length:
            raise ValueError(f"no bytes {start} to {end} in {side}'s text of {old.length}")
        document, change = old.edit(start, end, new)
        return Result(self._pair.edit(which, document, change))

    def sentences(self) -> Iterator[Sentences]:
        """The same, group by group of sentences."""
        for number in range(len(self._pair)):
            yield Sentences(
                *self._pair.group(number),
                _values(self._pair.scores(number)),
                counts(self._pair.tally(number), self._pair.metrics),
                self._pair.findings(number),
            )


@dataclass(frozen=True, slots=True)
class AgreementResult:
    """How far two annotators agree, as :func:`agreement` makes it; the first stands for gold."""

    _found: Agreement = field(repr=False)

    @property
    def scores(self) -> dict[str, float | None]:
        """F1 and all others by name, from 0 to 100; None for 0/0."""
        return _values(self._found.scores())

    @property
    def kappas(self) -> dict[str, Kappa]:
        """Cohen's κ by what is agreed on (``labels``, ``tags``, …); only of what is there."""
        return self._found.kappas

    @property
    def uncounted_kappas(self) -> dict[str, Kappa]:
        """The same of what no score of structure counts (``functions``, ``lemmas``, …)."""
        return self._found.uncounted_kappas

    def disagreements(self, key: str) -> list[Disagreement]:
        """Which categories stand against which, the most frequent first, by a key of ``kappas`` or
        ``uncounted_kappas``. None of what the texts have nothing of, and of ``heads`` and
        ``attachments``, which mean something else in each sentence; a key that there is not is a
        ValueError."""
        if key not in KEYS:
            raise ValueError(f"'{key}' is nothing to agree on; there are {', '.join(KEYS)}")
        return self._found.disagreements(key)


def score(
    gold: str | bytes,
    system: str | bytes,
    parameters: Parameters | str = "default",
    metrics: Iterable[str] | str = (STANDARD,),
) -> Result:
    """Align and score two texts, of bracketed trees or CoNLL tables; never raises for what is in
    them.

    parameters: a preset's name (``default``, ``collins``, ``spmrl``, ``none``), or parameters,
    such as :func:`treelens.read_parameters` makes of a parameter file's text.
    metrics: names of metrics and of scores, also as one text with commas between; ``all`` are those
    that apply to the texts, ``standard`` those that are counted unasked. A name that there is not,
    or that does not apply, is a ValueError.
    """
    names = tuple(names_in(metrics) if isinstance(metrics, str) else metrics)
    if isinstance(parameters, str):
        if parameters not in PRESETS:
            raise ValueError(f"'{parameters}' is no preset; there are {', '.join(PRESETS)}")
        parameters = PRESETS[parameters]
    symbols = Symbols()
    texts = (encode(text) if isinstance(text, str) else text for text in (gold, system))
    documents = [document(text, symbols) for text in texts]
    annotations = [one.format.annotation for one in documents]
    chosen = choose(names, applicable(*annotations, heads=parameters.heads is not None))
    if chosen.unknown:
        raise ValueError(no_metric(chosen.unknown[0]))
    if set(chosen.unfit) - {STANDARD}:
        formats = " against ".join(one.format.name for one in documents)
        raise ValueError(f"“{chosen.unfit[0]}” is not counted of {formats}")
    # (What applies is asked again when an edit makes a text another kind of text.)
    fitting = partial(_fitting, names)
    return Result(pair(documents[0], documents[1], parameters, unasked=fitting))


def _fitting(
    names: Sequence[str], *annotations: Annotation, heads: bool = False
) -> tuple[Metric, ...]:
    chosen = choose(names, applicable(*annotations, heads=heads)).metrics
    return chosen or metrics_of(*annotations, heads=heads)


def significance(
    first: Result, second: Result, iterations: int = ITERATIONS, seed: int = 0
) -> dict[str, float | None]:
    """How often chance alone does as much as the difference between two systems, score by score.

    ``first`` and ``second`` are two systems' results against the same gold text, by the same
    metrics (else a ValueError). Two-sided probabilities by stratified shuffling (Cohen 1995), from
    ``1 / (iterations + 1)`` up to 1; None where either has no such score (0/0), as there is nothing
    to test then. A shuffle in which one of both has none counts as not as far apart. The same seed
    gives the same numbers.
    """
    if first.signature != second.signature:
        raise ValueError(f"not counted alike: {first.signature} and {second.signature}")
    if first._pair.gold.text() != second._pair.gold.text():
        raise ValueError("the two results are not against the same gold text")
    pairs = [first._pair, second._pair]
    found = _differences(pairs, iterations, seed)
    return {one.ratio.name: one.p for one in found.comparisons[0].differences}


def agreement(
    first: str | bytes, second: str | bytes, parameters: Parameters | str = "default"
) -> AgreementResult:
    """How far two annotators' texts agree: Cohen's κ, and what stands against what.

    ``agreement(first, second).kappas["labels"].value`` is None where κ is undefined;
    ``.disagreements("labels")`` are the pairs of labels. The arguments are those of :func:`score`.
    """
    return AgreementResult(Agreement(score(first, second, parameters)._pair))


def _differences(pairs: Sequence[Pair], iterations: int, seed: int) -> Differences:
    if iterations < 1 or seed < 0:
        raise ValueError(
            f"it takes 1 iteration or more, and a seed from 0 on, not {iterations} and {seed}"
        )
    metrics = pairs[0].metrics
    rows = [waiting_rows(Held, metrics) for _ in pairs]
    add_stretches(rows, [AtHand(pair) for pair in pairs], len(pairs[0].gold))
    return resampled([""] * len(pairs), rows, metrics, "", iterations, seed)


def _values(scores: tuple[Score, ...]) -> dict[str, float | None]:
    return {score.ratio.name: score.value for score in scores}
