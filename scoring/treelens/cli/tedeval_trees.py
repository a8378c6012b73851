"""``treelens tedeval convert`` and ``combine``: treebanks as function trees, one or several."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from treelens.cli import CannotContinue, files, output
from treelens.cli.progress import Progress
from treelens.cli.tedeval_files import Reading, Remarks, read_treebank
from treelens.render.width import clean
from treelens.tedeval.algebra import (
    WILDCARD,
    Crossing,
    generalise_by_subsumption,
    generalise_multi_function,
    unify,
    unify_labels,
)
from treelens.tedeval.convert import LabelReading
from treelens.tedeval.treebank import FORMATS, Remark, Treebank
from treelens.tedeval.trees import Chains, FunctionTree, bracketed, chains, expanded, multi_function

_CONVERT = """\
Trees of any format become function trees, one a line: what the original's Dtreebank2Ftreebank
does for dependencies. OUT may be - (standard output)."""

_COMBINE = """\
Trees over the same words become one tree each, written as function trees:
  --tl-unify     the first file's nodes, with a function or without, each with the labels of all
                 files (enriches a treebank)
  --unify        all files' nodes and labels; fails for a sentence in which nodes cross
  --generalise   the nodes and labels that all files have (EACL 2012)
  --subsume      the same as in EMNLP 2011, where * is any label

A sentence that cannot be combined becomes (()), and is told. Exit status: 0; 1 if there was one."""

_EMPTY = "(())"

_Combined = Callable[[Sequence[Chains]], Chains | Crossing]


class _Operation(NamedTuple):
    """What is done, whether with multi-function trees, and how head daughters are labelled."""

    combined: _Combined
    sets: bool = True
    head_label: str = "hd"
    structure: bool = False
    """Whether nodes of the first tree stay that have no label."""


_OPERATIONS = {
    "--tl-unify": _Operation(unify_labels, structure=True),
    "--unify": _Operation(unify),
    "--generalise": _Operation(generalise_multi_function),
    "--subsume": _Operation(generalise_by_subsumption, sets=False, head_label=WILDCARD),
}


def convert(arguments: list[str]) -> int:
    """Write one treebank as function trees."""
    parser = _parser("convert", _CONVERT, WILDCARD)
    parser.add_argument("input", metavar="IN")
    parser.add_argument("output", metavar="OUT")
    options = parser.parse_args(arguments)
    output.not_over(options.output, [options.input])
    found = _treebank(options.input, options, options.head or WILDCARD)
    remarks = Remarks(options.input, found.remarks(), _most(options))
    _write(options.output, map(found.tree, range(len(found))), len(found))
    remarks.say()
    return 0


def combine(arguments: list[str]) -> int:
    """Write what several treebanks have in common, or say together, as function trees."""
    parser = _parser("combine", _COMBINE, "hd; with --subsume *")
    chosen = parser.add_mutually_exclusive_group(required=True)
    for name in _OPERATIONS:
        chosen.add_argument(name, action="store_const", const=name, dest="operation")
    parser.add_argument("inputs", metavar="IN", nargs="+")
    parser.add_argument("-o", default=files.STDIN, metavar="OUT", help="default: standard output")
    options = parser.parse_args(arguments)
    if len(options.inputs) < 2:
        raise CannotContinue("at least two treebanks are needed")
    files.only_one_stdin(options.inputs)
    output.not_over(options.o, options.inputs)
    operation = _OPERATIONS[options.operation]
    head = options.head or operation.head_label
    banks = [_treebank(name, options, head) for name in options.inputs]
    if len({len(bank) for bank in banks}) > 1:
        sizes = ", ".join(str(len(bank)) for bank in banks)
        output.say(f"note: the files have {sizes} trees; what one lacks is left out")
    remarks = [
        Remarks(name, bank.remarks(), _most(options))
        for name, bank in zip(options.inputs, banks, strict=True)
    ]
    failed: list[int] = []
    trees = _combined(banks, operation, remarks[0], failed)
    _write(options.o, trees, min(map(len, banks)))
    for its in remarks:
        its.say()
    return 1 if failed else 0


def _parser(name: str, description: str, head: str) -> argparse.ArgumentParser:
    parser = output.Parser(
        prog=f"treelens tedeval {name}",
        description=description,
    )
    parser.add_argument("-format", choices=("auto", *FORMATS), default="auto")
    parser.add_argument("--head", metavar="LABEL", help=f"head daughters' label (default: {head})")
    parser.add_argument("--labels", choices=("functions", "categories"), default="functions")
    parser.add_argument("--all-problems", action="store_true")
    return parser


def _most(options: argparse.Namespace) -> int | None:
    return None if options.all_problems else files.PROBLEMS_SHOWN


def _treebank(name: str, options: argparse.Namespace, head: str) -> Treebank:
    reading = Reading.of(name, options.format)
    return read_treebank(reading, LabelReading(options.labels), head, _most(options))


def _combined(
    banks: list[Treebank], operation: _Operation, remarks: Remarks, failed: list[int]
) -> Iterator[FunctionTree | None]:
    """Each sentence's tree; None where there is none."""
    for sentence in range(min(map(len, banks))):
        trees = [bank.tree(sentence) for bank in banks]
        problem = _other_words(trees)
        if problem is None:
            found = [chains(tree.nodes) for tree in trees]
            if operation.structure:
                found[0] = banks[0].nodes(sentence)
            if operation.sets:
                found = [multi_function(one) for one in found]
            both = operation.combined(found)
            if not isinstance(both, Crossing):
                yield expanded(trees[0].words, trees[0].tags, both)
                continue
            problem = _crossing(trees[0].words, both)
        text = f"{problem}; written as {_EMPTY}"
        remarks.add(Remark(banks[0].line(sentence), text, sentence))
        failed.append(sentence)
        yield None


def _other_words(trees: list[FunctionTree]) -> str | None:
    """What is wrong where trees are not over the same words."""
    first = trees[0].words
    for number, tree in enumerate(trees[1:], 2):
        if len(tree.words) != len(first):
            return f"{len(first)} words here, {len(tree.words)} in file {number}"
        for word, other in zip(first, tree.words, strict=True):
            if word != other:
                return f"“{word}” here is “{other}” in file {number}"
    return None


def _crossing(words: tuple[str, ...], crossing: Crossing) -> str:
    first, second = (" ".join(words[start:end]) for start, end in (crossing.first, crossing.second))
    return f"no unification, because “{first}” and “{second}” cross"


def _write(name: str, trees: Iterator[FunctionTree | None], total: int) -> None:
    with Progress(clean(files.shown(name))) as progress:
        lines = (
            bracketed(tree) if tree is not None else _EMPTY
            for tree in _watched(trees, total, progress)
        )
        if name == files.STDIN:
            output.write(lines, utf8=True)
            return
        with output.file(name, errors="surrogatepass") as file:
            file.writelines(f"{line}\n" for line in lines)


def _watched(
    trees: Iterator[FunctionTree | None], total: int, progress: Progress
) -> Iterator[FunctionTree | None]:
    for number, tree in enumerate(trees):
        progress(number / max(total, 1))
        yield tree
