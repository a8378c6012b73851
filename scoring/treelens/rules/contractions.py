"""Contractions of some languages, as :func:`treelens.rules.spelling.read_contractions` reads them.

Only what is one thing wherever it is written: English ``'s`` and ``'d`` may be several words, and
so may French ``l'``; whoever knows which it is in a corpus gives a list of their own. Compiled for
this project.
"""

from __future__ import annotations

from treelens.rules.spelling import Contraction, read_contractions

_ENGLISH = """
    ca n't = can not
    wo n't = will not
    sha n't = shall not
    n't = not
    cannot = can not
    can't = can not
    won't = will not
    shan't = shall not
    don't = do not
    doesn't = does not
    didn't = did not
    isn't = is not
    aren't = are not
    wasn't = was not
    weren't = were not
    haven't = have not
    hasn't = has not
    hadn't = had not
    couldn't = could not
    shouldn't = should not
    wouldn't = would not
    mightn't = might not
    mustn't = must not
    needn't = need not
    'm = am
    're = are
    've = have
    'll = will
    I'm = I am
    I've = I have
    I'll = I will
    you're = you are
    you've = you have
    you'll = you will
    we're = we are
    we've = we have
    we'll = we will
    they're = they are
    they've = they have
    they'll = they will
    he'll = he will
    she'll = she will
    it'll = it will
    let 's = let us
    let's = let us
    't is = it is
    't was = it was
    'tis = it is
    'twas = it was
    gon na = going to
    gonna = going to
    got ta = got to
    gotta = got to
    wan na = want to
    wanna = want to
    gim me = give me
    gimme = give me
    lem me = let me
    lemme = let me
"""

_GERMAN = """
    am = an dem
    ans = an das
    aufs = auf das
    beim = bei dem
    durchs = durch das
    fürs = für das
    im = in dem
    ins = in das
    ums = um das
    vom = von dem
    zum = zu dem
    zur = zu der
"""

_FRENCH = """
    au = à le
    aux = à les
    du = de le
    des = de les
    auquel = à lequel
    auxquels = à lesquels
    auxquelles = à lesquelles
    duquel = de lequel
    desquels = de lesquels
    desquelles = de lesquelles
"""

LANGUAGES = {"en": _ENGLISH, "de": _GERMAN, "fr": _FRENCH}
"""The lists, by language."""


def contractions(language: str) -> tuple[Contraction, ...]:
    """A language's contractions, also with a capital where one begins with a small letter."""
    found, _ = read_contractions(LANGUAGES[language])
    capital = [(_capitalised(short), _capitalised(full)) for short, full in found]
    return tuple(dict.fromkeys([*found, *capital]))


def _capitalised(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[0][:1].upper() + words[0][1:], *words[1:]
