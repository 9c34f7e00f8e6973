"""Words that the rules of `voice` know: which verbs have a passive, which phrases move."""

from embsyntax.perturbation.main_clause import word_set

UNPASSIVE_VERBS = word_set(
    """remark trend hang have resemble cost weigh fit lack become equal suit mean contain belong
    remain seem look feel sound smell taste want wish hope get let possess comprise include
    involve leave join meet marry wed face say think suppose guess last total number measure
    exceed span feature star boast sport constitute consist agree await concern interest
    afford flee escape elude undergo benefit experience turn keep dare deserve mind date
    survive head near be go come arrive die fall rise sit stand lie sleep happen occur stay
    wait live gain slip jump plunge tumble soar surge slide shrink smile laugh talk run swim
    travel appear exist proceed depart land age pose edge bounce crawl exit quit work rally
    retreat bow step"""
)
"""Verbs that are left in the active: states, measures and relations, whose passive is odd or means
something else, and verbs without an object, whose "object" is a measure, a path or an error."""

PASSIVE_WITH_PARTICLE = word_set("turn step keep leave let hang")
"""Members of `UNPASSIVE_VERBS` that have a passive with a particle (`was turned down`)."""

RAISING_VERBS = word_set("go have use seem appear tend begin start continue happen")
"""Verbs before `to` that say nothing about their subject: the voice below them can change."""

TELLING_VERBS = word_set("tell inform assure warn remind convince notify advise")
"""Verbs with a person and a clause as objects."""

RECIPIENT_VERBS = word_set("give hand offer send show teach tell pay award grant lend")
"""Verbs whose recipient can be the subject of the passive."""

COUNTING_VERBS = word_set("hit reach top pass near cross see expect")
"""Verbs whose number is a measure, not a count of people (`the toll hits 25`)."""

POLICE_VERBS = word_set("arrest detain charge jail apprehend evacuate cordon")
"""What only the police does, so that they can go unnamed."""

IDIOMS = {
    "bear": word_set("fruit"),
    "break": word_set("silence news ground"),
    "cast": word_set("doubt light"),
    "catch": word_set("fire breath cold sight"),
    "change": word_set("mind clothes hands course places"),
    "draw": word_set("breath"),
    "drive": word_set("home"),
    "find": word_set("way time"),
    "follow": word_set("suit"),
    "gain": word_set("ground weight"),
    "give": word_set("birth way rise try look call hand shot thumbs"),
    "hit": word_set("high low road bottom brakes record records"),
    "hold": word_set("hands breath ground sway"),
    "lead": word_set("way"),
    "lose": word_set(
        """weight control way touch faith ground patience sight mind temper life lives cool"""
    ),
    "make": word_set("sense way fun room face faces debut love sure friends contact appearance do"),
    "miss": word_set("point"),
    "open": word_set("fire"),
    "poke": word_set("fun"),
    "pay": word_set("attention"),
    "play": word_set("role part catch host"),
    "raise": word_set("eyebrows"),
    "return": word_set("home"),
    "ring": word_set("bell"),
    "send": word_set("home"),
    "set": word_set("sail foot stage"),
    "shake": word_set("hands head hand"),
    "show": word_set("signs sign"),
    "speak": word_set("mind"),
    "spend": word_set("time day days night year years months month week weeks hours hour"),
    "take": word_set(
        """place part care advantage time effect turns note aim office notice shape root heart
        nap seat bath shower bow breath step steps break rest walk cover issue toll while
        lead look trip ride flight stand hold charge control"""
    ),
    "tell": word_set("truth"),
    "wave": word_set("goodbye"),
}
"""Objects that make one meaning with their verb and do not move away from it."""

OATHS = word_set("crap hell shit fuck heck ass damn")
"""Objects that say no more than how much (`scared the crap out of me`)."""

DEMANDING_VERBS = word_set("demand insist urge suggest recommend propose ask order request")
"""Verbs before a clause without tense, which parsers take for a noun in headlines."""

BARE_VERBS = word_set("love hate like miss enjoy keep stop start")
"""First words of messages without a subject (`love watching them`), read as nouns."""

HEADLINE_PARTICIPLES = word_set("find grant award deny sentence jail accuse hand offer")
"""Verbs whose past is mostly a participle in headlines (`Smith granted bail`)."""

CONJUNCTIONS = word_set("as when while because if although though since unless whereas")
"""Words that begin a clause, which is no part of a noun phrase."""

BODY_PARTS = word_set(
    """arm arms hand hands head heads finger fingers thumb thumbs leg legs foot feet eye eyes
    eyebrow eyebrows mouth tongue tongues nose ear ears lip lips shoulder shoulders knee knees
    hair face teeth neck fist fists tail wings heart breath"""
)
"""Heads that belong to the subject when no other owner is named (`raises a hand`)."""

