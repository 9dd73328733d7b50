"""Words that open a sentence of a summary and name nobody, folded. Data only."""

from __future__ import annotations

_WORDS = """
    after agreed agreement also although another answered asked before besides both but decided decision despite
    discussed discussion during each eventually everybody everyone finally first following further however if
    initially instead it later many meanwhile most nobody none nothing now once one other others otherwise overall
    people planned plans proposed reported several shortly since so some somebody someone somewhat soon suggested
    that the their then there these they this those thus today together ultimately until we when whereas whether
    while
    abschließend alle anschließend außerdem bevor beide danach dann daraufhin das dennoch der die dies diese es
    jedoch man mehrere nachdem niemand obwohl schließlich sie später weil wenn wir zudem zuerst zuletzt zunächst
    alors après aussi avant cela ce cependant ces ensuite elle elles enfin il ils le la les lorsque mais on personne
    plus plusieurs puis tous toutefois
    además aunque antes como cuando después el ella ellos entonces esto finalmente los las luego mientras nadie
    también todos un una varios
"""
OPENING_WORDS = frozenset(_WORDS.split())
