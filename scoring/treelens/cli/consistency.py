"""``treelens consistency``: the same words in the same context, annotated differently."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from treelens.cli import CannotContinue, files, inputs, output
from treelens.cli.output import one_or_more, whole_number
from treelens.cli.processes import Workers, add_jobs, all_processors, on_dask, shared_out
from treelens.cli.progress import Progress
from treelens.consistency.agreed import FILE_NAME, Agreed
from treelens.consistency.found import (
    Asked,
    CorpusFile,
    FileName,
    PlacedGroup,
    Strip,
    bracket_strings,
    bracketed_strings,
    findings,
    strips,
    varying,
)
from treelens.consistency.options import (
    CONTEXTS,
    KINDS,
    TIERS,
    ConsistencyOptions,
    Tier,
    VariationKind,
)
from treelens.consistency.wording import context_text
from treelens.corpus import walk
from treelens.corpus.folders import is_packed, unpacked
from treelens.formats.table import named
from treelens.trees.forest import Symbols, decode

_EXAMPLES = """\
examples:
  treelens consistency treebank/
  treelens consistency *.conllu --kinds tags,relations --tier A
  treelens consistency . --format html -o consistency.html
  treelens consistency new.conllu --against release/ --fail-over 0
  treelens consistency train.mrg --kinds brackets --by structure

