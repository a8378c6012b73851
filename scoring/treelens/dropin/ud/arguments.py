"""The command line of the two programs. Options may be joined, and shortened while they are
unmistakable, as Python's argparse has it; argparse itself takes longer to load than a small
file to score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_USAGE = """\
usage: treelens {name} [-v | -c] [options] GOLD SYSTEM

{what}
GOLD and SYSTEM are CoNLL-U files with the same text; words and sentences may differ.

  -v, --verbose           all metrics: precision, recall, F1, accuracy on aligned words
  -c, --counts            all metrics as counts
  --score-anyway          tell what is wrong with the files, and score the sentences without faults
"""
_USAGE_ENHANCED = """\
  --enhancements DIGITS   leave kinds of enhancements out: 1 gapping, 2 shared parents, 3 shared
                          dependents, 4 control, 5 relative clauses, 6 case; 0 (default) none
  --no-enhanced           no scores of enhanced dependencies
  --no-empty-nodes VALUE  an empty node is a fault, whatever the value is (unless it is empty)
  --multiple-roots-okay   a sentence may have several roots
"""
_WHAT = {
    "conll18": "LAS, MLAS and BLEX as in the CoNLL 2018 shared task (conll18_ud_eval.py 1.2).",
    "udeval": "The same with ELAS and EULAS, as eval.py of the Universal Dependencies tools.",
}
_SWITCHES = {"--verbose": "verbose", "--counts": "counts", "--score-anyway": "score_anyway"}
_SWITCHES_ENHANCED = {"--no-enhanced": "basic_only", "--multiple-roots-okay": "many_roots"}
_VALUES_ENHANCED = ("--enhancements", "--no-empty-nodes")
_LETTERS = {"v": "verbose", "c": "counts"}
_NUMBER = re.compile(r"-(\d+|\d*\.\d+)")


class Unusable(Exception):  # noqa: N818 — an ending, not an error of ours
    """The command line is wrong, or asks for help: what to print, and the exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


class Request(NamedTuple):
    """What the command line asks for."""

    gold: str = ""
    system: str = ""
    enhanced: bool = False
    verbose: bool = False
    counts: bool = False
    score_anyway: bool = False
    basic_only: bool = False
    no_empty_nodes: bool = False
    many_roots: bool = False
    enhancements: str = "0"


def read_arguments(arguments: Sequence[str], name: str) -> Request:
    request = Request(enhanced=name == "udeval")
    files: list[str] = []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--":
            files += rest
            break
        if argument.startswith("--"):
            request = _with_option(request, argument, rest, name)
        elif argument.startswith("-") and argument != "-":
            for letter in argument[1:]:
                if letter == "h":
                    raise Unusable(usage(name), 0)
                if letter not in _LETTERS:
                    raise _wrong(name, f"there is no option -{letter}")
                request = _switched(request, _LETTERS[letter])
        else:
            files.append(argument)
    if len(files) != 2:
        raise _wrong(name, f"two files are needed, GOLD and SYSTEM; {len(files)} given")
    return request._replace(gold=files[0], system=files[1])


def usage(name: str) -> str:
    more = _USAGE_ENHANCED if name == "udeval" else ""
    return _USAGE.format(name=name, what=_WHAT[name]) + more


def _with_option(request: Request, argument: str, rest: list[str], name: str) -> Request:
    option, equals, value = argument.partition("=")
    switches = _SWITCHES | (_SWITCHES_ENHANCED if request.enhanced else {})
    known = [*switches, "--help", *(_VALUES_ENHANCED if request.enhanced else [])]
    matches = [each for each in known if each.startswith(option)]
    if option in known:
        matches = [option]
    if len(matches) != 1:
        raise _wrong(name, f"there is no option {option}" if not matches else f"{option} is short")
    if matches[0] == "--help":
        raise Unusable(usage(name), 0)
    if matches[0] in _VALUES_ENHANCED:
        if not equals and not (rest and _is_value(rest[0])):
            raise _wrong(name, f"{matches[0]} needs a value")
        value = value if equals else rest.pop(0)
        if matches[0] == "--enhancements":
            return request._replace(enhancements=value)
        return request._replace(no_empty_nodes=bool(value))
    if equals:
        raise _wrong(name, f"{matches[0]} takes no value")
    return _switched(request, switches[matches[0]])


def _is_value(argument: str) -> bool:
    """As Python's argparse has it: another option is none, but a number is."""
    return not argument.startswith("-") or argument == "-" or bool(_NUMBER.fullmatch(argument))


def _switched(request: Request, switch: str) -> Request:
    # A table of names, which mypy cannot follow into replace().
    return request._replace(**{switch: True})  # type: ignore[arg-type]


def _wrong(name: str, message: str) -> Unusable:
    return Unusable(f"{usage(name)}\ntreelens {name}: {message}\n", 2)
