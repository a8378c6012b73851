"""Everything that a server says of its open documents, asked for as a client does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from lsp_client import Client, Message, without_states

Answers = dict[str, Any]
"""What was asked, in words, and the answer."""

WHOLE: Message = {
    "start": {"line": 0, "character": 0},
    "end": {"line": 1 << 20, "character": 0},
}
_RESOLVED = 3
"""Actions of a file at most whose edits are asked for."""
_OF_DOCUMENTS = ("foldingRange", "documentSymbol")
_AT_PLACES = (
    "hover",
    "definition",
    "implementation",
    "references",
    "documentHighlight",
    "linkedEditingRange",
    "completion",
    "prepareRename",
    "prepareCallHierarchy",
)
_OPTIONS: Message = {"tabSize": 2, "insertSpaces": True}
_LISTS: tuple[Message, ...] = (
    {"order": "score", "by": "nothing"},
    {"order": "mismatches", "by": "class"},
    {"order": "suspects", "by": "labels"},
    {"order": "worse", "by": "state"},
    {"order": "file", "by": "kind", "filter": {"query": "N", "least": 1}},
)
_STEPS = ("worst", "next", "previous")
_GOES = (
    "treelens.nextMismatch",
    "treelens.previousMismatch",
    "treelens.nextVariation",
    "treelens.otherPlace",
)
_MOVED = re.compile(r", [+-]\d+\.\d\d|(?<=\n\n)(?:at first|before): .*\n\n")
"""How a score has moved since, in the status bar and behind it: a fresh server saw no other."""


class Open(NamedTuple):
    """A document as it is in the client; ``places``: positions to ask about."""

    uri: str
    text: str
    version: int
    language: str
    places: Sequence[Message]


def everything(client: Client, documents: Sequence[Open]) -> Answers:
    """All questions are sent at once, then those that follow from their answers."""
    answers = _asked(client, [*_VARYING, *(one for each in documents for one in _questions(each))])
    for name, *_ in _VARYING:
        # (A file without trees is followed from when it is saved with some; what words are called
        # by is each server's own.)
        answers[name].pop("files")
        for one in answers[name]["variations"]:
            one.pop("identity")
    for each in documents:
        pulled = answers[f"diagnostic {each.uri}"]
        pulled.pop("resultId", None)
        more = [
            (f"lens {number} {each.uri}", "codeLens/resolve", lens)
            for number, lens in enumerate(answers[f"codeLens {each.uri}"] or ())
            if "command" not in lens
        ]
        actions = [
            (f"{action['title']} {key}", "codeAction/resolve", action)
            for key, found in answers.items()
            if key.startswith("codeAction ") and key.endswith(each.uri)
            for action in found or ()
            if "data" in action and "edit" not in action
        ]
        more += [
            (f"{calls} {key}", f"callHierarchy/{calls}Calls", {"item": item})
            for key, found in answers.items()
            if key.startswith("prepareCallHierarchy ") and key.endswith(each.uri)
            for item in found or ()
            for calls in ("incoming", "outgoing")
        ]
        # (Each is worked out for itself, some by trying all that a file needs.)
        answers |= _asked(client, [*more, *actions[:: len(actions) // _RESOLVED + 1]])
        tokens = answers[f"semanticTokens/range {each.uri}"]
        if tokens:
            tokens.pop("resultId", None)
        for place in each.places:
            for command in _GOES:
                name = f"{command} {place['line']}:{place['character']} {each.uri}"
                answers[name] = _shown(client, command, {"uri": each.uri, "position": place})
    found: Answers = without_states(answers)
    return found | _status(client)


def _shown(client: Client, command: str, argument: Message) -> list[Message]:
    """What a command has the client show."""
    before = len(client.seen)
    client.request("workspace/executeCommand", {"command": command, "arguments": [argument]})
    shown = ("window/showDocument", "window/showMessage")
    return [one["params"] for one in client.seen[before:] if one["method"] in shown]


def _status(client: Client) -> Answers:
    """What the status bar says of all pairs and adjudications."""
    client.request("treelens/configured", {"uris": []})  # (Behind all that was said before.)
    pairs = [
        {**pair, **{key: _MOVED.sub("", pair[key]) for key in ("score", "detail")}}
        for pair in client.pairs()
    ]
    return {
        "status": sorted(pairs, key=lambda pair: (pair["gold"], pair["system"])),
        "adjudications": client.adjudications,
    }


_VARYING = [
    (f"variations {by}", "treelens/variations", {"by": by})
    for by in ("nothing", "kind", "structure", "file")
]


def _questions(of: Open) -> Iterator[tuple[str, str, Message]]:
    document: Message = {"textDocument": {"uri": of.uri}}
    for method in ("diagnostic", "codeLens", *_OF_DOCUMENTS):
        yield f"{method} {of.uri}", f"textDocument/{method}", document
    for method in ("inlayHint", "semanticTokens/range"):
        yield f"{method} {of.uri}", f"textDocument/{method}", {**document, "range": WHOLE}
    name = f"formatting {of.uri}"
    yield name, "textDocument/formatting", {**document, "options": _OPTIONS}
    for reviewed in ("gold", "system"):
        for options in _LISTS:
            params = {"uri": of.uri, "reviewed": reviewed, **options}
            yield f"worklist {reviewed} {options} {of.uri}", "treelens/worklist", params
    yield f"pairs {of.uri}", "treelens/pairs", {"uri": of.uri}
    params = {"uri": of.uri, "range": WHOLE}
    yield f"abreast {of.uri}", "treelens/abreast", params
    for place in of.places:
        name = f"{place['line']}:{place['character']} {of.uri}"
        at = {**document, "position": place}
        for method in _AT_PLACES:
            more = {"context": {"includeDeclaration": True}} if method == "references" else {}
            yield f"{method} {name}", f"textDocument/{method}", {**at, **more}
        typed = {**at, "ch": "\n", "options": _OPTIONS}
        yield f"onTypeFormatting {name}", "textDocument/onTypeFormatting", typed
        yield f"answering {name}", "treelens/answering", {"uri": of.uri, "position": place}
        yield f"picture {name}", "treelens/picture", at
        place_of = {"uri": of.uri, "position": place}
        yield f"renaming {name}", "treelens/renaming", place_of
        yield f"elsewhere {name}", "treelens/elsewhere", place_of
        yield f"rename {name}", "textDocument/rename", {**at, "newName": "X"}
        listed = {"uri": of.uri, "at": place_of}
        yield f"worklistGroup {name}", "treelens/worklistGroup", listed
        for to, options in zip(_STEPS, _LISTS[1:], strict=False):
            params = {**listed, **options, "to": to}
            yield f"worklistStep {to} {options} {name}", "treelens/worklistStep", params
        yield (
            f"selectionRange {name}",
            "textDocument/selectionRange",
            {
                **document,
                "positions": [place],
            },
        )
        yield (
            f"codeAction {name}",
            "textDocument/codeAction",
            {
                **document,
                "range": {"start": place, "end": place},
                "context": {"diagnostics": [], "triggerKind": 2},
            },
        )


def _asked(client: Client, questions: Sequence[tuple[str, str, Message]]) -> Answers:
    numbers = [(name, client.ask(method, params)) for name, method, params in questions]
    answers: Answers = {}
    for name, number in numbers:
        response = client.response(number)
        if "error" in response:
            raise AssertionError(f"{name}: {response['error']}")
        answers[name] = response["result"]
    return answers