Tiers: A is the sharpest (identical sentences; relations with the same words around; clear
majorities), B what else has the same words around, C what is only similar (--context between,
--kinds rare). See docs/consistency.md for what was measured. Exit status: 0, 1 if there are more
groups than --fail-over allows, or 2 if files cannot be read."""

_DEFAULT_KINDS = ConsistencyOptions().kinds
_BRACKETS = (
    "bracket", "brackets", "gld", "mrg", "parse", "penn", "prd", "psd", "ptb", "spmrl", "tree",
    "trees", "tst",
)  # fmt: skip
"""Endings of files of trees in folders."""
_ON_PAGE = 100
_WORTH_A_THREAD = 50_000
"""Words."""
IN_MEMORY = 16 << 20
"""Bytes of text that are looked through at once, which is the fastest; more is by stretches."""
_UNPACKED = 8
"""What packed text comes to, at a guess."""


def run(arguments: list[str]) -> int:
    # Nothing that is found has a cycle; looking for one is a twentieth of the time, and the
    # process ends soon.
    gc.disable()
    options = _parser().parse_args(arguments)
    wanted = _options(options)
    names, against = tree_files(options.files), tree_files(options.against or [])
    files.only_one_stdin([*names, *against])
    output.not_over(options.output, [*names, *against])
    asked = Asked(_tier(options, wanted), options.every or options.format in ("jsonl", "csv"))
    search = _in_memory if _fits([*names, *against], options) else _of_any_size
    found, note = search(names, against, wanted, asked, options)
    _write(_text(found, options, _title(options.files), note), options)
    return int(options.fail_over is not None and len(found) > options.fail_over)


def _fits(names: Sequence[str], options: argparse.Namespace) -> bool:
    """Whether files are read as a whole."""
    return not on_dask(options) and options.engine == "own" and _is_small(names)


def _is_small(names: Sequence[str]) -> bool:
    size = 0
    for name in names:
        own = inputs.source(name).size
        if own is None:
            return False
        size += own * (_UNPACKED if is_packed(name) else 1)
    return size <= IN_MEMORY


def _of_any_size(
    names: Sequence[str],
    against: Sequence[str],
    wanted: ConsistencyOptions,
    asked: Asked,
    options: argparse.Namespace,
) -> tuple[Sequence[PlacedGroup], str]:
    # With all that shares out, which small corpora do without.
    from treelens.cli import varying
    from treelens.cli.stretches import Search

    workers = Workers(options.jobs or all_processors(), on_dask(options), options.scheduler)
    search = Search(wanted, _counts_strings(wanted, options), asked.tier, _agreed(options.files))
    every = [*names, *against]
    by_duckdb = options.engine == "duckdb"
    if by_duckdb and workers.dask:
        raise CannotContinue("--scheduler is of a Dask cluster; DuckDB is of this machine")
    found = varying.find(every, len(names), search, workers, every=asked.every, by_duckdb=by_duckdb)
    return found.groups, _note(found.brackets, found.strings, wanted)


def _in_memory(
    names: Sequence[str],
    against: Sequence[str],
    wanted: ConsistencyOptions,
    asked: Asked,
    options: argparse.Namespace,
) -> tuple[Sequence[PlacedGroup], str]:
    read = _read([*names, *against], Symbols(), len(names))
    parts = strips(read, wanted)
    with contextlib.ExitStack() as stack:
        strings = _strings(parts, wanted, stack) if _counts_strings(wanted, options) else None
        corpora = varying(parts, wanted, stack.enter_context(Progress("Looking")))
        found = findings(corpora, asked, _agreed(options.files))
    alike = sum(len(bracketed_strings(part.groups)) for part in corpora)
    return found, _note(alike, strings(), wanted) if strings else ""


def _counts_strings(wanted: ConsistencyOptions, options: argparse.Namespace) -> bool:
    """Whether it is said how many strings vary whatever is beside them."""
    return options.format == "text" and "brackets" in wanted.kinds and wanted.context != "between"


def _strings(
    parts: Sequence[Strip], wanted: ConsistencyOptions, stack: contextlib.ExitStack
) -> Callable[[], int] | None:
    """How many strings vary: being counted while the others are looked for, as both sort
    columns."""
    if not any(one.has_brackets for one in parts):
        return None
    count = partial(bracket_strings, parts, wanted)
    if sum(len(one.material.forest.word) for one in parts) < _WORTH_A_THREAD:
        return count
    from concurrent.futures import ThreadPoolExecutor  # which takes longer to load

    return stack.enter_context(ThreadPoolExecutor(1)).submit(count).result


def _note(alike: int, strings: int, wanted: ConsistencyOptions) -> str:
    """How few of the strings that vary have the same words around."""
    if not strings:
        return ""
    said = f"brackets: {alike:,} of {strings:,} strings that vary"
    return f"{said} have the same {context_text(wanted.context)}"


def _title(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"


def _agreed(names: Sequence[str]) -> Agreed:
    """What is known to be right both ways, in the folders that are named and those of files."""
    folders = [name if os.path.isdir(name) else os.path.dirname(name) for name in names]
    paths = dict.fromkeys(os.path.join(folder, FILE_NAME) for folder in folders)
    there = [path for path in paths if os.path.isfile(path)]
    agreed = Agreed("\n".join(decode(files.read_bytes(path)) for path in there))
    files.say_lines(" + ".join(there), agreed.problems)
    return agreed


def _options(options: argparse.Namespace) -> ConsistencyOptions:
    if options.context == "between" and any(kind.startswith("tags") for kind in options.kinds):
        if options.kinds != _DEFAULT_KINDS:
            raise CannotContinue(
                "tags are of single words: without a word beside them (--context between) there "
                "is nothing that has to be the same"
            )
        options.kinds = tuple(kind for kind in options.kinds if kind != "tags")
    return ConsistencyOptions(
        kinds=options.kinds,
        context=options.context,
        on=options.on,
        distance=options.distance,
        functions=options.functions,
        most=options.rare,
    )


def _tier(options: argparse.Namespace, wanted: ConsistencyOptions) -> Tier:
    """The tier asked for; else the last one that what is asked for has."""
    tier: Tier | None = options.tier
    if tier is not None:
        return tier
    return "C" if wanted.context != "both" or "rare" in wanted.kinds else "B"


# --- files ---------------------------------------------------------------------------------


def tree_files(given: Sequence[str]) -> list[str]:
    """Files as they are given (by name, pattern or list); of folders, those whose names say that
    they hold trees."""
    found: list[str] = []
    for name in given:
        if not os.path.isdir(name):
            found += [file.name for file in inputs.files(name).by_place.values()]
            continue
        paths = walk(partial(inputs.entries, name))
        inside = [os.path.join(name, path) for path in paths if _of_trees(path)]
        if not inside:
            raise CannotContinue(f"{name} holds no files of trees ({_endings()})")
        found += inside
    return list(dict.fromkeys(found))


def _of_trees(path: str) -> bool:
    path = unpacked(path)
    known = named(path)
    if known is not None:
        return known.annotation == "dependencies"
    return path.rsplit(".", 1)[-1].lower() in _BRACKETS


def _endings() -> str:
    return ", ".join(sorted(f".{ending}" for ending in ("conllu", "conll", *_BRACKETS)))


def _read(names: Sequence[str], symbols: Symbols, own: int) -> list[CorpusFile]:
    found = []
    sizes = [os.path.getsize(name) if os.path.isfile(name) else 0 for name in names]
    done, total = 0, max(sum(sizes), 1)
    with Progress("Reading") as progress, shared_out(Workers(1)) as shared:
        documents = shared(lambda name: files.read_trees(name, symbols), names)
        each = zip(names, sizes, documents, strict=True)
        for number, (name, size, document) in enumerate(each):
            files.say_problems(name, document)
            found.append(CorpusFile(FileName(files.shown(name), number >= own), document))
            done += size
            progress(done / total)
    return found


# --- what is written -----------------------------------------------------------------------


def _text(
    found: Sequence[PlacedGroup], options: argparse.Namespace, title: str, note: str
) -> Iterator[str]:
    # (Each form is loaded where it is asked for.)
    limited = found[: options.limit]
    if options.format == "jsonl":
        from treelens.report.consistency.as_rows import json_lines

        return json_lines(limited)
    if options.format == "csv":
        from treelens.report.consistency.as_rows import comma_separated

        return comma_separated(limited)
    if options.format == "sarif":
        from treelens.report.consistency.as_sarif import sarif

        return sarif(limited)
    if options.format == "html":
        from treelens.report.consistency.as_html import html

        return html(found, title, _ON_PAGE if options.limit is None else options.limit)
    from treelens.report.consistency.as_text import text

    paint = output.paint("never" if options.output else options.color)
    columns = 100 if options.output else output.columns()
    by_structure = options.by == "structure"
    return text(found, note, options.limit, columns, paint, by_structure=by_structure)


def _write(lines: Iterator[str], options: argparse.Namespace) -> None:
    if options.output is None:
        output.write_all(lines, utf8=options.format != "text")
        return
    with output.file(options.output) as file:
        file.writelines(f"{line}\n" for line in lines)


def _kinds(text: str) -> tuple[VariationKind, ...]:
    wanted = text.split(",")
    for name in wanted:
        if name not in KINDS:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in wanted)


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens consistency",
        description="Find the same words in the same context that are annotated differently.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "files", metavar="FILE|DIR", nargs="+", help="files of trees or tables, and folders of them"
    )
    parser.add_argument(
        "--kinds",
        type=_kinds,
        default=_DEFAULT_KINDS,
        metavar="KIND,...",
        help=f"of {', '.join(KINDS)} (default: {', '.join(_DEFAULT_KINDS)})",
    )
    parser.add_argument(
        "--context",
        choices=CONTEXTS,
        default="both",
        help="the words beside that have to be the same too (default: both)",
    )
    parser.add_argument(
        "--on", choices=("form", "lower", "lemma"), default="form",
        help="what of a word has to be the same (default: form)",
    )  # fmt: skip
    parser.add_argument(
        "--distance",
        type=one_or_more,
        default=7,
        metavar="N",
        help="how far apart the words of a relation may be (default: 7)",
    )
    parser.add_argument(
        "--functions", action="store_true", help="function tags are part of a bracket's label"
    )
    parser.add_argument(
        "--rare",
        type=whole_number,
        default=100,
        metavar="N",
        help="how many decisions of --kinds rare at most (default: 100)",
    )
    parser.add_argument("--tier", choices=TIERS, default=None, help="up to this tier (default: B)")
    parser.add_argument(
        "--every", action="store_true", help="also strings inside longer ones of the same places"
    )
    parser.add_argument(
        "--against",
        metavar="OTHER",
        nargs="+",
        help="files or folders to hold the corpus against: only what both have is shown",
    )
    parser.add_argument(
        "--by",
        choices=("words", "structure"),
        default="words",
        help="in text: an entry for each string of words (default), or for each pair of labels; "
        "other formats are the same",
    )
    add_jobs(parser, one_or_more, groups=True)
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "jsonl", "csv", "html", "sarif"),
        default="text",
        help="text (default), jsonl (a line a group), csv (a row a place), html or sarif",
    )
    parser.add_argument(
        "-n", "--limit", type=whole_number, default=None, metavar="N",
        help=f"the first N groups (default: all; html: {_ON_PAGE})",
    )  # fmt: skip
    parser.add_argument(
        "--fail-over",
        type=whole_number,
        default=None,
        metavar="N",
        help="exit status 1 if there are more than N groups",
    )
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours in text"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write to a file")
    return parser
