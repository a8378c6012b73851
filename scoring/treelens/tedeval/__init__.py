"""TedEval: parses scored by how many edits turn them into gold, whatever the annotation scheme.

A family of three papers by Tsarfaty, Nivre & Andersson (:mod:`treelens.tedeval.versions`), one
sentence at a time. The way is that of the papers: trees of any framework become function trees
(:mod:`~treelens.tedeval.convert`), several golds become one (:mod:`~treelens.tedeval.algebra`),
and a parse is compared with that one (:mod:`~treelens.tedeval.evaluation`), in closed form
(:mod:`~treelens.tedeval.distance`): no search, no limit on length. Knows no files and no other
metric; the metric of the reports, over whole files at once, is :mod:`treelens.metrics.tedeval`.
"""
