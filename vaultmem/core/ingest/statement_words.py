"""How people state facts of themselves, language by language: patterns over one clause.

`k`: what the key is made of; `v`: the value, verbatim; `p`: what it is for, which belongs to the key. A pattern's name
is the key, or its beginning.
"""

from __future__ import annotations

#: What may stand before a statement and says nothing.
OPENINGS = (
    "and|so|but|btw|by the way|also|actually|please|hey|hi|hello|ok|okay|yes|yeah|no|well|note|fyi|"
    "just so you know|und|also|übrigens|bitte|hallo|ja|nein|et|alors|au fait|oui|non|bonjour|y|pues|"
    "por cierto|sí|hola|e|allora|comunque|ciao|então|aliás|olá|en|dus|trouwens|hoi|и|а|кстати|привет|да"
)
#: With one of these a sentence supposes and does not say.
SUPPOSING = (
    "if|when|whenever|unless|suppose|supposing|imagine|assume|let's say|what|why|how|who|where|which|do|does|"
    "did|is|are|can|could|should|would|wenn|falls|ob|angenommen|was|warum|wie|wer|wo|si|quand|pourquoi|"
    "comment|cuando|cómo|qué|se|quando|perché|come|als|hoe|waarom|wat|если|когда|почему|как|что"
)
SUPPOSING_UNSPACED = "もし|如果|假如"
#: Before `my` these divide a sentence into statements.
CONJUNCTIONS = "and|und|et|y|e|en|и|but|aber|mais|pero|ma|mas|maar|но"
SUBJECTS = (
    "i |i'm |we |we're |my |our |ich |wir |mein|je |j'|nous |on |mon |ma |mes |mi |mis |prefiero |uso |"
    "usamos |il mio |la mia |preferisco |usiamo |meu |minha |prefiro |ik |wij |we |mijn |я |мы |мой |моя |"
    "моё |мои |меня |call me |remember "
)
#: Of such a thing one speaks for a moment.
PASSING = frozenset(
    """
    question questions point problem problems issue guess understanding code bug idea plan suggestion concern
    concerns bad mistake turn test tests script function error output file answer request message first last
    next own life god frage fehler idee vorschlag problème erreur idée pregunta problema domanda errore
    pergunta erro ideia vraag probleem fout вопрос проблема ошибка идея
    """.split()  # noqa: SIM905 - words to be read, not a table
)

#: `my kids are so excited`: what begins so is a mood and no property.
MOODS = (
    "so|about|just|really|very|too|quite|pretty|a bit|kind of|not sure|gerade|sehr|ziemlich|echt|très|tellement|si|muy|"
    "tan|molto|così|muito|tão|erg|heel|zo|очень|так"
)

