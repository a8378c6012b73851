"""``treelens validate``: the guidelines of Universal Dependencies, checked by their validator."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator

from treelens.cli import CannotContinue, files, inputs, output
from treelens.cli.consistency import tree_files
from treelens.cli.corpora import enterable
from treelens.cli.output import whole_number
from treelens.cli.progress import Progress
from treelens.cli.ud_workers import NoValidator, ValidatorIncident, validated
from treelens.corpus.sources import Source, SourceError
from treelens.formats.table import named
from treelens.render.numbers import number_of
from treelens.render.width import clean

LEVELS = range(1, 7)
_SHOWN = 20
"""Incidents of a test that are shown."""

_EXAMPLES = """\
examples:
  treelens validate --language en en_ewt-ud-train.conllu en_ewt-ud-dev.conllu
  treelens validate --language ud treebank/ --level 3
  treelens validate --language is . --format sarif > validation.sarif

Levels: 1 is the table itself, 2 the format of Universal Dependencies, 3 what holds in all
languages, 4 the language's features and relations, 5 its auxiliaries, 6 coreference (CorefUD). All
files are one treebank: their sent_ids have to differ. Exit status: 0, 1 if there are errors, or
2."""


def run(arguments: list[str]) -> int:
    options = _parser().parse_args(arguments)
    if options.level not in LEVELS:
        raise CannotContinue(f"there are levels {LEVELS[0]} to {LEVELS[-1]}, not {options.level}")
    names = [name for name in tree_files(options.files) if _is_table(name)]
    if not names:
        raise CannotContinue("there are no CoNLL-U files among these")
    files.only_one_stdin(names)
    tally: _Tally = Counter()
    with contextlib.ExitStack() as stack:
        texts = [_text_of(name, stack) for name in names]
        size = sum(text.size or 0 for text in texts)
        progress = stack.enter_context(Progress("Validating", size))
        found = validated(texts, options.language, options.level, progress)
        lines = _text(_counted(found, tally, warnings=not options.no_warnings), tally, options)
        try:
            if options.format == "text" and not options.all:
                lines = iter([*lines])  # (few: nothing is drawn among them)
            output.write_all(lines, utf8=options.format != "text")
        except NoValidator as problem:
            raise CannotContinue(str(problem)) from None
        except SourceError as problem:
            raise CannotContinue(clean(str(problem))) from None
    return int(any(severity == "error" for severity, _ in tally))


def _text_of(name: str, stack: contextlib.ExitStack) -> Source:
    found = stack.enter_context(enterable(inputs.source(name)))
    if unread := found.format.unread:
        raise CannotContinue(f"{clean(files.shown(name))}: {unread.message}")
    return found.source._replace(name=files.shown(name))


_Tally = Counter[tuple[str, int]]
"""How many incidents there were of each severity and level."""


def _counted(
    found: Iterable[ValidatorIncident], tally: _Tally, *, warnings: bool
) -> Iterator[ValidatorIncident]:
    """Those that are wanted, as they come."""
    for one in found:
        if warnings or one.severity == "error":
            tally[one.severity, one.level] += 1
            yield one


def _is_table(name: str) -> bool:
    known = named(name)
    return known is None or known.annotation == "dependencies"


def _passed(tally: _Tally, level: int) -> int:
    """The highest level up to which there are no errors; 0: not even the first."""
    wrong = [level for severity, level in tally if severity == "error"]
    return min(wrong) - 1 if wrong else level


def _text(
    found: Iterable[ValidatorIncident], tally: _Tally, options: argparse.Namespace
) -> Iterator[str]:
    if options.format == "jsonl":
        return (json.dumps(one._asdict(), ensure_ascii=False) for one in found)
    if options.format == "sarif":
        return _sarif(found)
    return _lines(found, tally, options)


def _lines(
    found: Iterable[ValidatorIncident], tally: _Tally, options: argparse.Namespace
) -> Iterator[str]:
    most = None if options.all else _SHOWN
    shown: Counter[str] = Counter()
    explained: set[str] = set()
    for one in found:
        shown[one.test] += 1
        if most is not None and shown[one.test] > most:
            continue
        link = "" if one.link in explained or one.link in one.message else f"  {one.link}"
        explained.add(one.link)
        place = f"{clean(one.file)}:{one.line}"
        said = f"{one.severity}, level {one.level}, {one.test}: {clean(one.message)}"
        yield f"{place}: {said}{link.rstrip()}"
    for test, count in shown.items():
        if most is not None and count > most:
            yield f"and {count - most:,} more of {test} (--all shows them)"
    counts: Counter[str] = Counter()
    for (severity, _), count in tally.items():
        counts[severity] += count
    yield number_of(counts["error"], "error") + ", " + number_of(counts["warning"], "warning")
    level = _passed(tally, options.level)
    yield f"Level {level} is passed." if level else "Not even level 1 is passed."


def _sarif(found: Iterable[ValidatorIncident]) -> Iterator[str]:
    """One value of JSON, with a line a result."""
    yield '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",'
    yield '"runs": [{"results": ['
    tests: set[str] = set()
    for one in found:
        comma = "," if tests else ""
        tests.add(one.test)
        result = {
            "ruleId": f"ud/{one.test}",
            "level": one.severity,
            "message": {"text": f"{one.message} {one.link}".strip()},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _address(one.file)},
                        "region": {"startLine": max(one.line, 1)},
                    }
                }
            ],
        }
        yield comma + json.dumps(result, ensure_ascii=False)
    rules = [{"id": f"ud/{test}"} for test in sorted(tests)]
    tool = {"driver": {"name": "treelens validate", "rules": rules}}
    yield '], "tool": ' + json.dumps(tool, ensure_ascii=False) + "}]}"


def _address(name: str) -> str:
    from urllib.parse import quote  # which other forms do without

    return quote(name.replace("\\", "/"), errors="surrogateescape")


def _parser() -> argparse.ArgumentParser:
    parser = output.Parser(
        prog="treelens validate",
        description="Check tables against the guidelines of Universal Dependencies, with the "
        "validator of that project (pip install 'treelens[ud]').",
        epilog=_EXAMPLES,
    )
    parser.add_argument("files", metavar="FILE|DIR", nargs="+", help="CoNLL-U files, and folders")
    parser.add_argument(
        "-l",
        "--language",
        default="ud",
        metavar="CODE",
        help="whose features and relations are allowed (default: ud, what is of all languages)",
    )
    parser.add_argument(
        "--level", type=whole_number, default=5, metavar="N", help="up to this level (default: 5)"
    )
    parser.add_argument("--no-warnings", action="store_true", help="errors only")
    parser.add_argument(
        "--all", action="store_true", help=f"every incident, not the first {_SHOWN} of each test"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "jsonl", "sarif"),
        default="text",
        help="text (default), jsonl (a line an incident) or sarif",
    )
    return parser
