"""What the folder of a round says of its files."""

from __future__ import annotations

CONFIG = "treelens.toml"
_ADJUDICATED = """[[adjudication]]
first = "anna/*"
second = "boris/*"
adjudicated = "settled/*"
"""
_SYSTEMS = """[[pairs]]
gold = "*.ref.*"
system = ["*.mia.*", "*.zoe.*", "*.adam.*"]
"""
CONFIGS = (
    f"{_ADJUDICATED}\n{_SYSTEMS}",
    f"strict = false\n{_ADJUDICATED}\n{_SYSTEMS}ignore_case = true\nheads = 'collins'\n",
    f"[labels]\ncategories = ['S', 'NP', 'X']\nrelations = ['det', 'root']\n\n{_SYSTEMS}"
    "metrics = ['standard', 'leaf-ancestor']\n",
    "[[pairs]]\ngold = '*.gold.*'\nsystem = '*.system.*'\nparameters = 'rules.prm'\n",
    "[[pairs]\n",
)
"""What a folder says, the first one at the start; the last one cannot be read."""
PARAMETERS = "rules.prm", "DELETE_LABEL TOP\nDELETE_LABEL NP\nLABELED 1\nEQ_LABEL VP S\n"
