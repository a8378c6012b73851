"""What changes while a program runs: the line, its status, the errors so far, the totals."""

from __future__ import annotations

from dataclasses import dataclass, field

from treelens.dropin.evalb.buffers import Leftovers
from treelens.dropin.evalb.dialects import Dialect
from treelens.dropin.evalb.settings import Entries, Settings
from treelens.dropin.shared.rows import ERROR, OK, Tally, Totals, row
from treelens.dropin.shared.world import Stop, World


@dataclass(slots=True)
class Run:
    dialect: Dialect
    settings: Settings
    world: World
    leftovers: Leftovers
    line: int = 0
    """The number of the pair, from 1."""
    status: int = OK
    errors: int = 0
    totals: Totals = field(default_factory=Totals)
    within_cutoff: Totals = field(default_factory=Totals)
    _delete_labels_cut: bool = False
    _deleted: frozenset[bytes] | None = None

    def error(self, message: bytes) -> None:
        """Report an error of this line. The program gives up *after* MAX_ERROR were exceeded:
        it tells two more than that number."""
        self.status = ERROR
        self.world.complain(b"%d : %s" % (self.line, message))
        self.errors += 1
        if self.errors > self.settings.max_error + 1:
            raise Stop(1)

    def result(self, tally: Tally) -> None:
        """Count a pair and print its row."""
        found = Totals.of(tally)
        self.totals = self.totals.plus(found)
        if tally.length <= self.settings.cutoff:
            self.within_cutoff = self.within_cutoff.plus(found)
        self.world.print(row(self.line, tally))

    def cut(self, label: bytes) -> bytes:
        """The part of the label that counts."""
        for end in self.dialect.label_ends:
            label = label.partition(b"%c" % end)[0]
        return label

    def same_word(self, gold: bytes, test: bytes) -> bool:
        pairs = self.settings.equal_words
        return gold == test or (gold, test) in pairs or (test, gold) in pairs

    def same_label(self, gold: bytes, test: bytes) -> bool:
        """EQ_LABEL pairs hold both ways, but are not chained."""
        if self.dialect.cuts_while_comparing:
            gold, test = self.cut(gold), self.cut(test)
        pairs = self.settings.equal_labels
        return gold == test or (gold, test) in pairs or (test, gold) in pairs

    def is_deleted(self, label: bytes) -> bool:
        """Whether a bracket with this label, already cut, is left out. EQ_LABEL is in force.

        The answer does not change with ``cut_delete_labels``, so it may be kept.
        """
        cuts = self.dialect.cuts_while_comparing
        if self._deleted is None:
            every = self.settings.delete_labels
            named = {self.cut(each) for each in every} if cuts else set(every)
            pairs = self.settings.equal_labels
            equal = [one for gold, test in pairs for one in (gold, test) if {gold, test} & named]
            self._deleted = frozenset(named.union(equal))
        return (self.cut(label) if cuts else label) in self._deleted

    def deletions_of_others(self, label: bytes) -> int:
        """How many DELETE_LABEL entries are not this label's (:meth:`same_label`), already cut."""
        pairs, entries = self.settings.equal_labels, self.settings.delete_labels
        equal = {one for pair in pairs if label in pair for one in pair}
        times = entries.times
        return len(entries) - sum(times[one] for one in {label, *equal})

    def cut_delete_labels(self) -> None:
        """What the first comparison with them does to the DELETE_LABEL entries, for good,
        where comparing cuts in place: ``-NONE-`` becomes the empty label."""
        if self.dialect.cuts_while_comparing and not self._delete_labels_cut:
            self._delete_labels_cut = True
            cut = Entries(self.cut(label) for label in self.settings.delete_labels)
            self.settings = self.settings._replace(delete_labels=cut)
