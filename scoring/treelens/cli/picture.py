"""``treelens picture``: a sentence drawn, as SVG or as LaTeX."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from treelens.cli import CannotContinue, files, output
from treelens.cli.several import Set, sets
from treelens.pictures.style import standalone
from treelens.present.lines import sentence_id
from treelens.present.pictures import PictureChoice, ShownPicture, picture
from treelens.render.width import clean
from treelens.rules.parameters import Parameters
from treelens.session.document import Document
from treelens.session.pair import Side, pair
from treelens.session.session import Counterpart, Snapshot
from treelens.session.view import View
from treelens.trees.forest import Symbols

_EXAMPLES = """\
examples:
  treelens picture gold.mrg --sentence 12 > tree.svg
  treelens picture gold.mrg system.mrg --sentence 12 -o compared.svg
  treelens picture gold.conllu system.conllu --sentence weblog-001 --format latex
  treelens picture gold/ system/ --sentence weblog-001 > compared.svg

Exit status: 0, or 2 if there is no such sentence or no picture of it."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    files.only_one_stdin([options.file, options.system or ""])
    output.not_over(options.output, [options.file, options.system])
    names = [options.file, options.system] if options.system else [options.file]
    found = _sentence(sets(names), options.sentence, options.file)
    name, gold, sentence = found.names[0], found.document, found.sentence
    others = _counterparts(found, files.parameters(options.parameters))
    snapshot = Snapshot(name, gold, others, View.of(range(sentence, sentence + 1)))
    choice = PictureChoice(
        options.layout, folded=frozenset(options.fold), everything=not options.short
    )
    shown = picture(snapshot, gold.tree(sentence).start, choice)
    if shown is None or shown.message:
        what = shown.message if shown else "there is no sentence"
        raise CannotContinue(f"{clean(name)}: sentence {sentence + 1}: {what}")
    _write(_text(shown, options.format), options.output)
    return 0


class _Found(NamedTuple):
    """The sentence that is drawn: of a document, the first of some files that belong together."""

    names: tuple[str, ...]
    document: Document
    sentence: int


def _sentence(together: Sequence[Set], wanted: str, argument: str) -> _Found:
    """A sentence by its ID, or by its number (from 1, counted on through all files)."""
    number = int(wanted[:9]) - 1 if wanted.isdecimal() else -1
    numbered, before = None, 0
    for one in together:
        document = files.read_trees(one.names[0], Symbols())
        for sentence in range(len(document)):
            if sentence_id(document, sentence) == wanted:
                return _Found(one.names, document, sentence)
        if before <= number < before + len(document):
            numbered = _Found(one.names, document, number - before)
        before += len(document)
    if numbered is None:
        raise CannotContinue(
            f"{clean(argument)} has no sentence “{clean(wanted)}”: they are numbered from 1 to "
            f"{before:,}, and in tables may have a sent_id"
        )
    return numbered


def _counterparts(found: _Found, parameters: Parameters) -> tuple[Counterpart, ...]:
    gold = found.document
    return tuple(
        Counterpart(name, Side.GOLD, pair(gold, files.read_trees(name, gold.symbols), parameters))
        for name in found.names[1:]
    )


def _text(shown: ShownPicture, format: str) -> str:
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
    parser.add_argument(
        "file", metavar="FILE", help="gold: a file (-: standard input), folder, pattern or list"
    )
    parser.add_argument("system", metavar="SYSTEM", nargs="?", help="what FILE is compared with")
    parser.add_argument(
        "-s",
        "--sentence",
        metavar="N|ID",
        default="1",
        help="its number, from 1 (default; in folders counted on), or its sent_id",
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
