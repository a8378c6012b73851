"""Which metrics are counted: the options that choose them, and the list of all there are."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from typing import Any

from treelens.cli import CannotContinue, files, output
from treelens.metrics import Metric
from treelens.metrics.table import (
    METRICS,
    STANDARD,
    applicable,
    choose,
    metrics_of,
    names_in,
    no_metric,
)
from treelens.render.width import clean
from treelens.rules.parameters import HEADS, Heads, Parameters
from treelens.trees.forest import Annotation, decode

_FILES: dict[Annotation, str] = {"constituents": "brackets", "dependencies": "CoNLL tables"}
_SEE_LIST = "'treelens score --list' shows all"


def add_options(parser: argparse.ArgumentParser) -> None:
    """``--metric``, ``--heads`` and ``--list``."""
    group = parser.add_argument_group("what is counted")
    group.add_argument(
        "-m",
        "--metric",
        action="append",
        metavar="NAME[,NAME...]",
        help="only these metrics or scores; 'all': every metric that applies to the files; "
        "'standard': those that are counted unasked",
    )
    group.add_argument(
        "--heads",
        metavar="TABLE",
        help="find the heads of constituents, for attachment scores: a file as SParseval reads "
        f"it, or {', '.join(HEADS)}",
    )
    group.add_argument(
        "--list", action=_List, nargs=0, help="list every metric with its scores, and stop"
    )


def names(options: argparse.Namespace) -> tuple[str, ...]:
    """The names that ``--metric`` was given; a clear complaint about one that there is none of."""
    given = [name for text in options.metric or [STANDARD] for name in names_in(text)]
    for name in choose(given, METRICS).unknown:
        raise CannotContinue(f"{clean(no_metric(name))} ({_SEE_LIST})")
    return tuple(given)


def chosen_for(
    given: Sequence[str], sides: Sequence[Annotation], parameters: Parameters
) -> tuple[Metric, ...]:
    """The metrics of those names, for files that say these things of their words; it is said
    which ones nobody gets who asks for none, since the files are of different kinds."""
    with_heads = parameters.heads is not None
    found = choose(given, applicable(*sides, heads=with_heads))
    for name in found.unfit:
        if name == STANDARD:
            continue
        between = _between(sides)
        hint = ""
        if not choose([name], applicable(*sides, heads=True)).unfit:
            hint = "; with --heads it is: heads are then found by a table"
        raise CannotContinue(f"“{clean(name)}” is not counted of {between}{hint} ({_SEE_LIST})")
    of_either = [one.name for side in sides for one in metrics_of(side, heads=with_heads)]
    counted = {one.name for one in found.metrics}
    lacking = [name for name in dict.fromkeys(of_either) if name not in counted]
    if lacking and any(name.lower() == STANDARD for name in given):
        what = ", ".join(lacking)
        output.say(f"note: {_between(sides)}: {what} cannot be counted between them ({_SEE_LIST})")
    return found.metrics


def _between(sides: Sequence[Annotation]) -> str:
    return " against ".join(_FILES[side] for side in dict.fromkeys(sides))


def heads(choice: str | None) -> Heads | None:
    """A table of heads by its name, or from a file; problems are said."""
    if choice is None or choice in HEADS:
        return HEADS[choice] if choice else None
    if choice != files.STDIN and not os.path.exists(choice):
        known = ", ".join(HEADS)
        raise CannotContinue(f"{clean(choice)}: no such head table, nor one of ours ({known})")
    found = Heads(os.path.basename(files.shown(choice)), decode(files.read_bytes(choice)))
    files.say_lines(choice, found.problems)
    return found


class _List(argparse.Action):
    """As ``--help``: says something and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        output.write(listing())
        parser.exit()


def listing() -> Iterator[str]:
    """Every metric: where it is from, of which files it is counted, and its scores."""
    yield "Metrics and their scores, by the names that --metric takes. Options of every metric are"
    yield "those that say which words are the same."
    for metric in METRICS:
        yield ""
        yield f"{metric.name}: {metric.title}"
        yield f"  source   {metric.source}"
        yield f"  files    {_of_files(metric)}"
        yield f"  counted  {'by default' if metric.standard else 'on request'}"
        if metric.options:
            yield f"  options  {' '.join(metric.options)}"
        width = max(len(ratio.name) for ratio in metric.ratios)
        yield from (f"    {ratio.name:<{width}}  {ratio.title}" for ratio in metric.ratios)


def _of_files(metric: Metric) -> str:
    kinds = [_FILES[one] for one in _FILES if one in metric.takes]
    if metric.from_heads:
        kinds.append("brackets with --heads")
    return ", ".join(kinds)
