"""The switch of what no score counts, over the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Client

GOLD = "(S (NP-SBJ (N we)) (VP (V see) (NP (N sea))))\n"
SYSTEM = GOLD.replace("NP-SBJ", "NP-OB1")


def shown(client: Client, folder: Path) -> tuple[str, list[str]]:
    """What the lens and the diagnostics say of a pair that differs in a function tag."""
    gold, system = (folder / f"a.{role}.mrg" for role in ("gold", "system"))
    gold.write_text(GOLD)
    system.write_text(SYSTEM)
    client.start(folder)
    client.open(gold.as_uri(), GOLD)
    *_, lens = client.about("codeLens", gold.as_uri())
    title = client.request("codeLens/resolve", lens)["command"]["title"]
    return title, [one["code"] for one in client.diagnostics(gold.as_uri())]


def test_what_no_score_counts_is_shown_beside_the_score(client: Client, tmp_path: Path) -> None:
    title, codes = shown(client, tmp_path)
    assert title.startswith("F1 100.00 ")
    assert title.endswith("1 not counted: function tag")
    assert codes == ["wrong-function"]


def test_a_configuration_leaves_out_what_no_score_counts(client: Client, tmp_path: Path) -> None:
    (tmp_path / "treelens.toml").write_text("strict = false\n")
    title, codes = shown(client, tmp_path)
    assert title.startswith("F1 100.00 ")
    assert title.endswith(" · no mismatch")
    assert codes == []


def test_a_tree_and_a_table_are_said_to_be_the_same_in_what_both_have(
    client: Client, tmp_path: Path
) -> None:
    tree, table = ((tmp_path / name).as_uri() for name in ("a.gold.mrg", "a.system.conllu"))
    client.start(tmp_path)
    client.open(tree, "(S (A a))\n")
    client.open(table, "1\ta\ta\tA\tA\t_\t0\troot\t_\t_\n\n")
    pair = {"command": "treelens.pair", "arguments": [{"gold": tree, "system": table}]}
    client.request("workspace/executeCommand", pair)
    *_, lens = client.about("codeLens", tree)
    title = client.request("codeLens/resolve", lens)["command"]["title"]
    assert title == "no mismatch in words and tags"
    assert told(client, "nextMismatch", tree) == (
        "There are no mismatches in words and tags, all that can be compared here"
    )
    assert told(client, "takeGold", tree) == (
        "This sentence has no mismatch in words and tags, all that can be compared here"
    )
    client.change(table, 2, {"text": "1\ta\ta\tB\tB\t_\t0\troot\t_\t_\n\n"})
    assert told(client, "takeGold", tree) == (
        "Nothing can be taken here: the two files have different formats"
    )


def told(client: Client, command: str, uri: str) -> str:
    """What the server says of a command at the beginning of a document."""
    arguments = [{"uri": uri, "position": {"line": 0, "character": 0}}]
    params = {"command": f"treelens.{command}", "arguments": arguments}
    client.request("workspace/executeCommand", params)
    message: str = client.wait_for("window/showMessage")["message"]
    return message


def test_a_setting_turns_them_off_and_on_again(client: Client, tmp_path: Path) -> None:
    shown(client, tmp_path)
    uri = (tmp_path / "a.gold.mrg").as_uri()
    for strict, expected in ((False, []), (True, ["wrong-function"])):
        settings = {"treelens": {"strict": strict}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert [one["code"] for one in client.diagnostics(uri)] == expected


@pytest.mark.parametrize(("gold", "system"), [(GOLD, SYSTEM), ("", ""), ("# x\n", "# y\n")])
def test_what_counts_is_said_of_pairs_without_sentences_too(
    gold: str, system: str, client: Client, tmp_path: Path
) -> None:
    client.start(tmp_path)
    for role, text in (("gold", gold), ("system", system)):
        client.open((tmp_path / f"a.{role}.mrg").as_uri(), text)
    client.wait_for("treelens/status", lambda _: counted_only(client) == [False])
    config = tmp_path / "treelens.toml"
    for strict in ("false", "true"):
        config.write_text(f"strict = {strict}\n")
        changes = [{"uri": config.as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        client.wait_for(
            "treelens/status",
            lambda _, expected=strict == "false": counted_only(client) == [expected],
        )


def counted_only(client: Client) -> list[bool]:
    return [one["countedOnly"] for one in client.pairs()]


def test_a_configuration_is_about_its_own_files_only(client: Client, tmp_path: Path) -> None:
    lenient = tmp_path / "lenient"
    lenient.mkdir()
    (lenient / "treelens.toml").write_text("strict = false\n")
    for role, text in (("gold", GOLD), ("system", SYSTEM)):
        (lenient / f"b.{role}.mrg").write_text(text)
    _, codes = shown(client, tmp_path)
    other = (lenient / "b.gold.mrg").as_uri()
    client.open(other, GOLD)
    assert codes == ["wrong-function"]
    assert client.diagnostics(other) == []
    assert len(client.diagnostics((tmp_path / "a.gold.mrg").as_uri())) == 1
    client.wait_for("treelens/status", lambda _: len(client.pairs()) > 1)
    assert [one["countedOnly"] for one in client.pairs() if one["gold"] == other] == [True]
