"""What a step of repair is told as: which way something hangs wrongly, on what, and in words."""

from __future__ import annotations

from typing import NamedTuple

from treelens.differences.wording import Said
from treelens.errors.error import Direction
from treelens.errors.transform import ContextNode, Step

_ROOT = "the root"


class Description(NamedTuple):
    """What is said of a step."""

    said: Said
    direction: Direction
    gold_label: str
    system_label: str


def described(step: Step, child: ContextNode | None, words: str, *, moved: bool) -> Description:
    """What a step is told as.

    child: of a node added or removed, the one whose attachment is what is wrong. moved: whether
    the words quoted are others than the node is over by then.
    """
    if step.operation == "move":
        return _move_described(step, words)
    if step.operation == "relabel":
        said = Said(
            "{was} {words} is {label} in {gold}",
            {"was": step.was, "words": words, "label": step.label},
        )
        return Description(said, "", step.label, step.was)
    parent = step.parent or _ROOT
    if child is not None:
        slots = {"name": child.name, "words": words, "parent": parent, "label": step.label}
        if step.operation == "add":
            return Description(Said(_TOO_HIGH, slots), "too high", step.label, parent)
        return Description(Said(_TOO_LOW, slots), "too low", parent, step.label)
    slots = {"label": step.label, "over": "" if moved else _over(step), "words": words}
    if step.operation == "add":
        return Description(
            Said("{system} has no {label} over {over}{words}", slots), "", step.label, ""
        )
    return Description(Said("{gold} has no {label} over {over}{words}", slots), "", "", step.label)


_TOO_HIGH = "{name} {words} is attached too high: to {parent}, not to a missing {label}"
_TOO_LOW = "{name} {words} is attached too low: to a needless {label}, not to {parent}"


def _over(step: Step) -> str:
    """What a node of a single child stands over."""
    if len(step.parts) != 1:
        return ""
    return "the single word " if step.parts[0].leaf else f"{step.parts[0].name} "


def _move_described(step: Step, words: str) -> Description:
    old, new = step.parent or _ROOT, step.new_parent or _ROOT
    there = new
    if step.label:
        there = f"a missing {new}"
    elif old == new or not (step.inside or step.place == "above"):
        there = f"the {new} {step.place}{'' if step.place == 'above' else ' it'}"
    direction: Direction = ""
    if step.inside:
        direction = "too high"
    elif step.place == "above":
        direction = "too low"
    how = f"{direction}: " if direction else ""
    slots = {"what": f"{_named(step.parts)}{words}", "how": how, "old": old, "there": there}
    said = Said("{what} is attached {how}to {old}, not to {there}", slots)
    return Description(said, direction, new, old)


def _named(parts: tuple[ContextNode, ...]) -> str:
    return f"{parts[0].name} " if len(parts) == 1 else ""
