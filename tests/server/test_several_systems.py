"""Several systems of one gold file: in which order they are shown is not a matter of which was
opened first, but of the configuration that names them, else of their names."""

from __future__ import annotations

import itertools
import random
import time
from pathlib import Path

import pytest
from fuzzing.blackbox import WAITS
from fuzzing.everything import Open, everything
from laws import seeds
from lsp_client import Client

GOLD = "(S (NP (N we)) (VP (V see) (NP (D the) (N sea))))\n"
SYSTEMS = {
    "zoe": "(S (NP (N we)) (VP (V see) (D the) (N sea)))\n",
    "adam": "(S (NP (N we)) (VP (V see) (PP (D the) (N sea))))\n",
    "mia": "(S (N we) (VP (V see) (NP (D the) (N sea))))\n",
}
LISTED = ("mia", "zoe", "adam")
NAMED = ("adam", "mia", "zoe")


def config(*systems: str) -> str:
    listed = ", ".join(f'"*.{who}.mrg"' for who in systems)
    return f'[[pairs]]\ngold = "*.gold.mrg"\nsystem = [{listed}]\n'


def written(folder: Path, toml: str) -> dict[str, Path]:
    folder.mkdir(exist_ok=True)
    (folder / "treelens.toml").write_text(toml)
    files = {who: folder / f"x.{who}.mrg" for who in ("gold", *SYSTEMS)}
    for who, file in files.items():
        file.write_text(SYSTEMS.get(who, GOLD))
    return files


def order(client: Client, file: Path) -> tuple[str, ...]:
    found = client.request("treelens/pairs", {"uri": file.as_uri()})
    return tuple(one["system"].split(".")[-2] for one in found)


def lens(client: Client, file: Path) -> str:
    lenses = client.about("codeLens", file.as_uri())
    return " ".join(one["command"]["title"] for one in lenses if "command" in one)


@pytest.mark.parametrize("opened", [*itertools.permutations(("gold", "zoe", "adam"))])
def test_systems_are_in_the_order_of_the_configuration(
    opened: tuple[str, ...], tmp_path: Path
) -> None:
    files = written(tmp_path, config(*LISTED))
    with Client() as client:
        client.start(tmp_path)
        for who in opened:
            client.open(files[who].as_uri(), files[who].read_text())
        assert order(client, files["gold"]) == LISTED
        told = client.wait_for("treelens/status", lambda status: len(status["pairs"]) == 3)
        assert [one["name"] for one in told["pairs"]] == [*LISTED]
        text = lens(client, files["gold"])
        assert text.index("mia") < text.index("zoe") < text.index("adam")
        # What the configuration says by now is heeded, and files that come later are no later.
        (tmp_path / "treelens.toml").write_text(config("zoe", "mia", "adam"))
        toml = (tmp_path / "treelens.toml").as_uri()
        changes = [{"uri": toml, "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert order(client, files["gold"]) == ("zoe", "mia", "adam")
        text = lens(client, files["gold"])
        assert text.index("zoe") < text.index("mia") < text.index("adam")


@pytest.mark.parametrize("opened", [("mia", "adam"), ("adam", "mia")])
def test_those_that_a_pattern_or_a_hand_finds_are_in_the_order_of_their_names(
    opened: tuple[str, ...], tmp_path: Path
) -> None:
    files = written(tmp_path, '[[pairs]]\ngold = "x.gold.mrg"\nsystem = "x.*a.mrg"\n')
    with Client() as client:
        client.start(tmp_path)
        for who in ("zoe", "gold"):
            client.open(files[who].as_uri(), files[who].read_text())
        for who in ("zoe", "adam"):
            pair = {"gold": files["gold"].as_uri(), "system": files[who].as_uri()}
            call = {"command": "treelens.pair", "arguments": [pair]}
            client.request("workspace/executeCommand", call)
        for who in opened:
            client.open(files[who].as_uri(), files[who].read_text())
        assert order(client, files["gold"]) == ("adam", "zoe")  # what hands say goes before


@pytest.mark.parametrize("seed", seeds(4))
def test_whatever_was_opened_when_all_is_said_as_a_fresh_server_says_it(
    seed: int, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    files = written(tmp_path, config(*draw.sample(LISTED, 3)) if seed % 2 else "")
    for name, who in (("system", "zoe"), ("pred", "adam"), ("auto", "mia")):
        if not seed % 2:  # names that belong together without a configuration
            files[who].unlink()
            files[who] = tmp_path / f"x.{name}.mrg"
            files[who].write_text(SYSTEMS[who])
    with Client() as edited, Client() as fresh:
        for client in (edited, fresh):
            client.start(tmp_path)
        opened: list[str] = []
        for _ in range(12):
            who = draw.choice([*files])
            if who in opened:
                opened.remove(who)
                edited.close(files[who].as_uri())
            else:
                opened.append(who)
                edited.open(files[who].as_uri(), files[who].read_text(), 7)
        for who in {*files} - {*opened}:
            edited.open(files[who].as_uri(), files[who].read_text(), 7)
        for who in files:
            fresh.open(files[who].as_uri(), files[who].read_text(), 7)
        place = {"line": 0, "character": 4}
        asked = [Open(file.as_uri(), file.read_text(), 7, "", [place]) for file in files.values()]
        for wait in WAITS:
            time.sleep(wait)
            sides = everything(edited, asked), everything(fresh, asked)
            if sides[0] == sides[1]:
                break
        assert sides[0] == sides[1]
        assert len(order(edited, files["gold"])) == 3
