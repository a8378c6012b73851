"""What a file says is shown as text: control characters in it (escape sequences, overrides of
direction) do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client, Message

ROW = "1\tthe\tthe\tDET\t{}\t_\t2\t{}\t_\t_\n2\tc{}t\tcat\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
NOTE = (
    "# treelens_review = question\n# treelens_note = r\x07d\n"
    "# treelens_about = 2 c\x07t: b\x1b\u202e\n"
)
TEXTS = {
    "mrg": (
        "(S (NP (D the) (N cat)) (VP (V sat)))\n(S (NP (N a)) (VP (V b)))\n"
        "(S (NP (N a)) (VP (V \u202bb)))\n",
        "(S (NP (D the)) (N\x1b[31m cat) (VP (V s\x07at)))\n(S (NP\x1b (N a)) (VP (V b)))\n"
        "(S (\u202eNP (N a)) (VP\u2067 (V \u202bb)))\n",
    ),
    "conllu": (
        "# sent_id = a\x07b\n" + ROW.format("X", "det", "a"),
        f"# sent_id = a\x07b\n{NOTE}" + ROW.format("Y\x1b\u202e", "nmod\x07\u2066", "\x07"),
    ),
}
VARYING = (
    "1\tto\tto\tPART\t_\t_\t2\tmark\t_\t_\n2\tget\tget\tVERB\t_\t_\t0\troot\t_\t_\n"
    "3\tback\tback\tADV\t_\t_\t2\t{}\t_\t_\n4\tto\tto\tADP\t_\t_\t5\tcase\t_\t_\n"
    "5\t{}\twork\tNOUN\t_\t_\t2\tobl\t_\t_\n\n"
)
WRITTEN = {"newText", "filterText", "placeholder", "note", "key"}
"""What goes back into a text, or to the server, as it is."""


@pytest.mark.parametrize("format_", TEXTS)
def test_control_characters_of_a_file_are_shown(
    format_: str, client: Client, tmp_path: Path
) -> None:
    gold, system = ((tmp_path / f"a.{side}.{format_}").as_uri() for side in ("gold", "system"))
    client.start(tmp_path)
    for uri, text in zip((gold, system), TEXTS[format_], strict=True):
        client.open(uri, text)
    asked = [*_asked(client, system, TEXTS[format_][1]), *_asked(client, gold, TEXTS[format_][0])]
    seen = {method for method, _, _ in asked}
    assert {"codeLens", "hover", "inlayHint", "documentSymbol", "picture"} <= seen
    assert {"worklist by nothing", "worklist by labels"} <= seen
    assert [one for one in asked if _acts(one[2])] == []
    assert any("␇" in text or "␛" in text for _, _, text in asked)


def test_control_characters_of_what_varies_are_shown(client: Client, tmp_path: Path) -> None:
    for name, label in (("a", "\x1bx\u202e"), ("b", "y"), ("c", "y")):
        (tmp_path / f"{name}.conllu").write_text(VARYING.format(label, name), encoding="utf-8")
    uri = (tmp_path / "a.conllu").as_uri()
    client.start(tmp_path)
    client.open(uri, VARYING.format("\x1bx\u202e", "a"))
    command = {"command": "treelens.consistency", "arguments": [{}]}
    client.request("workspace/executeCommand", command)
    while not (listed := client.request("treelens/variations", {}))["variations"]:
        client.wait_for("treelens/variationsChanged")
    bunched = client.request("treelens/variations", {"by": "structure"})
    (section,) = bunched["sections"]
    asked = {"by": "structure", "section": section["title"]}
    assert client.request("treelens/variations", asked)["variations"] == listed["variations"]
    lenses = client.about("codeLens", uri)
    here = {"range": {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}}
    fixes = client.about("codeAction", uri, **here, context={"diagnostics": []})
    shown = [text for one in (listed, bunched, lenses, fixes) for *_, text in _texts("", one)]
    assert sum("␛x�" in text for text in shown) >= 4, shown
    assert not any(map(_acts, shown))


def _asked(client: Client, uri: str, text: str) -> Iterator[tuple[str, str, str]]:
    """All that is shown of a file: what was asked, where in the answer it is, and the text."""
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    for method in ("diagnostic", "codeLens", "documentSymbol"):
        yield from _texts(method, client.about(method, uri))
    yield from _texts("inlayHint", client.about("inlayHint", uri, range=whole))
    for by in ("nothing", "labels"):
        yield from _texts(
            f"worklist by {by}", client.request("treelens/worklist", {"uri": uri, "by": by})
        )
    yield from _texts("symbol", client.request("workspace/symbol", {"query": "t"}))
    for line, written in enumerate(text.split("\n")):
        for character in range(0, len(written), 3):
            yield from _there(client, uri, {"line": line, "character": character})


def _there(client: Client, uri: str, place: Message) -> Iterator[tuple[str, str, str]]:
    for method in ("hover", "completion", "prepareCallHierarchy"):
        yield from _texts(method, client.about(method, uri, position=place))
    here: Message = {"range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    yield from _texts("codeAction", client.about("codeAction", uri, **here))
    params = {"textDocument": {"uri": uri}, "position": place}
    yield from _texts("picture", client.request("treelens/picture", params))
    params = {"at": {"uri": uri, "position": place}}
    yield from _texts("note", client.request("treelens/note", params))


def _texts(method: str, answer: Any, key: str = "") -> Iterator[tuple[str, str, str]]:
    if isinstance(answer, str) and key not in WRITTEN:
        yield method, key, answer
    elif isinstance(answer, dict):
        for name, value in answer.items():
            # (What an action, or a command, is about goes back to the server.)
            yield from _texts(method, value, name) if name not in ("data", "arguments") else ()
    elif isinstance(answer, list):
        for value in answer:
            yield from _texts(method, value, key)


def _acts(text: str) -> bool:
    return not {*text}.isdisjoint("\x07\x1b\u202b\u202e\u2066\u2067")
