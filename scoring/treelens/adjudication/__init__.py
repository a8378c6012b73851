"""Two annotators' files, and the file in which it is settled who of them is right.

Everything there is of it: who belongs together (``rules``), what is open (``adjudication``,
``disagreements``), what follows a session (``adjudications``), and what an adjudicator sees and can
do (``marks``, ``actions``, ``status``). The session and what is shown of any file know only of an
overlay (:class:`treelens.present.overlay.ShownOverlay`); nothing below imports this package.
"""
