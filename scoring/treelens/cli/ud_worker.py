"""The validator of Universal Dependencies, in a process of its own.

It is another project's program under another licence (``udtools``, GPL), and slow; whoever wants
to know something of some text starts this with :mod:`treelens.cli.ud_workers` and talks to it in
lines of JSON. Imports nothing of Treelens, so that it starts fast.

A request: ``text`` (whole sentences of a file), ``line`` (how many lines come before it),
``language``, ``level``, ``before`` (what is to be known of the texts before: :func:`_seed`) and
``last`` (no text comes after). The answer: ``incidents``, each with the line on which its node
stands.
"""

from __future__ import annotations

import importlib
import io
import json
import sys
from collections.abc import Iterator
from typing import Any

COREFERENCE = 6
"""The level that checks coreference too."""


def main() -> int:
    try:
        new_state = importlib.import_module("udtools.state").State
        new_validator = importlib.import_module("udtools.validator").Validator
    except ImportError:
        return 3
    # Whatever the validator prints is no answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    validators: dict[tuple[str, int], Any] = {}
    for line in sys.stdin:
        request = json.loads(line)
        # Of levels that know no language, the validator's own command says it is “ud”.
        language = request["language"] if request["level"] >= 4 else "ud"
        key = language, request["level"]
        if key not in validators:
            coreference = key[1] >= COREFERENCE
            validators[key] = new_validator(key[0], min(key[1], 5), coreference, output=None)
        answer = _validated(validators[key], new_state(), request)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return 0


def _validated(validator: Any, state: Any, request: dict[str, Any]) -> dict[str, Any]:
    _seed(state, request["before"])
    text = io.StringIO(request["text"], newline=None)
    found = []
    said = 0
    for start, lines in _sentences(text, request["line"], state):
        try:
            validator.validate_sentence(lines, state)
        except Exception as problem:  # the validator's own: it ends with no sentence's text
            found.append(_failure(problem, start))
        rows = {row.split("\t", 1)[0]: start + at for at, row in enumerate(lines) if "\t" in row}
        found += [_incident(one, rows) for one in state.error_tracker[said:]]
        said = len(state.error_tracker)
    validator.check_newlines(state, text)
    if request.get("last"):
        validator.validate_end(state)
    found += [_incident(one, {}) for one in state.error_tracker[said:]]
    return {"incidents": found}


def _seed(state: Any, before: dict[str, Any]) -> None:
    """Make a new state what it would be behind the texts before."""
    state.known_sent_ids.update(before.get("sent_ids", ()))
    for name, value in before.get("seen", {}).items():
        setattr(state, name, value)


def _sentences(text: io.StringIO, before: int, state: Any) -> Iterator[tuple[int, list[str]]]:
    """Sentences as the validator reads them, and the line from 1 on which each starts."""
    lines: list[str] = []
    number = before
    for number, line in enumerate(text, before + 1):
        state.current_line = number
        lines.append(line.rstrip("\n"))
        if not lines[-1].strip():
            yield number - len(lines) + 1, lines
            lines = []
    if lines:
        yield number - len(lines) + 1, lines


def _incident(one: Any, rows: dict[str, int]) -> dict[str, Any]:
    """Placed by its node, where it has one: of lines the validator keeps no good account."""
    node = "" if one.nodeid is None else str(one.nodeid)
    return {
        "level": int(one.level),
        "severity": "error" if one.is_error() else "warning",
        "class": str(one.testclass),
        "test": str(one.testid),
        "message": str(one.message),
        "explanation": str(one.explanation),
        "sent_id": "" if one.sentid is None else str(one.sentid),
        "node": node,
        "line": rows.get(node, int(one.lineno)),
    }


def _failure(problem: Exception, line: int) -> dict[str, Any]:
    return {
        "level": 1,
        "severity": "error",
        "class": "INTERNAL",
        "test": "validator-failed",
        "message": f"the validator failed here: {type(problem).__name__}: {problem}",
        "explanation": "",
        "sent_id": "",
        "node": "",
        "line": line,
    }


if __name__ == "__main__":
    sys.exit(main())
