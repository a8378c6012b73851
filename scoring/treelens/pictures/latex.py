"""The drawing as LaTeX: skeleton."""

from treelens.pictures.drawing import Drawing


def latex(drawing: Drawing, title: str) -> str:
    return "% " + title
