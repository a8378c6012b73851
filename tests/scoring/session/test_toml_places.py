"""Keys of a configuration are found where they are written, however they are."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treelens.session.config import placed, read_config
from treelens.session.guidelines import checks
from treelens.session.toml_places import Path, key_places, place_of

TEXT = '''
strict = 3 # level = 1
labels."no such" = 1
[ "validate" ] # level = 2
level = 9
language = """
level = 3
[[pairs]]
"""
[[pairs]]
gold = ["a", # level = [
  "[[pairs]]",
  'c"']
system = "x"
metrics = ["LASS"]
[[ pairs ]]
gold = 1979-05-27 07:32:00
"sys\\u0074em" = 1.5
x.y = 1
[pairs.sub]
gold = 1
[consistency]
kinds = [[1, 2], [{a = 1}]]
tier = {level = 1, b = [{c = 1}, {c = 2}], d.e = 2}
level = 3
[[adjudication]] # the first
[adjudication.first]
'''


@pytest.mark.parametrize(
    ("path", "before", "written"),
    [
        (("strict",), "\n", "strict"),
        (("labels", "no such"), "labels.", '"no such"'),
        (("validate",), "[ ", '"validate"'),
        (("validate", "level"), '[ "validate" ] # level = 2\n', "level"),
        (("validate", "language"), "level = 9\n", "language"),
        (("pairs", 0), '"""\n', "[[pairs]]"),
        (("pairs", 0, "gold"), '"""\n[[pairs]]\n', "gold"),
        (("pairs", 0, "metrics"), '"x"\n', "metrics"),
        (("pairs", 0, "unknown"), '"""\n', "[[pairs]]"),
        (("pairs", 1), '["LASS"]\n', "[[ pairs ]]"),
        (("pairs", 1, "gold"), "[[ pairs ]]\n", "gold"),
        (("pairs", 1, "system"), "07:32:00\n", '"sys\\u0074em"'),
        (("pairs", 1, "x"), "= 1.5\n", "x"),
        (("pairs", 1, "sub"), "[pairs.", "sub"),
        (("consistency", "kinds"), "[consistency]\n", "kinds"),
        (("consistency", "tier", "level"), "{", "level"),
        (("consistency", "tier", "d"), "], ", "d"),
        (("consistency", "level"), "= 2}\n", "level"),
        (("adjudication", 0, "first"), "[adjudication.", "first"),
        (("nowhere", 1), "", ""),
    ],
)
def test_a_key_is_found_where_it_is_written(path: Path, before: str, written: str) -> None:
    start, end = place_of(TEXT, path)
    assert TEXT[start:end] == written
    assert TEXT[:start].endswith(before)


def test_a_list_of_tables_may_be_a_value() -> None:
    text = "pairs = [\n  {gold = 'g', system = 's', x = 1},\n  {gold = '/g', system = 's'}, {}]\n"
    places = [text[one.start : one.end] for one in read_config(text)[1]]
    assert places == ["x", "gold", "pairs"]
    assert place_of(text, ("pairs", 1, "gold"))[0] == text.rindex("gold")


def test_the_same_key_is_found_in_its_table() -> None:
    text = "[consistency]\nlevel = 1\n[validate]\nlevel = 7\n"
    (problem,) = placed(text, "validate", checks(tomllib.loads(text))[1])
    assert (problem.start, problem.end) == (text.rindex("level"), text.rindex(" ="))


names = st.sampled_from(["a", "b", '"c d"', "'e.f'", '"\\u0067"', "7"])
keys = st.lists(names, min_size=1, max_size=2).map(" . ".join)
scalars = st.sampled_from(
    ["1", "2.5", "true", '"x=[{"', "'#'", '"""\na = """', "'''\n[a]'''", "07:32:00"]
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda each: "[\n" + ", # a = ]\n".join(each) + "]"),
        st.lists(st.tuples(keys, inner), max_size=2).map(
            lambda each: "{" + ", ".join(f"{key} = {value}" for key, value in each) + "}"
        ),
    ),
    max_leaves=4,
)
headings = st.one_of(keys.map("[{}] # x".format), keys.map("[[{}]]".format))
texts = st.lists(st.one_of(headings, st.tuples(keys, values).map(" = ".join)), max_size=8).map(
    "\n".join
)


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Of all that has a key, as far as is asked for."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        if len(path) < 3:
            if isinstance(key, str):
                yield (*path, key)
            yield from paths(inner, (*path, key))


@given(texts)
def test_all_keys_that_tomllib_reads_are_found(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    places = key_places(text)
    for path in paths(data):
        start, end = places[path]
        assert tomllib.loads(f"{text[start:end]} = 1") == {path[-1]: 1}


@given(st.text(alphabet="[]{}a=\"'.,\\\n# 1", max_size=80))
def test_any_text_gives_places_in_it(text: str) -> None:
    assert all(0 <= start <= end <= len(text) for start, end in key_places(text).values())


@pytest.mark.parametrize(
    "one", ["[", "{a=", '"""', "'''a", "a.", "]]", "}", "\\", '"\\', "[[a]]\n", "x=[{a=1}]\n"]
)
def test_what_does_not_end_is_read_in_one_go(one: str) -> None:
    key_places(one * (100_000 // len(one)))
