"""``treelens picture``: a sentence drawn, as SVG or as LaTeX."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treelens.cli import CannotContinue, corpora, files, inputs, output
from treelens.cli.in_parts import counted_texts
from treelens.cli.several import Set, sets
from treelens.corpus.blocks import STRETCH_BYTES
from treelens.corpus.cuts import stretches_of
from treelens.counting.work import StreamedText, text
from treelens.metrics.table import metrics_of
from treelens.pictures.style import standalone
from treelens.present.lines import sentence_id
from treelens.present.pictures import PictureChoice, ShownPicture, picture, too_large
from treelens.render.width import clean
from treelens.rules.parameters import Parameters
from treelens.session.document import Before, Document
from treelens.session.pair import Pair, Side
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
    parameters = files.parameters(options.parameters)
    with contextlib.ExitStack() as stack:
        found = _sentence(sets(names), options.sentence, options.file, stack)
        if found.message:
            raise _none(found, found.message)
        snapshot, sentence = _snapshot(found, parameters)
        choice = PictureChoice(
            options.layout, folded=frozenset(options.fold), everything=not options.short
        )
        shown = picture(snapshot, _start(snapshot.document, sentence), choice)
    if shown is None or shown.message:
        raise _none(found, shown.message if shown else "there is no sentence")
    _write(_text(shown, options.format), options.output)
    return 0


class _Found(NamedTuple):
    """The sentence that is drawn: of a text, the first of some files that belong together.

    message: why it is not, as far as it says so itself; it is compared with nothing then.
    """

    names: tuple[str, ...]
    gold: StreamedText
    sentence: int
    message: str


def _none(found: _Found, message: str) -> CannotContinue:
    return CannotContinue(f"{clean(found.names[0])}: sentence {found.sentence + 1}: {message}")


def _start(document: Document, sentence: int) -> int:
    """Where a sentence's tree starts, in bytes."""
    forest, row, shift = document.piece(sentence)
    return int(forest.tree[row, 0]) + shift


def _sentence(
    together: Sequence[Set], wanted: str, argument: str, stack: contextlib.ExitStack
) -> _Found:
    """A sentence by its ID, or by its number (from 1, counted on through all files). ``stack``:
    where the text that it is in stays open."""
    number = int(wanted[:9]) - 1 if wanted.isdecimal() else -1
    numbered, before, message = None, 0, ""
    for one in together:
        with contextlib.ExitStack() as opened:
            gold = opened.enter_context(corpora.side(inputs.source(one.names[0])))
            first = 0
            for document in _documents(gold):
                for sentence in range(len(document)):
                    if sentence_id(document, sentence) == wanted:
                        stack.enter_context(opened.pop_all())
                        message = _too_large(document, sentence)
                        return _Found(one.names, gold, first + sentence, message)
                if 0 <= (here := number - before - first) < len(document):
                    message = _too_large(document, here)
                first += len(document)
            if before <= number < before + first:
                numbered = _Found(one.names, gold, number - before, message)
                stack.enter_context(opened.pop_all())
            before += first
    if numbered is None:
        raise CannotContinue(
            f"{clean(argument)} has no sentence “{clean(wanted)}”: they are numbered from 1 to "
            f"{before:,}, and in tables may have a sent_id"
        )
    return numbered


def _too_large(document: Document, sentence: int) -> str:
    return too_large([(document, range(sentence, sentence + 1))])


def _documents(gold: StreamedText) -> Iterator[Document]:
    """A text, some sentences at a time."""
    before, unread = Before(), ""
    for stretch in stretches_of(gold.source, gold.format, STRETCH_BYTES, gold.skipped):
        document = text(gold, stretch, Symbols())
        if not len(document):
            whole = (one.message for one in document.problems() if one.code == "unread")
            unread = unread or next(whole, "")
        yield dataclasses.replace(document, before=before)
        before = Before(before.sentences + len(document), before.lines + document.line_count - 1)
    if not before.sentences:
        with gold.source.open() as stream:
            start = stream.read(STRETCH_BYTES)
        name = gold.source.name
        why = f": {unread}" if unread else f" {files.no_trees(name, start)}"
        raise CannotContinue(f"{clean(files.shown(name))}{why}")


def _snapshot(found: _Found, parameters: Parameters) -> tuple[Snapshot, int]:
    """What stands around a sentence, with the same of the other file, and its number there."""
    name, *others = found.names
    pairs = [_pair(found, other, parameters) for other in others]
    document = pairs[0].gold if pairs else _around(found)
    sentence = found.sentence - document.before.sentences
    counterparts = tuple(map(Counterpart, others, itertools.repeat(Side.GOLD), pairs))
    return Snapshot(name, document, counterparts, View.of(range(sentence, sentence + 1))), sentence


def _around(found: _Found) -> Document:
    """Some sentences of the text, with the one that is drawn."""
    return next(
        one for one in _documents(found.gold) if found.sentence < one.before.sentences + len(one)
    )


def _pair(found: _Found, name: str, parameters: Parameters) -> Pair:
    """The stretch of both files that the sentence is in."""
    with corpora.side(inputs.source(name)) as system:
        formats = found.gold.format, system.format
        metrics = metrics_of(
            *(one.annotation for one in formats), heads=parameters.heads is not None
        )
        wanted = corpora.CorpusRequest(parameters, formats, metrics, 0)
        parts = counted_texts(found.gold, system, wanted, map).parts
        return parts[parts.holding(found.sentence)]


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
