"""Word lists of `names`, folded. Data only."""

from __future__ import annotations

_HONORIFICS_TEXT = """
    mr mrs ms miss mx dr prof professor doctor sir dame lord lady rev fr sr sra srta señor señora señorita don
    doña herr frau hr fr. m mme mlle monsieur madame mademoiselle dott dottore dottoressa sig signor signora
    signorina dhr mevr mevrouw meneer pan pani г-н г-жа capt captain col colonel gen general sgt lt judge
    president senator sheikh
"""
#: Before a name: shows a person.
HONORIFICS = frozenset(_HONORIFICS_TEXT.split())
_ENDINGS_TEXT = """
    inc ltd llc llp gmbh ag kg kgaa ohg ug corp corporation co company sa sas sarl bv nv oy oyj ab asa as aps
    plc se spa srl sl pty pvt limited incorporated kft zrt sro sp.z.o.o ооо ltda eireli holding holdings ev
"""
#: Behind a name: shows a company.
ENDINGS = frozenset(_ENDINGS_TEXT.split()) - {"as", "se", "ab", "sa", "sl", "co"} | {"co"}
_ORGANIZATIONS_TEXT = """
    university college school institute foundation bank ministry department agency council committee
    association society union hospital clinic museum library church labs laboratories group partners ventures
    capital studios media press airlines airways universität hochschule institut stiftung verein ministerium
    bundesbank sparkasse klinikum université école banque ministère universidad instituto fundación banco
    ministerio universidade fundação università istituto fondazione banca universiteit stichting uniwersytet
    fundacja университет институт фонд банк
"""
ORGANIZATIONS = frozenset(_ORGANIZATIONS_TEXT.split())
_PROJECTS_TEXT = """
    project operation initiative mission programme program projekt projet proyecto projeto progetto проект
"""
PROJECTS = frozenset(_PROJECTS_TEXT.split())
_PLACE_FIRST_TEXT = """
    new san los las santa saint st north south east west lake mount mt port fort cape río rio lago mont
"""
PLACE_FIRST = frozenset(_PLACE_FIRST_TEXT.split())
_PLACE_LAST_TEXT = """
    street st avenue ave road rd lane drive square place boulevard blvd court terrace bridge park river lake
    island islands city county beach bay valley mountain mountains hill hills station airport straße strasse
    str platz allee weg gasse brücke bahnhof
"""
PLACE_LAST = frozenset(_PLACE_LAST_TEXT.split())
_THINGS_TEXT = """
    api app cloud server service services platform studio suite engine framework database db code plan report
    review meeting notes note summit conference workshop day days week team release version update board model
    system tool tools policy agreement act contract budget roadmap guide book award prize festival cup league
    games store shop cafe café restaurant hotel bar pro max plus
"""
#: Last words of things that are no people: "Google Cloud", "Design Review".
THINGS = frozenset(_THINGS_TEXT.split())
_JOINING_TEXT = """
    van von der den de la del della di da dos du das al el bin ibn ter zu zur le y of the
"""
#: Small words inside names; "of" and "the" only behind an organization's word.
JOINING = frozenset(_JOINING_TEXT.split())
_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march
    april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober
    dezember lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août
    septembre octobre novembre décembre lunes martes miércoles jueves viernes sábado domingo enero febrero
    marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre christmas easter ramadan diwali
    xmas today tomorrow yesterday
"""
_LANGUAGES = """
    english german french spanish italian portuguese dutch polish russian turkish chinese japanese korean
    arabic hindi hebrew greek swedish norwegian danish finnish czech hungarian romanian ukrainian latin
    american british european asian african deutsch englisch französisch spanisch italienisch français anglais
    allemand español inglés alemán
"""
_SHORT = """
    i i'm i'll i've i'd im ok okay fyi asap btw todo tbd tba eta faq pdf url html json csv xml sql http https
    api usb cpu gpu ram am pm re fw fwd aw wg cc bcc ps nb lol omg imo imho wtf afaik ceo cto cfo hr it pr vs
    etc gmt utc cet est pst usa uk eu us q1 q2 q3 q4 yes no hi hello hey dear thanks thank regards best
    sincerely cheers please
"""
#: Capitalised for another reason, or too common to name anything: they break a run.
NEVER = frozenset(" ".join((_CALENDAR, _LANGUAGES, _SHORT)).split()) - {"may"}
_OPENERS_TEXT = """
    a an the this that these those my your his her its our their we you he she it they there here when where
    while if as at by for from in into of off on onto over to under up with without after before since until
    about and but or nor so yet then than because although though however also even just only still now did do
    does has have had is are was were will would can could should may might must shall who whom whose what
    which why how ask tell call meet met let see saw told asked both each every some any no not maybe perhaps
    according dear hello hi hey thanks both all new next last first der die das ein eine und aber oder wenn als
    mit von zu bei nach für auf in im am an wir ihr sie er es ich le la les un une des et mais ou si avec de à
    chez pour nous vous il elle ils elles je el los las una y pero con para por en o os as um uma e mas com il
    lo gli uno ma per het een en maar met voor van
"""
#: Words that open a sentence in front of a name.
OPENERS = frozenset(_OPENERS_TEXT.split())
_GERMAN_TEXT = """
    der die das und ist nicht mit für ein eine auf wir ich den dem von zu im sich auch es wird haben sind
"""
GERMAN = frozenset(_GERMAN_TEXT.split())
