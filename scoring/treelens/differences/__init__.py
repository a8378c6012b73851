"""What differs between two sides of a comparison, as data.

A kind of difference is a record (:mod:`treelens.differences.difference`) in the one table of them
(:mod:`treelens.differences.table`); counts, findings and marks all follow from its rows.
:mod:`treelens.differences.wording` says them in English, given what the two sides are called.
"""
