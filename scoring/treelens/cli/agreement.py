"""``treelens agreement``: how far two annotators agree, and on what they do not."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator

from treelens.cli import files, metrics, output
from treelens.cli.score import add_common, paired, read_gold, whole_number, with_options
from treelens.metrics import Metric
from treelens.metrics.table import applicable, choose
from treelens.report import annotators as several
from treelens.report.agreement import Names, comma_separated, json_text, markdown, text
from treelens.report.content import short_names
from treelens.rules.parameters import Parameters
from treelens.session.agreement import Agreement
from treelens.session.annotators import judged
from treelens.session.document import Document
from treelens.session.pair import Pair
from treelens.trees.forest import Symbols

_SHOWN = ("F1", "UF1", "LAS", "UAS")
"""The scores of structure that are shown unless others are asked for."""

_PAIRS = 20

_EXAMPLES = """\
examples:
  treelens agreement anna.conllu boris.conllu
  treelens agreement anna.conllu boris.conllu carla.conllu --format html > agreement.html
  treelens agreement -p spmrl anna.mrg boris.mrg --format markdown
  treelens agreement anna.mrg boris.mrg --metric UF1,tedeval --format json

Cohen's κ is given of labels, tags, relations and heads; where it is undefined (nothing to agree
on, or one category for everything) there is a dash. Exit status: 0, or 2 if the files cannot be
compared."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    names = [options.first, options.second, *options.others]
    files.only_one_stdin([*names, options.parameters, options.heads])
    if options.others or options.format == "html":
        return _several(names, options)
    parameters = with_options(files.parameters(options.parameters), options)
    symbols = Symbols()
    first = read_gold(options.first, symbols)
    second = files.read_trees(options.second, symbols)
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    for name, document in ((options.first, first), (options.second, second)):
        files.say_problems(name, document, most)
    counted = _counted(options, first, second, parameters)
    pair = paired(first, second, parameters, options.second, options.first, counted)
    output.write(_text(Agreement(pair), options), utf8=options.format != "text")
    return 0


def _counted(
    options: argparse.Namespace, first: Document, second: Document, parameters: Parameters
) -> tuple[Metric, ...]:
    """The scores of structure."""
    if options.metric:
        return metrics.chosen(metrics.names(options), [first, second], parameters)
    sides = (first.format.annotation, second.format.annotation)
    return choose(_SHOWN, applicable(*sides, heads=parameters.heads is not None)).metrics


def _several(names: list[str], options: argparse.Namespace) -> int:
    """Any number of annotators: α and Fleiss' κ, and each pair of them."""
    parameters = with_options(files.parameters(options.parameters), options)
    symbols = Symbols()
    documents = [read_gold(names[0], symbols)]
    documents += [files.read_trees(name, symbols) for name in names[1:]]
    most = None if options.all_problems else files.PROBLEMS_SHOWN
    for name, document in zip(names, documents, strict=True):
        files.say_problems(name, document, most)
    pairs: dict[tuple[int, int], Pair] = {}
    for a, b in itertools.combinations(range(len(names)), 2):
        counted = _counted(options, documents[a], documents[b], parameters)
        one, other = documents[a], documents[b]
        pairs[a, b] = paired(one, other, parameters, names[b], names[a], counted)
    found = judged(documents[0], [pairs[0, at] for at in range(1, len(names))])
    shown = short_names([files.shown(name) for name in names])
    by_pair = [(shown[a], shown[b], Agreement(pair)) for (a, b), pair in pairs.items()]
    said = several.annotators(shown, len(documents[0]), found, by_pair, options.limit)
    forms = {
        "text": several.text,
        "markdown": several.markdown,
        "json": several.json_text,
        "csv": several.comma_separated,
    }
    form = forms.get(options.format)
    lines = form(said) if form else several.html(said)
    output.write(lines, utf8=options.format != "text")
    return 0


def _text(found: Agreement, options: argparse.Namespace) -> Iterator[str]:
    names = Names(files.shown(options.first), files.shown(options.second))
    if options.format == "json":
        return json_text(found, names)
    if options.format == "csv":
        return comma_separated(found)
    if options.format == "markdown":
        return markdown(found, names, options.limit)
    return text(found, names, options.limit)


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens agreement",
        description="How far two annotators agree: F1 or attachment, Cohen's κ, and which "
        "categories stand against which.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "first", metavar="FIRST", help="one annotator's file (- for standard input)"
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