UNITS = word_set(
    """percent % pct point points cent cents dollar dollars euro euros pound pounds mile miles km
    kg meter meters metre metres foot feet inch inches yard yards ton tons tonne tonnes gallon
    degree degrees second seconds minute minutes hour hours day days week weeks month months
    year years decade decades time times million billion trillion thousand hundred m bn bp pts
    c p"""
)
"""Heads of measures, which are no objects even where the parser says so."""

REFLEXIVES = word_set(
    """self myself yourself himself herself itself oneself ourselves yourselves themselves"""
)

OWN_PRONOUNS = {
    "i": frozenset({"my", "me", "mine"}),
    "we": frozenset({"our", "us", "ours"}),
    "you": frozenset({"your", "you", "yours"}),
}
"""Pronouns that mean the speaker or hearer, by subject."""

SPEAKERS = word_set("i you we one")
"""Who asks how anyone can do something."""

GENERIC_AGENTS = word_set("someone somebody people person persons one")
"""Agents that say no more than that someone acts."""

MODALS_OF_ADVICE = word_set("can could should would must may might do")
"""Modal verbs of questions and advice that hold for anyone."""

FOCUS_ADVERBS = word_set(
    """only just even merely simply almost nearly mostly all both each always rather instead too
    so then there here thus how why when where first together alone"""
)
"""Words before a verb whose reach would change, or whose place is fixed."""

QUANTIFIERS = word_set("every each all most many few no neither any some several both")

NEGATIVE = word_set("no nobody noone none neither few nothing")
"""Quantifiers and pronouns that negate."""

SENTENCE_ADVERBS = word_set(
    """currently recently reportedly allegedly possibly probably certainly finally formally
    likely apparently clearly actually really already newly previously originally presently
    early initially eventually ultimately usually normally typically generally rarely
    frequently occasionally immediately suddenly officially unanimously repeatedly"""
)
"""Adverbs in `ly` that say no manner and stand before all auxiliaries but the first."""

NOUN_PREPOSITIONS = word_set(
    """of about between among regarding concerning like than including for against"""
)
"""Prepositions that are taken to belong to the object that the parser gives them to."""

VERBS_WITH_OF = word_set(
    """accuse rob convict cure strip deprive remind warn inform clear acquit suspect relieve rid
    advise assure notify"""
)
"""Verbs after whose object `of` belongs to the verb."""

VERBS_WITH_FOR = word_set(
    """blame criticize criticise thank praise punish jail arrest sue sentence charge fine slam
    forgive nominate mistake exchange swap"""
)
"""Verbs after whose object `for` belongs to the verb."""

NOUNS_WITH_TO = word_set(
    """access answer approach change damage door entrance key link path reference reply response
    route solution threat trip tribute visit way witness opposition end right nominee ambassador"""
)
"""Nouns that keep a phrase with `to`."""

PATHS = word_set("into onto to toward towards through across off out")
"""Prepositions that belong to the verb."""

REMOVING_VERBS = word_set(
    """remove take get pull cut pour eat drink draw lift pick grab throw steal drive ride hang
    move withdraw ban prevent protect save keep stop free release order buy download install
    boot"""
)
"""Verbs that take something `from` somewhere: the phrase belongs to the verb."""

PLACING_VERBS = word_set(
    """put place pour throw drop add insert stick pack load spread lay set dump mix stir dip
    shoot hit hide store plant stack drill"""
)
"""Verbs that put something somewhere: `PLACES` belong to them."""

PLACES = word_set("in on over inside under through around across against at")
"""Prepositions that say where."""

SCENES = word_set(
    """stage park pool field kitchen gym beach street road yard garden water ocean sea river lake
    snow grass sand woods forest concert studio court"""
)
"""Where something takes place rather than where the object is."""

ATTITUDE_VERBS = word_set(
    """welcome condemn criticize criticise denounce hail praise support oppose back defend urge
    demand reject approve mourn slam blame discuss monitor plan propose consider"""
)
"""Verbs whose place is that of their object (`condemns violence in Syria`)."""

INSTRUMENTS = word_set(
    """knife knives fork spoon spatula hammer stick bat tool gun machine brush hose razor
    scissors hand hands peeler grater cutter saw axe sword rope whisk mixer pin cleaver tongs
    chopsticks pen pencil towel cloth mop broom shovel drill pistol rifle blade foot feet
    finger fingers mouth teeth racket club ball water oil computer camera phone software"""
)
"""Heads after `with` that say by what means, whatever the parser links them to."""

