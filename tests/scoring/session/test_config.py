"""treelens.toml and the conventions: paths in, paths out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.rules.spelling import Spelling
from treelens.session.config import (
    PairOptions,
    PairRule,
    candidates,
    conventional,
    read_config,
)
from treelens.session.declared import ANY, read_labels


def rules(*pairs: tuple[str, str]) -> tuple[PairRule, ...]:
    return tuple(PairRule(gold, (system,)) for gold, system in pairs)


def paths(found: tuple[PairRule, ...], path: str) -> list[tuple[str, str]]:
    return [candidate[:2] for candidate in candidates(found, path)]


@pytest.mark.parametrize(
    ("gold", "system", "path", "expected"),
    [
        ("*.gold.mrg", "*.sys.mrg", "a.gold.mrg", ("a.gold.mrg", "a.sys.mrg")),
        ("*.gold.mrg", "*.sys.mrg", "a.sys.mrg", ("a.gold.mrg", "a.sys.mrg")),
        ("g/*.mrg", "s/*.mrg", "g/a.b.mrg", ("g/a.b.mrg", "s/a.b.mrg")),
        ("**/*.g", "**/*.s", "x/y/a.g", ("x/y/a.g", "x/y/a.s")),
        ("**/*.g", "**/*.s", "a.g", ("a.g", "a.s")),
        ("g/**/*.mrg", "s/**/*.mrg", "s/x/a.mrg", ("g/x/a.mrg", "s/x/a.mrg")),
        ("./g?.mrg", "./s?.mrg", "g1.mrg", ("g1.mrg", "s1.mrg")),
        ("g.mrg", "s.mrg", "s.mrg", ("g.mrg", "s.mrg")),
        ("g.mrg", "sys/*.mrg", "sys/a.mrg", ("g.mrg", "sys/a.mrg")),
        ("g.mrg", "sys/*.mrg", "g.mrg", ("g.mrg", "sys/*.mrg")),
        ("a[1].g", "a[1].s", "a[1].g", ("a[1].g", "a[1].s")),
    ],
)
def test_what_a_star_stands_for_is_the_same_in_both(
    gold: str, system: str, path: str, expected: tuple[str, str]
) -> None:
    assert paths(rules((gold, system)), path) == [expected]


@pytest.mark.parametrize("path", ["a.mrg", "x/a.gold.mrg", "a.gold.mrg.bak", "", "gold.mrg"])
def test_other_paths_are_in_no_pair(path: str) -> None:
    assert paths(rules(("*.gold.mrg", "*.sys.mrg")), path) == []


def test_a_system_may_have_several_golds() -> None:
    found, problems = read_config('[[pairs]]\ngold = ["*.ann.g", "*.bob.g", "?.x"]\nsystem = "*.s"')
    assert found == (
        PairRule("*.ann.g", ("*.s",)),
        PairRule("*.bob.g", ("*.s",)),
        PairRule("?.x", ("*.s",)),
    )
    assert problems == []
    golds = ["1.ann.g", "1.bob.g", "1.x"]
    assert paths(found, "1.s") == [(gold, "1.s") for gold in golds]
    assert paths(found, "1.bob.g") == [("1.bob.g", "1.s")]
    found, problems = read_config('[[pairs]]\ngold = ["*/*.g", "g"]\nsystem = "*.s"')
    assert found == (PairRule("g", ("*.s",)),)
    assert [problem.message for problem in problems] == [
        "“*/*.g” and “*.s” do not have the same number of *; left out"
    ]


def test_a_configuration_is_read() -> None:
    text = """
        [[pairs]]
        gold = "*.g"
        system = ["*.s", "*.t"]
        parameters = "COLLINS.prm"
        [[pairs]]
        gold = "g"
        system = "s"
    """
    found, problems = read_config(text)
    assert problems == []
    assert found == (
        PairRule("*.g", ("*.s", "*.t"), PairOptions("COLLINS.prm")),
        PairRule("g", ("s",)),
    )


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        ("[[pairs]\n", "not TOML", "[[pairs]"),
        ("a = 1\n[[pairs]]\ngold = ", "not TOML", "gold ="),
        ("typo = 1", "“typo” is not known here", "typo"),
        ("pairs = 1", "write [[pairs]] above each", "pairs"),
        ("[[pairs]]\ngold = 1\nsystem = 's'", "needs gold", "gold"),
        ("[[pairs]]\ngold = 'g'", "needs gold", "[[pairs]]"),
        ("[[pairs]]\ngold = 'g'\nsystem = ['s', 1]", "needs gold", "system"),
        ("[[pairs]]\ngold = 'g'\nsystem = '../s'", "leads out of the folder", "system"),
        ("[[pairs]]\ngold = '/g'\nsystem = 's'", "leads out of the folder", "gold"),
        ("[[pairs]]\ngold = 'C:/g'\nsystem = 's'", "leads out of the folder", "gold"),
        ("[[pairs]]\ngold = '*/*'\nsystem = '*'", "same number of *", "system"),
    ],
)
def test_what_is_wrong_is_said_where_it_is_written(text: str, message: str, where: str) -> None:
    found, problems = read_config(text)
    assert found == ()
    (problem,) = problems
    assert message in problem.message
    assert text[problem.start : problem.end].strip() == where


def test_one_rule_that_is_wrong_does_not_cost_another() -> None:
    found, problems = read_config(
        "[[pairs]]\n[[pairs]]\ngold = 'g'\nsystem = 's'\nparameters = 1\nx = 2\n"
    )
    assert found == (PairRule("g", ("s",)),)
    assert len(problems) == 3


def test_what_makes_no_difference_between_words_is_read() -> None:
    found, problems = read_config(
        """
        [[pairs]]
        gold = "g"
        system = "s"
        ignore_case = true
        unicode = "nfc"
        escapes = false
        quotes = true
        equivalences = "words.txt"
        contractions = "en"
    """
    )
    assert problems == []
    spelling = Spelling(escapes=False, unicode="nfc", quotes=True, ignore_case=True)
    assert found == (PairRule("g", ("s",), PairOptions(None, spelling, "words.txt", "en")),)


def test_metrics_and_heads_are_read() -> None:
    lines = 'metrics = ["standard", "Leaf-Ancestor"]\nheads = "collins"\n'
    found, problems = read_config(f"[[pairs]]\ngold = 'g'\nsystem = 's'\n{lines}")
    assert problems == []
    options = PairOptions(metrics=("standard", "Leaf-Ancestor"), heads="collins")
    assert found == (PairRule("g", ("s",), options),)
    found, problems = read_config("[[pairs]]\ngold = 'g'\nsystem = 's'\nmetrics = ['LASS', 'F1']\n")
    assert found == (PairRule("g", ("s",), PairOptions(metrics=("F1",))),)
    (problem,) = problems
    assert "“LASS” is no metric and no score; did you mean LAS or" in problem.message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("metrics = 1", "metrics is a list of names"),
        ("metrics = [1]", "metrics is a list of names"),
        ("heads = ['collins']", "heads is the path of"),
        ("ignore_case = 1", "ignore_case is true or false"),
        ("unicode = 'nfd'", "unicode is one of as-is, nfc, nfkc"),
        ("unicode = ['nfc']", "unicode is one of as-is, nfc, nfkc"),
        ("equivalences = true", "equivalences is the path of"),
        ("contractions = ['en']", "contractions is the path of"),
    ],
)
def test_an_option_that_is_wrong_is_left_out(line: str, message: str) -> None:
    text = f"[[pairs]]\ngold = 'g'\nsystem = 's'\n{line}\n"
    found, problems = read_config(text)
    assert found == (PairRule("g", ("s",)),)
    (problem,) = problems
    assert message in problem.message
    assert text[problem.start : problem.end] == line.split(" ")[0]


@given(st.text(alphabet="[]pairs=\"'gold.*\n# 1", max_size=60))
def test_any_text_gives_an_answer(text: str) -> None:
    for problem in read_config(text)[1]:
        assert 0 <= problem.start <= problem.end <= len(text)


RULE = "[[pairs]]\ngold = 'g'\nsystem = 's'\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{RULE}x = {'9' * 10_000}", "a number is out of range"),
        (f"{RULE}x = 1979-99-99", "not TOML"),
        (f"{RULE}x = {'[' * 100_000}", "brackets within brackets"),
        (f"{RULE}x = {'{a=' * 50_000}", "brackets within brackets"),
        (f"{RULE}{'.'.join('a' * 100_000)} = 1", "a key of more than 32 parts"),
        (f"{RULE}x = {{ {'.'.join('a' * 100_000)} = 1 }}", "a key of more than 32 parts"),
        (f"{RULE}[{' . '.join('a' * 50_000)}]", "a key of more than 32 parts"),
        (RULE + "#" * (1 << 18), "longer than 256,000 characters"),
    ],
)
def test_a_text_that_cannot_be_read_is_one_problem(text: str, message: str) -> None:
    found, (problem,) = read_config(text)
    assert found == ()
    assert message in problem.message
    assert 0 <= problem.start <= problem.end <= len(text)
    assert read_labels(text) == ANY


def test_a_number_that_is_out_of_range_is_shown() -> None:
    text = f"{RULE}x = {'9' * 5000}\ny = 12\n"
    _, (problem,) = read_config(text)
    assert text[problem.start : problem.end] == "9" * 5000


@pytest.mark.parametrize(
    "lines",
    [
        "".join(f"key{number} = 1\n" for number in range(20_000)),
        "".join(f"[table{number}]\n" for number in range(20_000)),
        "x" * 200_000 + " = 1\n",
        ".".join("a" * 30) + " = 1\n",
        "".join(f"[{'.'.join('ab')}{number}]\n" for number in range(20_000)),
        "x = [" + "{a=1}," * 30_000 + "]\n",
        'x = "' + "\\n" * 100_000 + '"\n',
    ],
)
def test_keys_without_number_are_told_in_short(lines: str) -> None:
    found, problems = read_config(f"{lines}{RULE}")
    assert found == (PairRule("g", ("s",)),)
    assert 1 <= len(problems) <= 101
    assert all(len(problem.message) < 200 for problem in problems)


def test_patterns_without_number_are_left_out() -> None:
    many = ", ".join(f"'{number}'" for number in range(1001))
    found, problems = read_config(f"[[pairs]]\ngold = 'g'\nsystem = [{many}]\n{RULE}")
    assert found == (PairRule("g", ("s",)),)
    assert "more than 1,000 pairs of patterns" in problems[0].message
    found, problems = read_config(RULE * 1005)
    assert len(found) == 1000
    assert len(problems) == 5


@pytest.mark.parametrize("path", ["x" * 1001, "\\u0000", "\ud800"])
def test_a_path_that_no_file_can_have(path: str) -> None:
    found, problems = read_config(f'[[pairs]]\ngold = "g"\nsystem = "{path}"\n')
    assert found == ()
    assert "is no path that a file can have" in problems[0].message


@pytest.mark.parametrize(
    ("path", "gold", "system"),
    [
        ("x.gold.mrg", "x.gold.mrg", "x.system.mrg"),
        ("x.gold.mrg", "x.gold.mrg", "x.pred.mrg"),
        ("x.auto.mrg", "x.gold.mrg", "x.auto.mrg"),
        ("d/x.gld", "d/x.gld", "d/x.tst"),
        ("d/x.tst", "d/x.gld", "d/x.tst"),
        ("a/gold/x.mrg", "a/gold/x.mrg", "a/system/x.mrg"),
        ("system/x.mrg", "gold/x.mrg", "system/x.mrg"),
        ("gold.txt", "gold.txt", "sys.txt"),
        ("sys.txt", "gold.txt", "sys.txt"),
    ],
)
def test_names_say_what_belongs_together(path: str, gold: str, system: str) -> None:
    assert (gold, system) in [candidate[:2] for candidate in conventional(path)]


def test_other_names_say_nothing() -> None:
    assert conventional("a/b/golden.mrg") == []
