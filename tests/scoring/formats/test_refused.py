"""Formats that would be taken for others are told by name, in commands and while editing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from treelens.cli import CannotContinue
from treelens.cli.files import read_trees
from treelens.formats.table import named
from treelens.session.document import document
from treelens.trees.forest import Symbols

DISC = b"(S (NP 0=I) (VP (V 1=saw) (NP 3=her)) (ADV 2=today))\n"
CUPT = (
    b"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n"
    b"1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\t1:VPC\n"
)
EXPORT = (
    b"%% edited by hand\n#FORMAT 3\n#BOS 1 1 985275570 1\nWe\tPPER\t--\tSB\t500\n"
    b"#500\tS\t--\t--\t0\n#EOS 1\n"
)
DOCTYPE = b"<!DOCTYPE corpus [\n<!ELEMENT corpus ANY>\n] >\n"
TIGER = b'<?xml version="1.0"?>\n<!-- x -->\n<corpus id="x">\n<body></body></corpus>\n'
CONLL12 = b"#begin document (bc/x); part 000\nbc/x 0 0 We PRP (TOP(S(NP*) - - - x * -\n"
CONLLU = b"1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
CONLL09 = b"1\tgo\tgo\tgo\tVB\tVB\t_\t_\t0\t0\tROOT\tROOT\tY\tgo.01\t_\n"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("a.mrg", DISC, "discbracket"),
        ("a.mrg", b"(NP 0=I)\n", "discbracket"),
        ("a.mrg", b"(S (NP 0=I) (VP 1=saw 3=her) (AP 2=then))\n", "discbracket"),
        ("a.mrg", b"\xef\xbb\xbf\n  (S (NP (PRP 0=I)))\n" + DISC, "treetransforms"),
        ("a", b"(S (VB 1=go) (RB 0=away))\n", "plain brackets"),
        ("a.cupt", CUPT, "cut -f1-10"),
        ("a.conllu", CUPT, "cut -f1-10"),
        ("a.conll", CONLL09, "CoNLL-2009"),
        ("a.export", EXPORT, "export format"),
        ("a.mrg", EXPORT.split(b"\n", 2)[2], "export format"),
        ("a.xml", TIGER, "TIGER-XML"),
        ("a.mrg", TIGER, "TIGER-XML"),
        ("a.conll", CONLL12, "CoNLL-2011/2012"),
        ("a", CONLL09, "columns 1, 2, 3, 5, 7, 9, 11"),
        # However they begin.
        ("a.mrg", b"# (from a corpus)\n" + DISC, "discbracket"),
        ("a.mrg", b"; one\n%% (two\n" + DISC, "discbracket"),
        ("a.mrg", b"(())\n" + DISC, "discbracket"),
        ("a.mrg", b"(S (A one) (B two))\n" + DISC, "discbracket"),
        ("a.mrg", DISC.replace(b" (", b"\n  ("), "discbracket"),
        ("a.mrg", DISC[:-1] + b"\t# and a comment\n", "discbracket"),
        ("a.cupt", b"# sent_id = 1\n" + CUPT, "cut -f1-10"),
        ("a.cupt", CUPT.split(b"\n", 1)[1], "cut -f1-10"),
        ("a.cupt", b"\xef\xbb\xbf1-2\tim" + 8 * b"\t_" + b"\t*\n", "cut -f1-10"),
        ("a.conll", b"\xef\xbb\xbf" + CONLL09, "CoNLL-2009"),
        ("a.conll", b"\xef\xbb\xbf# one\n" + CONLL09, "CoNLL-2009"),
        ("a.conllu", CONLLU + CONLL09, "CoNLL-2009"),
        ("a.conll", CONLL09.replace(b"\t", b"  "), "CoNLL-2009"),
        ("a.conll", CONLL09.replace(b"\tY\tgo.01\t_", b""), "CoNLL-2009"),
        ("a.conll", CONLL09.replace(b"\tgo.01\t_", b""), "CoNLL-2009"),
        ("a.conll", re.sub(rb"(\t-?\d+){2}\t", b"\t_\t_\t", CONLL09), "CoNLL-2009"),
        ("a.xml", TIGER.replace(b"<corpus", b"<!DOCTYPE corpus>\n<corpus"), "TIGER-XML"),
        ("a.xml", TIGER.replace(b"<corpus", DOCTYPE + b"<corpus"), "TIGER-XML"),
    ],
)
def test_they_are_refused_with_what_to_do(
    file: str, text: bytes, message: str, tmp_path: Path
) -> None:
    (tmp_path / file).write_bytes(text)
    with pytest.raises(CannotContinue, match=message):
        read_trees(str(tmp_path / file), Symbols())
    now = document(text, Symbols(), named(file))
    (problem,) = now.problems()
    assert (len(now), problem.code, problem.severity) == (0, "format", "error")
    assert message in problem.message
    assert problem.end <= len(text)


def test_what_only_resembles_them_is_read() -> None:
    for text in (b"(S (N 0=a) (V b))", b"(S (N 1=a))", b"(S (N 1=1) (N 2=2))"):
        assert len(document(text, Symbols())) == 1
    for trees in (
        b"(NP 0=x)\n(S (NP I) (VP go))\n",
        b"#BOS is a comment\n(S (A a))\n(S (B b))\n",
        b"(S\n(NP\n1 2 3 4 5 6 7 8 9 10 11 12\n))\n(S (A a))\n",
    ):
        assert len(document(trees, Symbols())) == 2
    for comment in (b"#begin document (a)\n", b"#FORMAT: ours\n"):
        assert len(document(comment + CONLLU, Symbols(), named("a.conllu"))) == 1
    numbered = CONLLU[:-2] + b"\t7\n\n"
    assert len(document(numbered, Symbols(), named("a.conllu"))) == 1
    typed = CUPT.split(b"\n")[1], CONLL09[:-1]
    for row in typed:
        assert len(document(3 * CONLLU + row + b"\n", Symbols(), named("a.conllu"))) == 4
    for row in (b"1\tgo\tgo" + 8 * b"\t_", b"1" + 13 * b"\t_", b"1" + 11 * b"\t_"):
        assert len(document(CONLLU + row + b"\n", Symbols(), named("a.conllu"))) == 2


def test_a_beginning_that_goes_on_for_long_is_looked_at_once() -> None:
    for text in (
        b"<!-- -->" * 10_000,
        b"%%\n" * 20_000,
        b"<?xml" * 10_000,
        b"<!DOCTYPE [" * 10_000,
        b"\n" * 60_000,
    ):
        assert len(document(text, Symbols())) == 0


def test_a_text_becomes_such_a_format_and_is_none_again() -> None:
    now = document(b"", Symbols(), named("a.conll"))
    now, _ = now.edit(0, 0, CONLL09)
    assert (now.format.name, len(now)) == ("conll09", 0)
    now, _ = now.edit(0, now.length, b"1\tgo\t_\tV\t_\t_\t0\troot\t_\t_\n")
    assert (now.format.name, len(now)) == ("conll", 1)