DIRECTIONS = word_set("into onto to from off out")
"""Prepositions that stay beside the participle (`put into a bowl by him`)."""

RESULTS = word_set("fire half pieces death")
"""Heads of `on fire`, `in half`: they stay beside the verb."""

VESSELS = word_set(
    """water oil pan pot bowl skillet wok sink oven batter flour sauce dish bag blender container
    milk wine bucket tray"""
)
"""Heads of `in a pan`: they stay beside the verb."""

PARTICLES = word_set("up down out off away back around apart together over forward aside")
"""Adverbs that stay beside the verb."""

MOTION_VERBS = word_set(
    """grind ski snowboard slide walk run climb jump ride roll go race speed drive fly swim skate
    surf sled crawl step stalk rappel slip bike sail row swing"""
)
"""Verbs after which `down` and the like begin a path and are no particles."""

AMBIGUOUS_PARTICLES = word_set("around down over through in on by along across")
"""Particles that would read as prepositions before an object."""

AFTER_VERB = word_set("prep advmod npadvmod punct neg prt dative cc dobj agent")
"""Labels of what may follow the verb and stay behind its object."""

BEFORE_VERB = word_set(
    """nsubj nsubjpass aux auxpass neg advmod npadvmod prep punct cc mark advcl intj dobj preconj"""
)
"""Labels of what may stand before the verb."""

BETWEEN = word_set("prep advmod npadvmod dobj oprd xcomp dative punct")
"""Labels of what may stand between participle and by-phrase; it goes behind the object."""

WHEN_LABELS = word_set("npadvmod advmod nsubj")
"""Labels of a noun behind the object that is not a part of it (`killed six Monday`)."""

PLACES_BY = word_set(
    """river lake window door wall side tree trees sea beach road pool table fence water street
    curb fireplace fountain ocean shore tracks building roadside train plane time"""
)
"""Heads after `by` that say where."""

LOCATING_VERBS = word_set("park seat locate situate position station stand sit land")
"""Verbs after which `by` says where."""

ALLOWING_VERBS = word_set("allow let make have see help enable require permit")
"""Verbs whose object, with what follows, a parser may take for a finite passive clause."""

MEANS_BY = word_set(
    """car bus bike train plane air sea land road foot hand mail email phone mistake accident
    chance default law nature name design force fire night day way means ambulance
    helicopter boat ship taxi truck van courier letter fax rail opinion majority consensus
    vote telephone post word"""
)
"""Heads after `by` that say how, when no article stands before them."""

GIVING_VERBS = word_set(
    """give hand offer send show teach tell pay award grant lend loan sell read write throw toss
    mail email bring feed serve pass promise owe text"""
)
"""Verbs of `give Mary a book` and `give a book to Mary` (Levin 1993, section 2.1)."""

MAKING_VERBS = word_set(
    """buy make cook bake build find fetch get pour prepare reserve draw paint knit order"""
)
"""Verbs of `bake Mary a cake` and `bake a cake for Mary` (Levin 1993, section 2.2)."""

COUNTRY_VERBS = word_set("give offer grant award pay sell owe show teach lend loan promise")
"""Verbs after which a country or an organisation is one who receives, not a place."""

STORIES = word_set("story stories joke jokes truth lie lies secret secrets news tale tales")
"""What `tell` takes before `to him`."""

LIGHT_OBJECTS = word_set(
    """chills creeps tribute respects attention witness testimony chance break hand ring shot
    push kick hug kiss call try lift ride headache credit birth rise way go smile cold thumbs
    time room place hell fuck shit damn heads love"""
)
"""Objects of `give him a chance`, which seldom stand before `to him`."""

RECEIVERS = word_set(
    """infant snake animal dog cat horse bird fish programmer consumer elite buyer seller
    retailer airline villager protester troop soldier farmer reader viewer fan voter donor
    hospital school college university army government police passenger pupil monkey baby man
    woman boy girl child kid person people friend mother father son daughter brother sister
    wife husband parent family teacher student officer president minister leader doctor
    patient customer client reporter user victim player worker employee lawmaker lawyer judge
    owner member mom dad guy lady audience crowd company group team investor shareholder
    citizen resident refugee rebel driver visitor neighbor mayor king queen"""
)
"""Common nouns of those who can receive a thing."""

