"""The invariants of docs/architecture.md that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
CORE = ROOT / "scoring" / "treelens"
SERVER = ROOT / "server" / "treelens_server"


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.Import | ast.ImportFrom | ast.Call]:
    """What a file imports and calls: several tests ask, and looking for it is what takes time."""
    wanted = ast.Import, ast.ImportFrom, ast.Call
    return [node for node in ast.walk(parsed(path)) if isinstance(node, wanted)]


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, anywhere in it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def called(path: Path) -> set[str]:
    """The plain names that a file calls."""
    return {
        node.func.id
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def modules(folder: Path) -> list[Path]:
    found = sorted(folder.rglob("*.py"))
    assert found
    return found


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = {"numpy", "nltk", "pygls", "lsprotocol", "rapidfuzz", "wcwidth"}
    assert loaded("import treelens, treelens.cli") & heavy == set()


def loaded(program: str) -> set[str]:
    """The modules that a program has loaded when it ends; nothing is said on standard error."""
    program += "; import sys; print(); print(*sys.modules)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    assert done.stderr == ""
    return set(done.stdout.splitlines()[-1].split())


def test_a_score_of_two_small_files_loads_only_what_it_needs(tmp_path: Path) -> None:
    """Half of what a start costs is loading modules."""
    files = [str(tmp_path / name) for name in ("gold", "system")]
    Path(files[0]).write_text("(S (NP (D the) (N dog)) (VP (V barks)))\n")
    Path(files[1]).write_text("(S (NP (D the) (N dog)) (V barks))\n")
    found = loaded(f"from treelens.cli import main; main(['score', *{files}])")
    assert "treelens.counting" in found
    assert (
        found
        & {
            "numpy.ma",  # which some functions of numpy load
            "rapidfuzz",
            "concurrent.futures",
            "json",
            "tempfile",
            "shutil",
            "treelens.formats.conll",
            "treelens.session.pair",
            "treelens.align.jp",
            "treelens.report.as_json",
        }
        == set()
    )


@pytest.mark.parametrize(
    "command",
    [
        "compare", "errors", "agreement", "changes", "suspects", "worklist", "picture",
        "significance",
    ],
)  # fmt: skip
def test_what_differs_in_small_files_loads_only_what_it_needs(command: str, tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("gold", "system")]
    Path(files[0]).write_text("(S (NP (D the) (N dog)) (VP (VP (V barks))))\n")
    Path(files[1]).write_text("(S (NP (D the) (N dog)) (V barks))\n")
    files += files[1:] if command in ("changes", "suspects", "significance") else []
    found = loaded(f"from treelens.cli import main; main(['{command}', *{files}])")
    assert "treelens.session.pair" in found
    needless = {
        "numpy.ma",
        "json",
        "csv",
        "tempfile",
        "rapidfuzz",
        "tomllib",
        "treelens.cli.score",
        "treelens.edits.take",
        "treelens.consistency.found",
        "treelens.report.page.frame",
        "treelens.formats.conll",
        "treelens.report.annotators",
        "treelens.tedeval.convert",
    }
    assert found & needless == set()


def test_no_import_goes_round_in_a_circle() -> None:
    """Those inside of functions count, too; those for the type checker alone are never run."""
    homes = {**_named(CORE), **_named(SERVER)}
    below = {name: _imported(path, {*homes}) - {name} for name, path in homes.items()}
    while ends := [name for name, needs in below.items() if not needs & below.keys()]:
        for name in ends:
            del below[name]
    assert not below, "among these, or above them, is a circle"


def _named(folder: Path) -> dict[str, Path]:
    """Modules by their names."""
    found = {
        ".".join(path.relative_to(folder.parent).with_suffix("").parts): path
        for path in modules(folder)
    }
    return {name.removesuffix(".__init__"): path for name, path in found.items()}


def _imported(path: Path, known: set[str]) -> set[str]:
    """Which of the known modules a file imports."""
    tree = parsed(path)
    found: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= inner if inner <= known else (inner & known) | {node.module}
    return found & known


def test_the_core_below_the_command_line_never_touches_the_world() -> None:
    world = {
        "os",
        "sys",
        "time",
        "datetime",
        "logging",
        "pathlib",
        "subprocess",
        "socket",
        "random",
    }
    for path in modules(CORE):
        inside = path.relative_to(CORE).parts
        if inside[0] in ("cli", "dropin", "__main__.py"):
            continue
        used = {name.split(".")[0] for name in imports(path)} & world
        assert not used, f"{path.relative_to(ROOT)} imports {used}"
        assert "open" not in called(path), path.relative_to(ROOT)


def test_positions_are_made_in_one_module() -> None:
    for path in set(modules(SERVER)) - {SERVER / "positions.py"}:
        calls = (n for n in nodes(path) if isinstance(n, ast.Call))
        made = [node for node in calls if ast.unparse(node.func) in ("types.Position", "Position")]
        assert not made, f"{path.relative_to(ROOT)} counts a line's characters itself"


def test_user_files_are_data() -> None:
    for path in modules(CORE) + modules(SERVER):
        used = set(imports(path))
        assert not used & {"pickle", "marshal", "shelve", "urllib.request", "http.client"}, path
        assert not called(path) & {"eval", "exec", "compile", "__import__"}, path


def test_every_module_says_what_it_is() -> None:
    for path in modules(CORE) + modules(SERVER):
        text = path.read_text(encoding="utf-8")
        assert not text.strip() or ast.get_docstring(parsed(path)), path.relative_to(ROOT)


_LONG = 400
"""Lines; whoever writes more says in the file's opening words why it is one."""


def test_only_a_usual_run_draws_the_same_examples_again() -> None:
    same = {
        name: settings.get_profile(name).derandomize for name in ("default", "fuzz", "thorough")
    }
    assert same == {"default": True, "fuzz": False, "thorough": False}


def test_a_long_file_says_why() -> None:
    endings = {".py", ".ts", ".mjs"}
    files = [one for folder in _WRITTEN for one in (ROOT / folder).rglob("*.*")]
    files = [file for file in files if file.suffix in endings]
    assert len(files) > 500
    for file in files:
        text = file.read_text(encoding="utf-8")
        if text.count("\n") > _LONG:
            opening = " ".join(text[:_OPENING].replace("//", " ").lower().split())
            why = "longer than other" in opening or "written by `make protocol`" in opening
            assert why, f"{file.relative_to(ROOT)} has more than {_LONG} lines, and no reason"


_OPENING = 3_000
"""Characters."""
_EXTENSION = tuple(f"vscode-extension/{one}" for one in ("src", "test", "scripts"))
_WRITTEN = ("scoring", "server", "tests", "benchmarks", *_EXTENSION)


def test_links_of_pages_outside_the_documentation_lead_somewhere() -> None:
    """Those inside are checked when it is built (`make docs`)."""
    pages = [*ROOT.glob("*.md"), ROOT / "examples" / "README.md"]
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if ":" not in link
    ]
    assert links
    for page, link in links:
        assert (page.parent / link).exists(), f"{page.relative_to(ROOT)}: {link}"


def test_the_lock_pins_all_that_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"]]
    for groups in (project["project"]["optional-dependencies"], project["dependency-groups"]):
        wanted += [one for group in groups.values() for one in group]
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lock if not line.startswith("#"))
    pinned = {_canonical(name): version for name, version in pins.items()}
    for requirement in map(Requirement, wanted):
        if requirement.name == project["project"]["name"]:  # (with all that it can do)
            continue
        assert requirement.specifier.contains(pinned[_canonical(requirement.name)]), requirement


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
