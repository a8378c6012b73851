"""Findings: each difference of a pair, drawn under gold's line and under system's."""

from __future__ import annotations

from treelens.differences.wording import message
from treelens.session.document import document
from treelens.session.pair import Side, pair
from treelens.trees.forest import Symbols, encode


def drawn(gold: str, system: str) -> str:
    """Both texts with every mark under its line, in the order of the findings."""
    symbols = Symbols()
    found = pair(document(encode(gold), symbols), document(encode(system), symbols))
    findings = [finding for group in range(len(found)) for finding in found.findings(group)]
    lines = []
    for side, text in (("gold", gold), ("system", system)):
        lines.append(f"{side}:")
        offset = 0
        for line in text.split("\n"):
            lines.append(line)
            for finding in findings:
                mark = getattr(finding, side)
                if mark and offset <= mark.start <= offset + len(line):
                    indent = " " * (mark.start - offset)
                    under = "^" * (mark.end - mark.start)
                    lines.append(f"{indent}{under} {finding.code}: {message(finding, Side(side))}")
            offset += len(line) + 1
    return "\n".join(lines)


def check(gold: str, system: str, expected: str) -> None:
    assert drawn(gold, system) == expected.lstrip("\n").removesuffix("\n")


def test_labels_tags_and_brackets() -> None:
    check(
        "(S (NP (D the) (N dog)) (VP (V saw) (NP (N it))))",
        "(S (NX (D the) (N dog)) (VP (X saw) (N it)) )",
        """
gold:
(S (NP (D the) (N dog)) (VP (V saw) (NP (N it))))
   ^^^ wrong-label: system has NX here, not NP
                                    ^^^ missing-bracket: system has no NP over “it”
                            ^^ wrong-tag: system has X for “saw”, not V
system:
(S (NX (D the) (N dog)) (VP (X saw) (N it)) )
   ^^^ wrong-label: gold has NP here, not NX, over “the dog”
                                       ^^ missing-bracket: gold has NP over “it”, missing here
                            ^^ wrong-tag: gold has V for “saw”, not X
""",
    )


def test_brackets_are_not_missing_where_the_other_side_has_heads() -> None:
    check(
        "(S (NP (D a) (N b)))",
        "1\ta\t_\tD\t_\t_\t2\tdet\t_\t_\n2\tb\t_\tV\t_\t_\t0\troot\t_\t_\n",
        """
gold:
(S (NP (D a) (N b)))
             ^^ wrong-tag: system has V for “b”, not N
system:
1\ta\t_\tD\t_\t_\t2\tdet\t_\t_
2\tb\t_\tV\t_\t_\t0\troot\t_\t_
      ^ wrong-tag: gold has N for “b”, not V

""",
    )


def test_heads_and_relations_and_morphology() -> None:
    check(
        "1\ta\ta\tD\tx\tF=1\t2\tdet\t_\t_\n2\tb\tb\tN\t_\tG=1|H=1\t0\troot\t_\t_\n",
        "1\ta\ta\tD\t_\tF=1\t0\troot\t_\t_\n2\tb\tc\tN\t_\tH=1|G=1\t1\tdet:x\t_\t_\n",
        """
gold:
1\ta\ta\tD\tx\tF=1\t2\tdet\t_\t_
              ^ wrong-head: system attaches “a” to the root, not to “b”
                ^^^ wrong-relation: system has root for “a”, not det
2\tb\tb\tN\t_\tG=1|H=1\t0\troot\t_\t_
                  ^ wrong-head: system attaches “b” to “a”, not to the root
                    ^^^^ wrong-relation: system has det:x for “b”, not root
    ^ wrong-morphology: system has c for “b”, not b

system:
1\ta\ta\tD\t_\tF=1\t0\troot\t_\t_
              ^ wrong-head: gold attaches “a” to “b”, not to the root
                ^^^^ wrong-relation: gold has det for “a”, not root
2\tb\tc\tN\t_\tH=1|G=1\t1\tdet:x\t_\t_
                  ^ wrong-head: gold attaches “b” to the root, not to “a”
                    ^^^^^ wrong-relation: gold has root for “b”, not det:x
    ^ wrong-morphology: gold has b for “b”, not c

""",
    )


def test_a_crossing_bracket_names_what_it_crosses() -> None:
    check(
        "(S (NP (D a) (N b)) (VP (V c)))",
        "(S (D a) (XP (N b) (V c)))",
        """
gold:
(S (NP (D a) (N b)) (VP (V c)))
   ^^^ missing-bracket: system has no NP over “a b”
                    ^^^ missing-bracket: system has no VP over “c”
   ^^^ crossing-bracket: system has XP over “b c”, which crosses this
system:
(S (D a) (XP (N b) (V c)))
      ^ missing-bracket: gold has NP over “a b”, missing here
                      ^ missing-bracket: gold has VP over “c”, missing here
         ^^^ crossing-bracket: XP over “b c” crosses gold’s NP over “a b”
""",
    )


def test_words_that_differ() -> None:
    check(
        "(S (V can) (R not) (N go) (N x) (. .))",
        "(S (V cannot) (N Go) (. .) (Y y))",
        """
gold:
(S (V can) (R not) (N go) (N x) (. .))
      ^^^^^^^^^^^ different-words: system has “cannot” here (2 words against 1 word)
                      ^^ different-words: system has “Go” here
                             ^ missing-words: system has no “x”
                                   ^ extra-words: system has “y”, not in gold
system:
(S (V cannot) (N Go) (. .) (Y y))
      ^^^^^^ different-words: gold has “can not” here (2 words against 1 word)
                 ^^ different-words: gold has “go” here
                        ^ missing-words: gold has “x”, missing here
                              ^ extra-words: gold has no “y”
""",
    )


def test_sentences_without_a_counterpart() -> None:
    check(
        "(S (N a) (N b))\n(S (N only) (N gold) (N has) (N this))\n(S (N c) (N d))\n(S (N last))",
        "(S (N a) (N b))\n(S (N c) (N d))\n(())\n(S (N zzz))",
        """
gold:
(S (N a) (N b))
(S (N only) (N gold) (N has) (N this))
^^ missing-sentence: system has no such sentence at this place
(S (N c) (N d))
(S (N last))
^^ missing-sentence: system has no parse of this sentence
system:
(S (N a) (N b))
(S (N c) (N d))
(())
^ missing-sentence: no parse: gold has a sentence here
(S (N zzz))
^^ extra-sentence: gold has no such sentence at this place
""",
    )


def test_long_constituents_are_shortened() -> None:
    words = " ".join(f"(N w{k})" for k in range(9))
    text = drawn(f"(S (NP {words}) (V x))", f"(S {words} (V x))")
    assert "system has no NP over “w0 w1 w2 … w6 w7 w8”" in text
