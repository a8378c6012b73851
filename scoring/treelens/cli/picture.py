"""``treelens picture``: a sentence drawn, as SVG or as LaTeX."""

from __future__ import annotations

import argparse

from treelens.cli import CannotContinue, files, output
from treelens.pictures.style import standalone
from treelens.present.lines import sentence_id
from treelens.present.pictures import Choice, Shown, picture
from treelens.render.width import clean
from treelens.session.document import Document
from treelens.session.pair import Side, pair
from treelens.session.session import Counterpart, Snapshot
from treelens.trees.forest import Symbols

_EXAMPLES = """\
examples:
  treelens picture gold.mrg --sentence 12 > tree.svg
  treelens picture gold.mrg system.mrg --sentence 12 -o compared.svg
  treelens picture gold.conllu system.conllu --sentence weblog-001 --format latex

Exit status: 0, or 2 if there is no such sentence or no picture of it."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.file, options.system or ""])
    symbols = Symbols()
    gold = files.read_trees(options.file, symbols)
    sentence = _sentence(gold, options.sentence, options.file)
    others = _counterparts(gold, options, symbols)
    snapshot = Snapshot(options.file, gold, others, range(sentence, sentence + 1))
    choice = Choice(options.layout, folded=frozenset(options.fold), everything=not options.short)
    shown = picture(snapshot, gold.tree(sentence).start, choice)
    if shown is None or shown.message:
        what = shown.message if shown else "there is no sentence"
        raise CannotContinue(f"{clean(options.file)}: sentence {sentence + 1}: {what}")
    _write(_text(shown, options.format), options.output)
    return 0


def _sentence(document: Document, wanted: str, name: str) -> int:
    """The number of a sentence, from its number (from 1) or its ID."""
    for number in range(len(document)):
        if sentence_id(document, number) == wanted:
            return number
    if wanted.isdecimal() and 0 < int(wanted[:9]) <= len(document):
        return int(wanted) - 1
    raise CannotContinue(
        f"{clean(name)} has no sentence “{clean(wanted)}”: they are numbered from 1 to "
        f"{len(document):,}, and in tables may have a sent_id"
    )


def _counterparts(
    gold: Document, options: argparse.Namespace, symbols: Symbols
) -> tuple[Counterpart, ...]:
    if options.system is None:
        return ()
    system = files.read_trees(options.system, symbols)
    found = pair(gold, system, files.parameters(options.parameters))
    return (Counterpart(options.system, Side.GOLD, found),)


def _text(shown: Shown, format: str) -> str:
    return shown.latex if format == "latex" else standalone(shown.svg)


def _write(text: str, name: str | None) -> None:
    if name is None:
        output.write([text.rstrip("\n")], utf8=True)
        return
    with output.file(name) as file:
        file.write(text)


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens picture",
        description="Draw a sentence: its tree or its dependencies; with a system, what differs.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("file", metavar="FILE", help="trees or tables (- for standard input); gold")
    parser.add_argument("system", metavar="SYSTEM", nargs="?", help="what FILE is compared with")
    parser.add_argument(
        "-s",
        "--sentence",
        metavar="N|ID",
        default="1",
        help="its number, from 1 (default), or its sent_id",
    )
    parser.add_argument(
        "-f", "--format", choices=("svg", "latex"), default="svg", help="svg (default) or latex"
    )
    parser.add_argument(
        "-l",
        "--layout",
        choices=("overlaid", "beside", "own"),
        default="overlaid",
        help="both in one drawing (default), one under the other, or FILE's own only",
    )
    parser.add_argument(
        "--fold",
        metavar="ID",
        nargs="+",
        default=(),
        help="fold these: the data-node of a bracket or word in the SVG, such as g:3-7.0 or g:w5",
    )
    parser.add_argument(
        "--short", action="store_true", help="fold what is alike in long sentences too"
    )
    parser.add_argument(
        "-p",
        "--parameters",
        metavar="FILE|NAME",
        default="default",
        help="an evalb parameter file or a preset",
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write to a file")
    return parser
