"""What a file says is shown as text: control characters in it (escape sequences) do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Client, Message

ROW = "1\tthe\tthe\tDET\t{}\t_\t2\t{}\t_\t_\n2\tc{}t\tcat\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
NOTE = (
    "# treelens_review = question\n# treelens_note = r\x07d\n# treelens_about = 2 c\x07t: b\x1b\n"
)
TEXTS = {
    "mrg": (
        "(S (NP (D the) (N cat)) (VP (V sat)))\n(S (NP (N a)) (VP (V b)))\n",
        "(S (NP (D the)) (N\x1b[31m cat) (VP (V s\x07at)))\n(S (NP\x1b (N a)) (VP (V b)))\n",
    ),
    "conllu": (
        "# sent_id = a\x07b\n" + ROW.format("X", "det", "a"),
        f"# sent_id = a\x07b\n{NOTE}" + ROW.format("Y\x1b", "nmod\x07", "\x07"),
    ),
}
WRITTEN = {"newText", "filterText", "label", "placeholder", "note"}
"""What goes back into a text as it is."""


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
    assert {"codeLens", "hover", "inlayHint", "documentSymbol", "picture", "worklist"} <= seen
    assert [one for one in asked if _acts(one[2])] == []
    assert any("␇" in text or "␛" in text for _, _, text in asked)


def _asked(client: Client, uri: str, text: str) -> Iterator[tuple[str, str, str]]:
    """All that is shown of a file: what was asked, where in the answer it is, and the text."""
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    for method in ("diagnostic", "codeLens", "documentSymbol"):
        yield from _texts(method, client.about(method, uri))
    yield from _texts("inlayHint", client.about("inlayHint", uri, range=whole))
    yield from _texts("worklist", client.request("treelens/worklist", {"uri": uri}))
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
    if isinstance(answer, str) and (key not in WRITTEN or method == "inlayHint"):
        yield method, key, answer
    elif isinstance(answer, dict):
        for name, value in answer.items():
            # (What an action is about goes back to the server.)
            yield from _texts(method, value, name) if name != "data" else ()
    elif isinstance(answer, list):
        for value in answer:
            yield from _texts(method, value, key)


def _acts(text: str) -> bool:
    return "\x07" in text or "\x1b" in text
