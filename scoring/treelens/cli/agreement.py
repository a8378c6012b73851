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
from treelens.cli.pairs import paired
from treelens.cli.several import SetPairs, each, sets
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
from treelens.session.document import Document
from treelens.session.pair import Pair
from treelens.trees.forest import Annotation, Symbols

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

    if options.others or options.format == "html":
        most = None if options.all_problems else files.PROBLEMS_SHOWN

        def of_documents(documents: Sequence[Document]) -> tuple[Metric, ...]:
            return counted([one.format.annotation for one in documents])

        reads = each(sets(names), options, parameters, most, of_documents, Symbols())
        lines = _several(names, reads, options)
    else:
        together = sets(names)
        read = in_parts.each(together, options, parameters, count=counted)
        lines = _two(names, read, options, several=len(together) > 1)
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
    names: Sequence[str], reads: Iterable[SetPairs], options: argparse.Namespace
) -> Iterator[str]:
    """Any number of annotators: α and Fleiss' κ, and each pair of them."""
    from treelens.report import annotators as several  # which two do without, as the next
    from treelens.session.annotators import judged, judged_together

    by_file, parts = list[several.FileAnnotators](), list[tuple[Document, tuple[Pair, ...]]]()
    pairs: dict[tuple[int, int], AgreementSums] = {}
    for read in reads:
        first = read.pairs[0].gold
        parts.append((first, read.pairs))
        said_here = judged(first, read.pairs)
        by_file.append(several.of_file(read.place, len(first), said_here))
        for key, pair in _each_two(read):
            pairs.setdefault(key, AgreementSums(pair, None)).add(pair)
    if not parts:
        raise CannotContinue("none of the files can be compared")
    shown = short_names([files.shown(name) for name in names])
    by_pair = [(shown[a], shown[b], found) for (a, b), found in pairs.items()]
    sentences = sum(len(first) for first, _ in parts)
    said_of_all = said_here if len(parts) == 1 else judged_together(parts)
    said = several.annotators(shown, sentences, said_of_all, by_pair, options.limit, by_file)
    forms = {
        "text": several.text,
        "markdown": several.markdown,
        "json": several.json_text,
        "csv": several.comma_separated,
        "html": several.html,
    }
    return forms[options.format](said)


def _each_two(read: SetPairs) -> Iterator[tuple[tuple[int, int], Pair]]:
    """Each two annotators' files; those of the first one are paired already."""
    for number, pair in enumerate(read.pairs, 1):
        yield (0, number), pair
    for a, b in itertools.combinations(range(1, len(read.names)), 2):
        one, other = read.pairs[a - 1], read.pairs[b - 1]
        names = read.names[b], read.names[a]
        yield (a, b), paired(one.system, other.system, one.parameters, *names, one.metrics)


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
    add_common(parser)
    return parser