#: name -> patterns; the first that fits a clause from its beginning is taken
STATEMENTS: tuple[tuple[str, str], ...] = (
    # names
    ("name", r"(?:call me|my name is|my name's|you can call me|people call me|i go by) (?P<v>.+)"),
    ("name", r"(?:nenn mich|nennt mich|ich hei(?:ß|ss)e|mein name ist) (?P<v>.+)"),
    ("name", r"(?:appelle[- ]moi|appelez[- ]moi|je m'appelle|mon nom est) (?P<v>.+)"),
    ("name", r"(?:ll[aá]m[ae]me|me llamo|mi nombre es) (?P<v>.+)"),
    ("name", r"(?:chiamami|mi chiamo|il mio nome è) (?P<v>.+)"),
    ("name", r"(?:me chame de|chama-me|me chamo|chamo-me|meu nome é) (?P<v>.+)"),
    ("name", r"(?:noem me|ik heet|mijn naam is) (?P<v>.+)"),
    ("name", r"(?:зовите меня|зови меня|меня зовут|моё имя|мое имя) (?P<v>.+)"),
    ("name", r"(?:叫我|我叫|我的名字是)(?P<v>.+)"),
    ("name", r"(?:私の名前は)?(?P<v>[^、。\s]{1,20}?)(?:と呼んで.*|と申します|といいます)"),
    # where one lives and works
    ("lives in", r"(?:i live|i'm living|we live) in (?P<v>.+)"),
    ("lives in", r"ich wohne (?:jetzt )?in (?P<v>.+)"),
    ("lives in", r"j'habite (?:à|a|en|au|aux) (?P<v>.+)"),
    ("lives in", r"(?:vivo en|abito a|vivo a|moro em|vivo em|ik woon in|я живу в) (?P<v>.+)"),
    ("lives in", r"我住在(?P<v>.+)"),
    ("lives in", r"(?:私は)?(?P<v>[^、。\s]{1,20}?)に住んでいます"),
    ("works at", r"(?:i work|i'm working) (?:at|for) (?P<v>.+)"),
    (
        "works at",
        r"(?:ich arbeite bei|je travaille chez|trabajo (?:en|para)|lavoro (?:per|da)) (?P<v>.+)",
    ),
    ("works at", r"(?:trabalho (?:na|no|em|para)|ik werk bij|я работаю в) (?P<v>.+)"),
    # preferences
    ("allergic to", r"(?:i'm|i am) allergic to (?P<v>.+)"),
    (
        "prefers",
        r"i(?: (?:really|usually|always|much|now|would)|'d)* prefer (?P<v>.+?)(?P<p> (?:for|in|when|at|on) .+)?",
    ),
    ("prefers", r"ich (?:bevorzuge|ziehe) (?P<v>.+?)(?P<p> (?:für|in|bei|wenn) .+)?"),
    ("prefers", r"je préfère (?P<v>.+?)(?P<p> (?:pour|dans|quand) .+)?"),
    ("prefers", r"(?:yo )?prefiero (?P<v>.+?)(?P<p> (?:para|en|cuando) .+)?"),
    ("prefers", r"preferisco (?P<v>.+?)(?P<p> (?:per|in|quando) .+)?"),
    ("prefers", r"(?:eu )?prefiro (?P<v>.+?)(?P<p> (?:para|em|quando) .+)?"),
    ("prefers", r"ik geef de voorkeur aan (?P<v>.+?)(?P<p> (?:voor|in|als) .+)?"),
    ("prefers", r"я (?:всегда |обычно )?предпочитаю (?P<v>.+?)(?P<p> (?:для|в|когда) .+)?"),
    ("prefers", r"我(?:更|比较)?喜欢(?P<v>.+)"),
    ("prefers", r"(?:私は)?(?P<v>[^、。]{1,40}?)の?(?:方|ほう)?が好きです"),
    # tools
    (
        "uses",
        r"(?:we|i)(?: (?:always|usually|currently|now|still|mostly|only))? use (?P<v>.+?)(?P<p> (?:for|as|in|to) .+)?",
    ),
    ("uses", r"(?:we're|we are|i'm|i am) (?:currently |now |still )?using (?P<v>.+?)(?P<p> (?:for|as|in|to) .+)?"),
    (
        "uses",
        r"(?:wir|ich) (?:benutzen|benutze|verwenden|verwende|nutzen|nutze) (?P<v>.+?)(?P<p> (?:für|als|zum|zur) .+)?",
    ),
    ("uses", r"(?:nous utilisons|on utilise|j'utilise) (?P<v>.+?)(?P<p> (?:pour|comme) .+)?"),
    ("uses", r"(?:usamos|utilizamos|uso|utilizo) (?P<v>.+?)(?P<p> (?:para|como) .+)?"),
    ("uses", r"(?:usiamo|utilizziamo) (?P<v>.+?)(?P<p> (?:per|come) .+)?"),
    ("uses", r"(?:wij|we|ik) gebruiken? (?P<v>.+?)(?P<p> (?:voor|als) .+)?"),
    ("uses", r"(?:мы используем|я использую) (?P<v>.+?)(?P<p> (?:для|как) .+)?"),
    ("uses", r"(?:我们|我)(?:使用|用)(?P<v>.+)"),
    ("uses", r"(?:私たちは|私は)?(?P<v>[^、。]{1,40}?)を使っています"),
    # my X is Y
    ("", r"(?:my|our) (?P<k>[\w'’ -]{2,40}?) (?:is|are)(?: now| currently| actually)? (?P<v>.+)"),
    ("", r"(?:mein|meine|unser|unsere) (?P<k>[\w'’ -]{2,40}?) (?:ist|sind|heißt|lautet)(?: jetzt| nun)? (?P<v>.+)"),
    ("", r"(?:mon|ma|mes|notre|nos) (?P<k>[\w'’ -]{2,40}?) (?:est|sont|s'appelle)(?: maintenant)? (?P<v>.+)"),
    ("", r"(?:mi|mis|nuestro|nuestra) (?P<k>[\w'’ -]{2,40}?) (?:es|son|está|se llama)(?: ahora)? (?P<v>.+)"),
    ("", r"(?:il mio|la mia|i miei|le mie) (?P<k>[\w'’ -]{2,40}?) (?:è|sono|si chiama)(?: ora| adesso)? (?P<v>.+)"),
    ("", r"(?:o meu|a minha|meu|minha) (?P<k>[\w'’ -]{2,40}?) (?:é|são|está|se chama)(?: agora)? (?P<v>.+)"),
    ("", r"(?:mijn|onze|ons) (?P<k>[\w'’ -]{2,40}?) (?:is|zijn|heet)(?: nu)? (?P<v>.+)"),
    ("", r"(?:мой|моя|моё|мое|мои|наш|наша|наши) (?P<k>[\w'’ -]{2,40}?) (?:—|–|-|это|теперь|находится) ?(?P<v>.+)"),
    ("", r"我的(?P<k>[^是，。\s]{1,12})是(?P<v>.+)"),
    ("", r"私の(?P<k>[^は、。\s]{1,12})は(?P<v>.+?)(?:です|だ)?"),
)
#: What is to be kept word for word
REMEMBER = (
    r"(?:remember|keep in mind|note|make a note|don't forget)(?: for me)?(?:,| that|:)+ (?P<v>.+)",
    r"(?:merk(?:e)? dir|denk(?:e)? daran|vergiss nicht)(?:,? dass|:|,) (?P<v>.+)",
    r"(?:souviens-toi|rappelle-toi|retiens|note|n'oublie pas)(?: que|:) (?P<v>.+)",
    r"(?:recuerda|acuérdate de|ten en cuenta|no olvides)(?: que|:) (?P<v>.+)",
    r"(?:ricorda|ricordati|tieni presente|non dimenticare)(?: che|:) (?P<v>.+)",
    r"(?:lembre-se(?: de)?|lembra-te(?: de)?|não esqueça)(?: que|:) (?P<v>.+)",
    r"(?:onthoud|vergeet niet|denk eraan)(?: dat|:) (?P<v>.+)",
    r"(?:запомни|помни|не забудь)(?:,? что|:) (?P<v>.+)",
    r"(?:记住|请记住|别忘了)[，,:：]?(?P<v>.+)",
    r"(?P<v>.+?)(?:と|を|って)覚えて(?:おいて|いて)?.*",
)
