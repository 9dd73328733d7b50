"""Words that say nothing about what is asked for: left out of queries, never of the index.

Function words of English, and the commonest of German, French, Spanish, Italian and Russian that are no English word
of content. Case-folded, as `words` compares them.
"""

from __future__ import annotations

_ENGLISH = """
a about above after again against all also am an and any are aren as at be because been before being below between both
but by can cannot could couldn did didn do does doesn doing don down during each ever few for from further get gets got
had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just
let like ll me might more most much must my myself no nor not of off on once one only or other our ours ourselves out
over own please re s same shall shan she should shouldn so some such t than that the their theirs them themselves then
there these they this those through to too tell under until up upon us ve very was wasn we were weren what when where
whether which while who whom whose why will with won would wouldn you your yours yourself yourselves
"""
_GERMAN = """
aber als am auch auf aus bei bis bist da damit dann das dass dein dem den der des dessen deren dich dir du durch ein
eine einem einen einer eines er es euch euer fur für gegen habe haben hatte hatten ich ihm ihn ihnen ihr ihre im ist
ja kann mein mich mir nach nicht noch nur oder ohne sehr sein seine sich sie sind uber über um und uns unser vom von
vor wann warum was weil welche welcher welches wenn wer wie wird wir wo worden wurde wurden zu zum zur
"""
_FRENCH = """
au aux avec ce ces cette dans de des du elle elles en est et eux il ils je la le les leur leurs lui ma mais mes moi mon
ne nos notre nous ont ou où par pas qu que quel quelle qui sa se ses sont sur ta te tes toi tu un une vos
votre vous
"""
_SPANISH = """
al como con cual cuando cuándo de del desde donde dónde el ella ellas ellos en era es esta este esto fue ha han la
las le les lo los mas más me mi mis muy ni nos para pero por porque que qué quien quién se si sin sobre su sus
también te tu tus un una unas uno unos y ya
"""
_ITALIAN = "che chi con cosa dei del della delle di dove è gli il lo nel nella non per perché più quando sono una"
_RUSSIAN = """
а без был была были было быть в вам вас во вот все вы где да для до его ее если есть еще же за и из или им их к как ко
когда кто ли мне мы на над не нет но ну о об он она они от по под при с со так там то тот ты у уже что чтобы эта эти это
этот я
"""

#: Pairs of signs, as scripts without blanks are cut: endings and particles of Japanese, question words of Chinese.
_DENSE = """
です でし した ます まし せん ませ すか たか のか のは のが のを のに では には とは から まで より って てい
てる いる いた ある あり する しま いま てく くだ ださ さい さん この その あの どの これ それ どこ いつ なに
何を 何が 何と 何で どう どん んな しょ ょう だろ ろう ので など だけ もの こと とい いう 什么 怎么 怎样 为什
么时 哪里 哪个 是什 我们 你们 他们 这个 那个 了吗
"""

STOP_WORDS = frozenset(" ".join([_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _RUSSIAN, _DENSE]).split())
