"""Small charts as SVG: scores by class with their intervals, and one interval beside a number.

Pure: numbers in, markup out. Series differ in the shape of their marks and in the stroke of
their lines besides their colour (``page.css``: ``s0`` to ``s7``); undefined values are gaps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from treelens.render.markup import Markup, element, joined

SERIES = 8
"""Series that are told apart; further ones look like the first ones again."""

_WIDTH, _HEIGHT = 680.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 12.0, 14.0, 58.0
_BARS = 34.0
"""Height of the tallest bar at the foot of a chart."""
_STEPS = (1, 2, 5, 10, 20, 25, 50)
_MARK = 4.2

_Place = Callable[[float], float]
"""Where on the page a value is."""


class Point(NamedTuple):
    """A value and its interval, in the units of the axis; None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Series(NamedTuple):
    """The points of one system, a class each."""

    name: str
    points: Sequence[Point]


def chart(
    title: str, classes: Sequence[str], series: Sequence[Series], sizes: Sequence[int], unit: str
) -> Markup:
    """Lines over classes; ``sizes``, how many of ``unit`` each class has, as bars at the foot."""
    low, high, step = _scale([point for one in series for point in one.points])
    across = (_WIDTH - _LEFT - _RIGHT) / max(len(classes), 1)
    base = _HEIGHT - _BOTTOM

    def x(at: int, number: int) -> float:
        return _LEFT + (at + 0.5) * across + _shift(number, len(series), across)

    def y(value: float) -> float:
        return _TOP + (high - value) / (high - low) * (base - _TOP)

    drawn = [*_grid(low, high, step, y), *_bars(classes, sizes, across, base, unit)]
    for number, one in enumerate(series):
        places = [
            (x(at, number), y(point.value))
            for at, point in enumerate(one.points)
            if point.value is not None
        ]
        drawn.append(
            element(
                "g",
                element("polyline", points=" ".join(f"{a:.1f},{b:.1f}" for a, b in places)),
                *(_whisker(x(at, number), y, p) for at, p in enumerate(one.points)),
                *(
                    _marked(number, x(at, number), y, p, f"{one.name}, {classes[at]}")
                    for at, p in enumerate(one.points)
                ),
                class_=f"series s{number % SERIES}",
            )
        )
    return element(
        "svg",
        element("title", title),
        joined(drawn),
        class_="chart",
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        role="img",
    )


def mark(number: int) -> Markup:
    """A series's mark by itself, for a legend or a heading."""
    return element(
        "svg",
        element("path", d="M0 7H26"),
        element("path", d=_shape(number, 13, 7), class_="mark"),
        class_=f"key series s{number % SERIES}",
        viewBox="0 0 26 14",
        width=26,
        height=14,
        aria_hidden="true",
    )


def interval(point: Point, low: float, high: float) -> Markup:
    """A value with its interval on a line from ``low`` to ``high``."""
    wide, middle = 120.0, 8.0

    def x(value: float) -> float:
        return 5 + (value - low) / ((high - low) or 1) * (wide - 10)

    parts = [element("path", d=f"M0 {middle}H{wide}", class_="axis")]
    if point.low is not None and point.high is not None:
        parts.append(element("path", d=f"M{x(point.low):.1f} 8H{x(point.high):.1f}", class_="span"))
    if point.value is not None:
        parts.append(element("circle", cx=x(point.value), cy=middle, r=3.6))
    return element(
        "svg", *parts, class_="interval", viewBox="0 0 120 16", width=120, height=16,
        aria_hidden="true",
    )  # fmt: skip


def bar(share: float) -> Markup:
    """A share, from 0 to 1, as the length of a bar."""
    return element(
        "svg",
        element("rect", width=60, height=8, y=2, class_="ground"),
        element("rect", width=60 * share, height=8, y=2, class_="value"),
        class_="bar",
        viewBox="0 0 60 12",
        width=60,
        height=12,
        aria_hidden="true",
    )


def _scale(points: Sequence[Point]) -> tuple[float, float, float]:
    """Lowest and highest of the axis, and the step between its lines."""
    known = [value for point in points for value in point if value is not None]
    lowest, highest = min(known, default=0.0), max(known, default=1.0)
    wanted = max(highest - lowest, 1e-9) / 5
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(s * power for s in _STEPS if s * power >= wanted)
    low, high = math.floor(lowest / step) * step, math.ceil(highest / step) * step
    return (low, high, step) if high > low else (low, low + step, step)


def _grid(low: float, high: float, step: float, y: _Place) -> Iterator[Markup]:
    places = max(0, -math.floor(math.log10(step)))
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        yield element("path", d=f"M{_LEFT} {y(value):.1f}H{_WIDTH - _RIGHT}", class_="grid")
        yield element(
            "text", f"{value:.{places}f}", x=_LEFT - 8, y=y(value), dy=".35em", class_="value"
        )


def _bars(
    classes: Sequence[str], sizes: Sequence[int], across: float, base: float, unit: str
) -> Iterator[Markup]:
    largest = max(sizes, default=0) or 1
    for at, (name, size) in enumerate(zip(classes, sizes, strict=True)):
        middle, high = _LEFT + (at + 0.5) * across, max(size / largest * _BARS, 1.0)
        yield element(
            "rect",
            element("title", f"{name}: {size:,} {unit}"),
            x=middle - across * 0.36,
            y=base - high,
            width=across * 0.72,
            height=high,
            class_="size",
        )
        yield element("text", name, x=middle, y=base + 18, class_="class")
        yield element("text", f"{size:,}", x=middle, y=base + 34, class_="count")
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield element(
        "text", f"words in the sentence; below, {unit}", x=middle, y=base + 52, class_="count"
    )


def _shift(number: int, count: int, across: float) -> float:
    """So that whiskers of several series stand side by side."""
    return (number - (count - 1) / 2) * min(9.0, across * 0.6 / max(count, 1))


def _whisker(x: float, y: _Place, point: Point) -> Markup:
    if point.low is None or point.high is None:
        return Markup()
    top, foot = y(point.high), y(point.low)
    caps = f"M{x - 3:.1f} {top:.1f}h6M{x - 3:.1f} {foot:.1f}h6"
    return element("path", d=f"M{x:.1f} {top:.1f}V{foot:.1f}{caps}", class_="whisker")


def _marked(number: int, x: float, y: _Place, point: Point, name: str) -> Markup:
    if point.value is None:
        return Markup()
    said = f"{name}: {point.value:.2f}"
    if point.low is not None and point.high is not None:
        said += f" ({point.low:.2f} to {point.high:.2f})"
    shape = _shape(number, x, y(point.value))
    return element("path", element("title", said), d=shape, class_="mark")


def _shape(number: int, x: float, y: float) -> str:
    """Circle, square, triangle, diamond, by turns."""
    r = _MARK
    match number % 4:
        case 0:
            return f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
        case 1:
            return f"M{x - r:.1f} {y - r:.1f}h{2 * r}v{2 * r}h{-2 * r}z"
        case 2:
            return f"M{x:.1f} {y - 1.2 * r:.1f}l{1.2 * r:.1f} {2.1 * r:.1f}h{-2.4 * r:.1f}z"
        case _:
            d = 1.3 * r
            return f"M{x:.1f} {y - d:.1f}l{d:.1f} {d:.1f}l{-d:.1f} {d:.1f}l{-d:.1f} {-d:.1f}z"
