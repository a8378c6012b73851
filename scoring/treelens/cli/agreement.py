"""``treelens agreement``: how far two annotators agree, and on what they do not."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator, Sequence

from treelens.cli import CannotContinue, files, in_parts, metrics, output
from treelens.cli.confusions import WaitingTables
from treelens.cli.in_parts import SetParts
from treelens.cli.options import add_common, with_options
from treelens.cli.output import whole_number
from treelens.cli.progress import Progress
from treelens.cli.several import sets
from treelens.cli.waiting import WaitingBytes
from treelens.counting.memory import give_back
from treelens.metrics import Metric
from treelens.metrics.table import applicable, choose
from treelens.report.agreement import (
    AnnotatorNames,
    FileAgreement,
    comma_separated,
    json_text,
    markdown,
    text,
)
from treelens.report.content import short_names
from treelens.session.agreement import AgreementSums
from treelens.session.pair import Pair
from treelens.trees.forest import Annotation

_SHOWN = ("F1", "UF1", "LAS", "UAS")
"""The scores of structure that are shown unless others are asked for."""

_PAIRS = 20

_EXAMPLES = """\
examples:
  treelens agreement anna.conllu boris.conllu
  treelens agreement anna.conllu boris.conllu carla.conllu --format html > agreement.html
  treelens agreement anna/ boris/
  treelens agreement -p spmrl anna.mrg boris.mrg --format markdown
  treelens agreement anna.mrg boris.mrg --metric UF1,tedeval --format json

Cohen's κ is given of labels, tags, relations and heads; where it is undefined (nothing to agree
on, or one category for everything) there is a dash. Exit status: 0, or 2 if the files cannot be
compared."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    names = [options.first, options.second, *options.others]
    files.only_one_stdin([*names, options.parameters, options.heads])
    parameters = with_options(files.parameters(options.parameters), options)

    def counted(sides: Sequence[Annotation]) -> tuple[Metric, ...]:
        """The scores of structure."""
        if options.metric:
            return metrics.chosen_for(metrics.names(options), sides, parameters)
        return choose(_SHOWN, applicable(*sides, heads=parameters.heads is not None)).metrics

    together = sets(names)
    reads = in_parts.each(together, options, parameters, count=counted)
    if options.others or options.format == "html":
        lines = _several(names, reads, options)
    else:
        lines = _two(names, reads, options, several=len(together) > 1)
    output.write(lines, utf8=options.format != "text")
    return 0


def _two(
    names: Sequence[str], reads: Iterable[SetParts], options: argparse.Namespace, *, several: bool
) -> Iterator[str]:
    """Two annotators: Cohen's κ, and what stands against what."""
    by_file, tables = list[FileAgreement](), WaitingTables()
    total: AgreementSums | None = None
    for read in reads:
        of_file: AgreementSums | None = None
        for pair in read.texts[0].parts:
            total = total or AgreementSums(pair, tables.table)
            of_file = of_file or AgreementSums(pair, None)
            total.add(pair, *[of_file] * several)
            del pair  # (Two are never held.)
        if several and of_file:
            by_file.append(FileAgreement(read.place, of_file.scores(), of_file.kappas))
    if total is None:
        raise CannotContinue("none of the files can be compared")
    called = AnnotatorNames(*map(files.shown, names))
    if options.format == "json":
        return json_text(total, called, by_file)
    if options.format == "csv":
        return comma_separated(total, by_file)
    if options.format == "markdown":
        return markdown(total, called, options.limit, by_file)
    return text(total, called, options.limit, by_file)


def _several(
    names: Sequence[str], reads: Iterable[SetParts], options: argparse.Namespace
) -> Iterator[str]:
    """Any number of annotators: α and Fleiss' κ, and each pair of them."""
    from treelens.counting.annotators import AnnotatorSums  # which two do without, as the next
    from treelens.report import annotators as several

    waiting, every = WaitingBytes(), list[tuple[str, AnnotatorSums]]()
    total = AnnotatorSums(waiting)
    by_pair: dict[tuple[int, int], AgreementSums] = {}

    def add(key: tuple[int, int], pair: Pair) -> None:
        by_pair.setdefault(key, AgreementSums(pair, None)).add(pair)

    for read in reads:
        of_file = AnnotatorSums(waiting, total.names)
        with Progress("Looking") as progress:
            for pairs in read.together().each(progress):
                of_file.add(pairs)
                for number, pair in enumerate(pairs, 1):
                    add((0, number), pair)
                del pairs, pair  # (Two are never held.)
        for key in itertools.combinations(range(1, len(names)), 2):
            for pair in read.between(*key).parts:
                add(key, pair)
        total.extend(of_file)
        every.append((read.place, of_file))
    if not every:
        raise CannotContinue("none of the files can be compared")
    give_back()
    shown = short_names([files.shown(name) for name in names])
    pairwise = [(shown[a], shown[b], found) for (a, b), found in sorted(by_pair.items())]
    # (Of one file, all is said of the total.)
    by_file = [several.of_file(*one) for one in every] if len(every) > 1 else []
    with Progress("Drawing sentences again") as progress:
        said = several.annotators(shown, total, pairwise, options.limit, by_file, progress)
    forms = {
        "text": several.text,
        "markdown": several.markdown,
        "json": several.json_text,
        "csv": several.comma_separated,
        "html": several.html,
    }
    return forms[options.format](said)


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens agreement",
        description="How far two annotators agree: F1 or attachment, Cohen's κ, and which "
        "categories stand against which.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "first",
        metavar="FIRST",
        help="one annotator's: a file (- for standard input), folder, pattern or list",
    )
    parser.add_argument("second", metavar="SECOND", help="the other annotator's")
    parser.add_argument(
        "others", metavar="MORE", nargs="*", help="further annotators: α and Fleiss' κ of all"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "json", "csv", "markdown", "html"),
        default="text",
        help="text (default), markdown, html, or json and csv, which have every pair of categories",
    )
    parser.add_argument(
        "-n",
        "--limit",
        type=whole_number,
        default=_PAIRS,
        metavar="N",
        help=f"pairs of categories of each kind in text and markdown (default: {_PAIRS})",
    )
    add_common(
        parser,
        parameters_for="about F1 and Cohen's κ: α and Fleiss' κ are of labels and tags as written",
    )
    return parser
