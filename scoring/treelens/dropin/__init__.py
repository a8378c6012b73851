"""Byte-identical stand-ins for the reference scorers, bugs included; a package each.

Published numbers depend on what these programs print, so their behaviour is copied and nothing
else; ``treelens score`` computes what is right. Nothing here touches files or streams: whoever
runs a program hands it a ``shared.world.World``.
"""
