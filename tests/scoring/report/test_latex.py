"""The LaTeX table: the numbers of the tallies, the best in bold, and nothing that LaTeX reads."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from reports import reported
from treelens.render.tex import escaped
from treelens.report.as_latex import latex
from treelens.report.as_table import number
from trees import pairs

GOLD = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n(S (NP (NN rain)) (VP (VB falls)))"
GOOD = "(S (NP (DT the) (NN dog)) (VP (VB barks)))\n(S (NP (NN rain)) (X (VB falls)))"
BAD = "(S (DT the) (VP (NN dog) (VB barks)))\n(S (NP (NN rain)) (X (VB falls)))"


def test_systems_are_rows_and_the_best_is_bold() -> None:
    found, _ = reported(GOLD, GOOD, BAD, names=["gold.mrg", "out/a_1.mrg", "out/b.mrg"])
    lines = list(latex(found))
    assert lines[:2] == [f"% {found.signature}", "% gold: gold.mrg (2 sentences)"]
    assert lines[3:10] == [
        r"\begin{tabular}{lrrrrrrr}",
        r"\toprule",
        r"\textit{PARSEVAL} & Bracketing F1 & Bracketing recall & Bracketing precision & "
        r"Unlabelled F1 & Unlabelled recall & Unlabelled precision & Complete match \\",
        r"\midrule",
        r"a\_1.mrg & \textbf{83.33} & \textbf{83.33} & \textbf{83.33} & \textbf{100.00} & "
        r"\textbf{100.00} & \textbf{100.00} & \textbf{50.00} \\",
        r"b.mrg & 54.55 & 50.00 & 60.00 & 72.73 & 66.67 & 80.00 & 0.00 \\",
        r"\midrule",
    ]
    crossing = next(at for at, line in enumerate(lines) if "Average crossing" in line)
    assert lines[crossing + 2] == r"a\_1.mrg & \textbf{0.00} & \textbf{100.00} & 100.00 \\"
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]


@given(pairs())
def test_it_has_the_numbers_of_the_pair(trees: tuple[list[str], list[str]]) -> None:
    found, (scored,) = reported(*map("\n".join, trees))
    rows = [line for line in latex(found) if line.startswith("system1.mrg & ")]
    values = [cell for row in rows for cell in row.removesuffix(r" \\").split(" & ")[1:]]
    assert values == [number(score).replace("–", "--") for score in scored.scores()]


@given(st.text())
def test_names_are_printed_as_they_are(name: str) -> None:
    found, _ = reported(GOLD, GOOD, BAD, names=[name, f"a/{name}", f"b/{name}"])
    lines = "\n".join(latex(found)).splitlines()
    plain, _ = reported(GOLD, GOOD, BAD, names=["x", "a/x", "b/x"])
    assert len(lines) == len(list(latex(plain))), "no name starts a line of its own"
    text = escaped(name)
    assert not text.startswith(("[", "*"))
    # Without what stands for one character each, nothing is left that LaTeX acts on.
    rest = re.sub(r"\\[{}$&#%_]|\\text[a-z]+\{\}|\{[\[*]\}", "", text)
    assert not set(rest) & set('\\{}$&#%_^~<>|"')


def test_what_latex_acts_on() -> None:
    assert escaped(r"a_b & 50% \x {y} $z^2~#") == (
        r"a\_b \& 50\% \textbackslash{}x \{y\} \$z\textasciicircum{}2\textasciitilde{}\#"
    )
    assert escaped("[1] *") == "{[}1] {*}"
    assert escaped("a\nb\r% c") == "a␊b␍\\% c"