PHRASAL_VERBS = {
    "add": word_set("up"),
    "back": word_set("up"),
    "beat": word_set("up"),
    "blow": word_set("up out"),
    "break": word_set("up off down"),
    "bring": word_set("up back down in out along"),
    "build": word_set("up"),
    "burn": word_set("down off"),
    "call": word_set("off up"),
    "carry": word_set("out off"),
    "chase": word_set("down"),
    "check": word_set("out"),
    "chop": word_set("up off down"),
    "clean": word_set("up out off"),
    "clear": word_set("out up away"),
    "close": word_set("off down"),
    "cover": word_set("up"),
    "cross": word_set("off out"),
    "cut": word_set("up off down out"),
    "dice": word_set("up"),
    "draw": word_set("out"),
    "drink": word_set("up"),
    "drop": word_set("off"),
    "eat": word_set("up"),
    "fend": word_set("off"),
    "fight": word_set("off"),
    "figure": word_set("out"),
    "fill": word_set("in up out"),
    "filter": word_set("out"),
    "find": word_set("out"),
    "finish": word_set("off up"),
    "fire": word_set("up"),
    "fix": word_set("up"),
    "fold": word_set("up"),
    "free": word_set("up"),
    "get": word_set("back"),
    "give": word_set("up away back out"),
    "grind": word_set("down up"),
    "hand": word_set("over out in back"),
    "hang": word_set("up"),
    "help": word_set("out"),
    "hold": word_set("up back off"),
    "hook": word_set("up"),
    "keep": word_set("up"),
    "kick": word_set("off out in"),
    "knock": word_set("down over out off"),
    "lay": word_set("off out"),
    "leave": word_set("out behind"),
    "let": word_set("in out"),
    "lift": word_set("up"),
    "light": word_set("up"),
    "lock": word_set("up out"),
    "log": word_set("off out"),
    "look": word_set("up"),
    "make": word_set("up out"),
    "mark": word_set("down up"),
    "mess": word_set("up"),
    "mix": word_set("up"),
    "open": word_set("up"),
    "pack": word_set("up away"),
    "pass": word_set("up out on"),
    "pay": word_set("off back"),
    "peel": word_set("off"),
    "pick": word_set("up out off"),
    "piece": word_set("together"),
    "play": word_set("down up"),
    "plug": word_set("in"),
    "point": word_set("out"),
    "pour": word_set("out in"),
    "print": word_set("out"),
    "pull": word_set("down off over out up"),
    "push": word_set("back over down up"),
    "put": word_set("on down away off out up"),
    "rack": word_set("up"),
    "read": word_set("out"),
    "rinse": word_set("off out"),
    "rip": word_set("off up"),
    "roll": word_set("out up back down"),
    "rule": word_set("out"),
    "seek": word_set("out"),
    "send": word_set("back out off in"),
    "set": word_set("up off aside down"),
    "shake": word_set("off"),
    "shoot": word_set("down"),
    "show": word_set("off"),
    "shrug": word_set("off"),
    "shut": word_set("down off"),
    "single": word_set("out"),
    "slice": word_set("up off"),
    "slow": word_set("down"),
    "sort": word_set("out"),
    "speed": word_set("up"),
    "spell": word_set("out"),
    "spread": word_set("out"),
    "stick": word_set("out"),
    "stir": word_set("up"),
    "store": word_set("away"),
    "strike": word_set("down"),
    "sweep": word_set("up"),
    "switch": word_set("on off"),
    "take": word_set("off out away back down over apart"),
    "tear": word_set("down up off apart"),
    "think": word_set("over"),
    "throw": word_set("out away up back"),
    "tie": word_set("up down"),
    "track": word_set("down"),
    "try": word_set("on out"),
    "turn": word_set("on off down over up in back"),
    "use": word_set("up"),
    "wake": word_set("up"),
    "warm": word_set("up"),
    "wash": word_set("off up down"),
    "wipe": word_set("out off up down"),
    "work": word_set("out"),
    "wrap": word_set("up"),
    "write": word_set("down off up"),
}
"""Phrasal verbs that can be parted, with their particles."""

PARTICLE_IDIOMS = {
    "give up": word_set("thumbs sign hope control power smoking"),
    "keep up": word_set("pace work"),
    "make up": word_set("mind percent majority part half"),
    "pick up": word_set("speed steam pace"),
    "put on": word_set("show weight"),
    "put up": word_set("fight"),
    "set up": word_set("shop camp"),
    "take over": word_set("reins"),
    "take up": word_set("arms"),
    "turn up": word_set("heat"),
}
"""Objects that stay behind the particle."""

LONGEST_PHRASE = 12
"""Words of the longest subject or object that changes places."""

LONGEST_MOVED = 6
"""Words of the longest phrase that stays between the participle and the by-phrase."""

LONGEST_RECEIVER = 4
"""Words of the longest recipient before the gift."""

LONGEST_PARTED = 3
"""Words of the longest object before a particle."""
