"""Words and expressions that say the same: the closed list that paraphrases by rules are made with.

Made by hand, for sentences of news, captions, encyclopedias and everyday talk. Every pair keeps the
meaning in nearly every context that its conditions let pass; a pair that does so in many contexts
only is left out. No negation, number, time order or name is put in or taken away, and a word of
quantity or certainty only for one of the same degree: a paraphrase has to stay one whatever trap
stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from embsyntax.perturbation.main_clause import word_set

NOUN, VERB, ADJECTIVE, ADVERB, PREPOSITION, CONJUNCTION = (
    "noun",
    "verb",
    "adjective",
    "adverb",
    "preposition",
    "conjunction",
)
PARTS = (NOUN, VERB, ADJECTIVE, ADVERB, PREPOSITION, CONJUNCTION)

OBJECT, NOTHING, CLAUSE, INFINITIVE, GERUND, PERSON_TO, NAMED, DESCRIBED = (
    "object",
    "none",
    "clause",
    "infinitive",
    "gerund",
    "person to",
    "named",
    "described",
)
FRAMES = (OBJECT, NOTHING, CLAUSE, INFINITIVE, GERUND, PERSON_TO, NAMED, DESCRIBED)
"""What follows a verb: an object (or it is passive), at most phrases with a preposition, a clause,
`to` with a verb, a form in -ing, somebody with `to` and a verb (`allow him to go`), a name after
the passive (`a dog called Max`), or an adjective (`remain quiet`)."""

FIGURE = "#"
"""Stands in `Synonym.before` for a number."""


@dataclass(frozen=True)
class Synonym:
    """A word or expression and one that may stand for it.

    Attributes:
        old: in lower case; the first word of a verb, and a noun, in its base form, all others as
            they stand.
        new: the same; with a leading `=` it is put in as it is, without inflection.
        part: one of `PARTS`.
        frames: for a verb of one word, those of `FRAMES` in which it may be replaced.
        of: if not empty, what must stand with it, by its base form: the object of a verb or
            preposition, the noun that an adjective describes.
        not_of: what must not stand there.
        subjects: if not empty, base forms of what the verb must be said of.
        heads: if not empty, base forms of the word that a noun, adverb or preposition belongs to.
        roles: if not empty, labels of the parse that the first word may have.
        needs: if not empty, prepositions of which a verb must have one.
        before: if not empty, words of which one must follow; `FIGURE` for a number.
        not_beside: words that must not stand right before or after it.
        tags: if not empty, the Penn tags of the forms that may be replaced.
        in_compounds: whether a noun may have another noun before it (`insurance company`).
        is_bare: whether a noun in the singular may stand without anything before it.
        in_scenes: whether it holds only where the sentence describes a scene (`is playing`).
    """

    old: str
    new: str
    part: str
    frames: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    not_of: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    not_beside: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    in_compounds: bool = False
    is_bare: bool = False
    in_scenes: bool = False

    @property
    def name(self) -> str:
        """The pair as it is shown to reviewers."""
        return f"{self.old} -> {self.new.removeprefix('=')}"


def _pairs(words: str) -> list[tuple[str, str]]:
    """Read pairs: `a/b/c` each for each, `a>b` the second for the first only; `_` is a space."""
    found = []
    for group in words.split():
        if ">" in group:
            old, new = group.split(">")
            found.append((old, new))
        else:
            alike = group.split("/")
            found += [(old, new) for old in alike for new in alike if old != new]
    return [(old.replace("_", " "), new.replace("_", " ")) for old, new in found]


def _listed(
    part: str,
    words: str,
    *,
    frames: str = "",
    in_compounds: bool = False,
    is_bare: bool = False,
    in_scenes: bool = False,
    **conditions: str,
) -> list[Synonym]:
    """Return the pairs of a text with the conditions that they share; see `Synonym`."""
    shared = {name: word_set(value) for name, value in conditions.items()}
    shared["frames"] = frozenset(frame.strip() for frame in frames.split(",") if frame)
    flags = {"in_compounds": in_compounds, "is_bare": is_bare, "in_scenes": in_scenes}
    return [Synonym(old, new, part, **shared, **flags) for old, new in _pairs(words)]


GARMENTS = (
    "shirt dress suit jacket coat uniform costume jersey t-shirt sweater outfit gown robe jean "
    "jeans clothes clothe clothing pants pant short shorts skirt vest bikini sweatshirt kimono "
    "tunic top hoodie leotard overalls trousers"
)
CLOTHES = f"{GARMENTS} hat cap shoe boot glove helmet sock scarf sunglasses armband"
THROWN = "ball frisbee stick rock stone toy disc hat bouquet baseball football snowball bottle"
CONCRETE = (
    "dog cat bird horse puppy kitten animal fish car truck house boat box ball bowl tree building "
    "table chair room plant bag bottle toy rock stone village town garden stage tent kitchen pot "
    "pan plate cake bridge pond pool hill field window mirror statue crowd group sign flag hat "
    "shirt jacket umbrella blanket knife container basket bucket spoon camera train airplane plane "
    "cow monkey elephant bear lion tiger rabbit frog turtle snake insect river lake cloud wave "
    "mountain cave hole puddle stadium church hotel store shop restaurant office factory machine "
    "engine wheel desk bed sofa couch screen poster painting picture drum piano guitar company "
    "city bag backpack suitcase ship cage fence bush pumpkin tomato onion potato branch bone"
)
PRICES = (
    "stock share price index rate sale profit dollar euro yen revenue income temperature "
    "unemployment inflation export import earning earnings yield future percentage nasdaq"
)
MEALS = "meal dinner breakfast lunch food dish supper"
FOODS = (
    f"{MEALS} apple bread meat fish cake pizza sandwich fruit vegetable egg rice pasta candy soup "
    "chocolate cheese banana carrot cookie burger chicken pork potato salad snack insect grass hay "
    "leaf plant bamboo"
)
ROOMS = (
    "room house building store shop forest tunnel cave kitchen church hall garden bar restaurant "
    "office hotel museum school classroom library stadium"
)
CONTAINERS = "building car room house tent box cage tunnel bag van truck kitchen bus cave garage"
SUPPLIES = "food water electricity power energy oil gas equipment weapon fuel medicine oxygen"
FINDINGS = "body corpse bomb planet cave tomb skeleton wreckage grave fossil star galaxy"
PERSONS = (
    "man woman boy girl child person people lady guy kid player group baby teenager rider singer "
    "soldier dancer adult runner couple crowd"
)
ANIMALS = "dog cat horse animal rabbit puppy kitten bird cow sheep goat baby duck fish lion"
ROADS = "street road sidewalk path trail track beach river hallway corridor avenue lane highway"
PLACES_BESIDE = "tree lake river window table door fence road wall pool water fire sea car ocean"

NOUNS = (
    # two names of the same thing
    *_listed(
        NOUN,
        """bike/bicycle motorbike/motorcycle photo/photograph phone/telephone cab/taxi sofa/couch
        film/movie quake/earthquake teenager>teen airplane/plane lawyer/attorney doctor/physician
        protester/demonstrator author>writer mistake/error trip/journey gift>present shop/store
        refrigerator/fridge sea/ocean trail>path freeway>highway bunny>rabbit bucket/pail
        automobile/car spectator>onlooker lawmaker/legislator prisoner/inmate murderer>killer
        colleague/coworker kid/child infant/baby youngster>child lady>woman guy>man fellow>man
        pupil>student instructor>teacher educator>teacher mom>mother dad>father grandma>grandmother
        buyer/purchaser seller/vendor corridor/hallway railway/railroad creek>stream
        inhabitant/resident residence>home dwelling>home uprising/revolt frontier>border
        inquiry>investigation probe>investigation accord>agreement pact>agreement
        contest>competition opinion>view remark>comment reply>response fragment>piece
        restaurant/eatery house>home biker>motorcyclist bicyclist/cyclist tv>television
        skillet>frying_pan cop>police_officer policeman>police_officer purse/handbag exam>test
        gym>gymnasium tune/melody fort/fortress era>period punishment>penalty commerce>trade
        vocalist>singer blaze>fire ship>vessel employee>worker merchant>trader""",
    ),
    *_listed(NOUN, "man>guy woman>lady", tags="NN", in_scenes=True, not_beside="old elderly"),
    *_listed(NOUN, "alien/extraterrestrial", not_beside="illegal"),
    *_listed(NOUN, "firm/company nation/country", in_compounds=True, not_beside="in of"),
    *_listed(NOUN, "person/individual", tags="NN"),
    *_listed(NOUN, "teen>teenager", not_beside="their his her the late early"),
    *_listed(NOUN, "people>those", tags="NNS", before="who", roles="nsubj nsubjpass dobj pobj"),
    *_listed(NOUN, "troop>soldier negotiation/talk stock>share trouser/pant", tags="NNS"),
    *_listed(NOUN, "stair>step", tags="NNS"),
    *_listed(NOUN, "vessel>ship", not_beside="blood filled with"),
    *_listed(NOUN, "tie>necktie", heads="wear"),
    *_listed(NOUN, "picture/photo", heads="take"),
    *_listed(NOUN, "blast/explosion attack/assault", not_beside="heart panic sexual"),
    *_listed(NOUN, "jail/prison trash/garbage gasoline>petrol", is_bare=True),
    *_listed(NOUN, "rubbish>garbage disaster/catastrophe", is_bare=True),
    *_listed(NOUN, "assistance/help aid>assistance gear>equipment", is_bare=True),
    *_listed(NOUN, "illness/disease", not_beside="mental"),
    *_listed(NOUN, "agreement/deal", not_beside="great good big new in no"),
    # two names of a notion
    *_listed(
        NOUN,
        """objective>goal aim>goal purpose/aim notion>idea technique>method capability>ability
        portion>part component>part trait>characteristic emblem>symbol boundary>border
        collision>crash tale>story quarrel>argument victory>win circumstance>condition
        importance/significance regulation>rule  region>area breadth>width""",
        is_bare=True,
        not_beside="common",
    ),
    *_listed(NOUN, "outcome/result", not_beside="as test election final"),
    *_listed(NOUN, "consequence>result", before="of", not_beside="as"),
    *_listed(NOUN, "type/kind sort>kind sort>type", before="of", not_beside="some of all"),
    *_listed(NOUN, "quantity/amount sum>amount", before="of"),
    *_listed(NOUN, "beginning/start", before="of"),
    *_listed(NOUN, "effect/impact", before="on"),
    *_listed(NOUN, "chance/opportunity attempt/effort", before="to", not_beside="no any"),
    *_listed(NOUN, "trouble>problem", before="with"),
    *_listed(NOUN, "form>kind", before="of", not_beside="the"),
    *_listed(NOUN, "example>instance", before="of", not_beside="best good great prime perfect"),
    *_listed(NOUN, "variety>range", before="of"),
    *_listed(NOUN, "increase/rise decrease/decline drop>decline reduction>decrease", before="in"),
    *_listed(NOUN, "role/part", before="in", not_beside="take took taking takes"),
)

VERBS = (
    # with an object
    *_listed(
        VERB,
        """buy/purchase build/construct choose/select assist>help aid>help repair>fix obtain>get
        chase/pursue defeat>beat discuss>talk_about request>ask_for conceal/hide embrace/hug
        frighten/scare persuade/convince amaze/astonish irritate/annoy examine/inspect
        calculate/compute link/connect prohibit/ban own/possess utilize>use restrict/limit
        postpone>put_off cancel>call_off supervise/oversee await>wait_for inform/notify
        mock>ridicule enhance/improve recall/remember explore>investigate decrease>reduce
        hand_out/distribute demolish>tear_down safeguard>protect shield>protect erect>build
        construct>put_up comprehend>understand detest/hate encircle>surround fasten>attach
        mend>repair modify>change exhibit>display depict>portray conquer>defeat achieve/attain
        slay>kill acquire>obtain initiate>start commence>begin terminate>end accomplish>achieve
        illustrate>show require>need broadcast/air slice>cut_up hamper/hinder impede>hinder
        oppose>object_to reduce>decrease anticipate>expect manufacture>make""",
        frames="object",
        not_of="it this that itself himself herself themselves",
    ),
    *_listed(VERB, "use>utilize", frames="object", not_of="it word term phrase drug"),
    *_listed(
        VERB, "help>assist", frames="object", of=f"{PERSONS} student teacher victim friend patient"
    ),
    *_listed(VERB, "need>require", frames="object", tags="VBZ VBP VBD VB"),
    *_listed(VERB, "injure/hurt wound>injure", frames="object", not_of="feeling economy"),
    *_listed(VERB, "shut>close", frames="object"),
    *_listed(
        VERB, "close>shut", frames="object", of="door window eye mouth book gate box lid drawer"
    ),
    *_listed(VERB, "finish>complete", frames="object", of="work project homework race task book"),
    *_listed(VERB, "complete>finish", frames="object", not_of="form questionnaire"),
    *_listed(VERB, "throw/toss", frames="object", of=THROWN),
    *_listed(VERB, "hit/strike", frames="object", of="ball drum man woman dog tree player car"),
    *_listed(VERB, "eat/consume", frames="object", of=FOODS),
    *_listed(VERB, "cook/prepare", frames="object", of=MEALS),
    *_listed(VERB, "mix/blend", frames="object", of="ingredient mixture flour batter sauce egg"),
    *_listed(VERB, "chop>cut_up dice>cut_up", frames="object", not_of="wood tree"),
    *_listed(VERB, "perform/do", frames="object", of="trick stunt handstand flip cartwheel jump"),
    *_listed(VERB, "climb>climb_up", frames="object", of="wall rock tree ladder hill cliff rope"),
    *_listed(VERB, "enter>go_into", frames="object", of=ROOMS),
    *_listed(VERB, "cross>go_across", frames="object", of="street road river bridge field stream"),
    *_listed(VERB, "attend>go_to", frames="object", of="school meeting conference church funeral"),
    *_listed(VERB, "pet/stroke feed>give_food_to", frames="object", of=ANIMALS),
    *_listed(VERB, "discover/find", frames="object", of=FINDINGS),
    *_listed(VERB, "gather/collect", frames="object", of="data information evidence wood flower"),
    *_listed(VERB, "fix>repair", frames="object", of="car bike bicycle computer roof machine"),
    *_listed(
        VERB,
        "receive/get",
        frames="object",
        of="letter award prize gift message email call support help money",
    ),
    *_listed(VERB, "provide/supply", frames="object", of=SUPPLIES),
    *_listed(
        VERB, "conduct>carry_out", frames="object", not_of="orchestra electricity heat band bag"
    ),
    *_listed(VERB, "solve/resolve", frames="object", of="problem dispute conflict crisis issue"),
    *_listed(
        VERB,
        "address>deal_with tackle>deal_with handle>deal_with",
        frames="object",
        of="problem issue crisis",
    ),
    *_listed(VERB, "increase/raise", frames="object", of="price rate tax level fee"),
    *_listed(VERB, "cut/reduce lower>reduce", frames="object", of="cost price rate tax spending"),
    *_listed(VERB, "release/free", frames="object", of="prisoner hostage suspect captive inmate"),
    *_listed(VERB, "save/rescue", frames="object", of="man woman boy girl child dog passenger"),
    *_listed(
        VERB,
        "lead/head",
        frames="object",
        of="team delegation party department organization expedition group campaign army project "
        "investigation coalition company consortium",
    ),
    *_listed(
        VERB,
        "produce/make",
        frames="object",
        of="car film movie goods product steel shoe toy cheese wine weapon sound engine machine",
    ),
    *_listed(VERB, "boost>increase", frames="object", of="consumption growth sale output spending"),
    *_listed(VERB, "remove>eliminate", frames="object", of="noise barrier obstacle tariff error"),
    *_listed(VERB, "take>make", frames="object", of="decision"),
    *_listed(VERB, "earn>make", frames="object", of="money living profit fortune"),
    *_listed(VERB, "carry/transport", frames="object", of="passenger goods cargo freight"),
    *_listed(VERB, "organize/arrange", frames="object", of="meeting trip party event exhibition"),
    *_listed(VERB, "predict/forecast", frames="object, clause"),
    *_listed(VERB, "admit/acknowledge", frames="clause"),
    *_listed(
        VERB, "manage/run", frames="object", of="company business store hotel restaurant shop"
    ),
    *_listed(
        VERB, "operate>run", frames="object", of="company business store train service airline"
    ),
    *_listed(VERB, "govern/rule", frames="object", of="country nation kingdom empire state island"),
    *_listed(VERB, "change/alter", frames="object", of="law rule plan design policy structure"),
    *_listed(VERB, "found>establish establish>set_up", frames="object", not_of="fact that"),
    *_listed(VERB, "support/back", frames="object", of="plan bill proposal candidate idea measure"),
    *_listed(VERB, "seek>look_for", frames="object", of="job work way solution suspect man woman"),
    *_listed(VERB, "cause>bring_about", frames="object", of="change collapse decline war death"),
    *_listed(VERB, "answer>respond_to", frames="object", of="question letter email call"),
    *_listed(VERB, "have/own", frames="object", of="dog cat car house computer farm boat horse"),
    *_listed(VERB, "compose>write", frames="object", of="music song letter poem opera symphony"),
    *_listed(VERB, "lift/raise", frames="object", of="arm leg hand weight barbell"),
    *_listed(VERB, "stop>halt", frames="object", of="car train bus work production trading"),
    *_listed(VERB, "remove>take_off", frames="object", of=CLOTHES),
    *_listed(VERB, "wear>=in", frames="object", of=CLOTHES, tags="VBG", roles="acl"),
    *_listed(VERB, "wear>=dressed_in", frames="object", of=GARMENTS, tags="VBG"),
    *_listed(VERB, "start/begin", frames="object", of="work school career day trip study journey"),
    *_listed(VERB, "launch>start", frames="object", of="campaign investigation inquiry operation"),
    *_listed(VERB, "reject>turn_down", frames="object", of="offer proposal request appeal bid"),
    *_listed(VERB, "afford>pay_for", frames="object", of="house car trip computer"),
    *_listed(VERB, "catch>come_down_with", frames="object", of="cold flu disease fever"),
    *_listed(VERB, "reach>come_to", frames="object", of="agreement deal decision conclusion"),
    *_listed(VERB, "express/voice", frames="object", of="concern opinion view support doubt hope"),
    *_listed(VERB, "capture/seize", frames="object", of="city town fort territory village island"),
    *_listed(VERB, "like>enjoy", frames="object", of="music game song movie film book sport"),
    *_listed(
        VERB,
        "put/place",
        frames="object",
        needs="in on into onto inside under near over around",
        not_of="end pressure emphasis blame question stop it finger money trust hope",
    ),
    *_listed(VERB, "exceed/surpass retain>keep", frames="object"),
    *_listed(VERB, "introduce>bring_in", frames="object", of="law rule tax system reform measure"),
    *_listed(VERB, "employ>use", frames="object", of="method technique strategy tactic tool term"),
    *_listed(VERB, "elect>choose", frames="object", of="leader president mayor chairman king"),
    *_listed(VERB, "create/form", frames="object", of="group committee body organization alliance"),
    *_listed(VERB, "create>produce", frames="object", of="work art sound music image energy heat"),
    *_listed(VERB, "encourage/urge", frames="person to"),
    *_listed(
        VERB, "announce>make_known", frames="object", of="decision plan intention name result"
    ),
    *_listed(VERB, "publish/issue", frames="object", of="report statement document warning"),
    *_listed(VERB, "destroy>wreck", frames="object", of="house building car city town bridge crop"),
    *_listed(VERB, "donate>give", frames="object", of="money fund land book blood"),
    *_listed(VERB, "open>set_up", frames="object", of="office branch school shop"),
    *_listed(VERB, "study/examine", frames="object", of="effect relationship problem structure"),
    *_listed(VERB, "rename>call", frames="named", tags="VBN"),
    *_listed(VERB, "inhabit>live_in", frames="object"),
    *_listed(VERB, "surround>encircle", frames="object", of="city town castle house camp island"),
    *_listed(VERB, "display/show", frames="object", of="talent skill interest image picture"),
    *_listed(VERB, "visit>go_to_see", frames="object", of="friend doctor grandmother museum city"),
    *_listed(VERB, "climb>go_up", frames="object", of="mountain stair hill ladder"),
    # without one
    *_listed(VERB, "jump/leap", frames="none", not_beside="up down rope"),
    *_listed(
        VERB, "begin/start commence>begin", frames="none, infinitive, gerund", not_beside="from"
    ),
    *_listed(VERB, "occur/happen", frames="none", not_beside="to"),
    *_listed(VERB, "weep>cry yell/shout reside>live journey>travel converse>talk", frames="none"),
    *_listed(VERB, "rush/hurry", frames="none", before="to into out back home through"),
    *_listed(VERB, "live>reside", frames="none", before="in at", not_of="peace fear poverty year"),
    *_listed(VERB, "dwell>live", frames="none", before="in"),
    *_listed(VERB, "eat/dine", frames="none", before="at", not_of="time"),
    *_listed(VERB, "speak/talk", frames="none", before="to with about on"),
    *_listed(VERB, "depart>leave", frames="none"),
    *_listed(VERB, "emerge>appear", frames="none"),
    *_listed(VERB, "melt>thaw", frames="none", subjects="snow ice"),
    *_listed(VERB, "evolve>develop", frames="none", before="into from in"),
    *_listed(VERB, "perish>die", frames="none"),
    *_listed(VERB, "die_of>die_from"),
    *_listed(VERB, "rise/climb", frames="none", subjects=PRICES),
    *_listed(VERB, "fall/drop decline>drop decline>fall", frames="none", subjects=PRICES),
    *_listed(VERB, "grow>increase", frames="none", subjects="sale profit revenue demand"),
    *_listed(VERB, "continue>go_on", frames="none", subjects="debate search talk war work"),
    *_listed(VERB, "remain/stay", frames="none", before="in at on"),
    *_listed(VERB, "remain/stay", frames="described"),
    *_listed(VERB, "vanish/disappear retreat>withdraw", frames="none"),
    *_listed(VERB, "head>go", frames="none", before="to north south east west home back"),
    *_listed(VERB, "roam/wander", frames="none"),
    *_listed(VERB, "sit>=seated", frames="none", tags="VBG", not_beside="down up still back"),
    # with a clause or another verb
    *_listed(VERB, "say/state", frames="clause"),
    *_listed(VERB, "disclose/reveal", frames="clause, object"),
    *_listed(VERB, "proclaim>declare", frames="clause, object"),
    *_listed(VERB, "contend>argue notice>see", frames="clause"),
    *_listed(VERB, "want/wish try/attempt intend/plan", frames="infinitive"),
    *_listed(VERB, "promise/pledge vow>promise", frames="infinitive"),
    *_listed(VERB, "decide>choose", frames="infinitive"),
    *_listed(VERB, "allow/permit force/compel persuade/convince", frames="person to"),
    *_listed(VERB, "enable>allow", frames="person to"),
    *_listed(VERB, "call/name appoint>name", frames="named", tags="VBN"),
    *_listed(VERB, "locate/situate", frames="object", tags="VBN", before="in on at near between"),
    # with a preposition or particle
    *_listed(
        VERB,
        """depend_on/rely_on result_in>lead_to search_for/look_for call_off>cancel put_off>postpone
        put_out>extinguish throw_away>discard
        carry_out>perform deal_with>handle look_into>investigate talk_about>discuss
        reply_to/respond_to stare_at/gaze_at wait_for>await ask_for>request set_up>establish
        put_together>assemble convert_into>transform_into come_back>return go_back>return
        pick_out>select speed_up>accelerate focus_on/concentrate_on act_as/serve_as
        participate_in/take_part_in associate_with/link_with compare_to/compare_with
        come_from>originate_from date_from/date_back_to adhere_to/comply_with yield_to/give_in_to
        withdraw_from>pull_out_of escape_from>get_away_from object_to>oppose stem_from>come_from
        arise_from>result_from engage_in>take_part_in""",
        not_of="it",
    ),
    *_listed(
        VERB,
        "lead_to>result_in",
        of="death war increase decrease change loss conflict recovery creation development "
        "collapse formation rise growth decline problem victory establishment arrest destruction "
        "discovery reduction improvement injury crisis construction extinction use",
    ),
    *_listed(VERB, "look_at>gaze_at", in_scenes=True),
    *_listed(
        VERB,
        "turn_on/switch_on turn_off/switch_off",
        of="light lamp tv television radio computer machine engine stove oven heater fan power",
    ),
    *_listed(VERB, "take_off>remove", of=CLOTHES),
    *_listed(VERB, "decide_on>choose"),
    *_listed(
        VERB, "split_into/divide_into regard_as/view_as describe_as/characterize_as", tags="VBN"
    ),
    *_listed(VERB, "know_as>call refer_to_as>call", tags="VBN"),
    *_listed(VERB, "consist_of>=is_made_up_of", tags="VBZ"),
    *_listed(VERB, "consist_of>=are_made_up_of", tags="VBP"),
    *_listed(VERB, "compose_of>make_up_of comprise_of>make_up_of", tags="VBN"),
    *_listed(VERB, "dress_in>=wearing", tags="VBN"),
    *_listed(VERB, "fill_with>=full_of cover_with/cover_in", tags="VBN"),
    *_listed(VERB, "take_place>occur"),
)

ADJECTIVES = (
    *_listed(
        ADJECTIVE,
        "large/big",
        of=f"{CONCRETE} population army area region family island country audience mouth part",
    ),
    *_listed(ADJECTIVE, "huge/enormous gigantic>huge immense>huge", not_of="fan"),
    *_listed(ADJECTIVE, "little/small", of=CONCRETE),
    *_listed(ADJECTIVE, "little/young", of="boy girl"),
    *_listed(ADJECTIVE, "tiny>very_small", of=CONCRETE),
    *_listed(ADJECTIVE, "old/elderly", of="man woman lady couple people person gentleman"),
    *_listed(ADJECTIVE, "difficult/hard", of="task question problem decision work choice it job"),
    *_listed(
        ADJECTIVE,
        "main/principal",
        of="cause reason goal purpose source problem aim character city town street feature theme "
        "language crop export island",
    ),
    *_listed(
        ADJECTIVE, "primary>main", of="cause reason source goal purpose focus concern aim objective"
    ),
    *_listed(
        ADJECTIVE,
        "important/significant",
        of="role part factor event discovery development impact contribution change step",
    ),
    *_listed(
        ADJECTIVE, "current>present", of="president government situation system form law owner"
    ),
    *_listed(ADJECTIVE, "various>different", not_beside="the"),
    *_listed(ADJECTIVE, "strenuous>strong", of="objection opposition"),
    *_listed(ADJECTIVE, "tasty/delicious fundamental>basic"),
    *_listed(ADJECTIVE, "entire/whole"),
    *_listed(ADJECTIVE, "wealthy/rich", of="man woman family people person country merchant"),
    *_listed(ADJECTIVE, "famous/well-known renowned>famous"),
    *_listed(ADJECTIVE, "serious/severe", of="injury damage burn illness wound disease flooding"),
    *_listed(ADJECTIVE, "dangerous/hazardous", of="material substance road work waste journey job"),
    *_listed(ADJECTIVE, "annual/yearly"),
    *_listed(ADJECTIVE, "rapid/fast", of="growth change expansion development pace rate"),
    *_listed(ADJECTIVE, "additional/further", of="information detail comment evidence charge"),
    *_listed(
        ADJECTIVE,
        "significant/considerable substantial>considerable",
        of="increase amount change progress damage growth part effect influence impact loss gain "
        "improvement",
    ),
    *_listed(ADJECTIVE, "specific>particular"),
    *_listed(ADJECTIVE, "frightened/scared afraid>scared"),
    *_listed(ADJECTIVE, "glad/happy", of="man woman i he she we they people child"),
    *_listed(ADJECTIVE, "ill/sick", not_beside="mentally terminally"),
    *_listed(
        ADJECTIVE,
        "intelligent/smart clever>smart",
        of="man woman boy girl child dog student he she",
    ),
    *_listed(ADJECTIVE, "strange/odd weird>strange", of="man thing noise sound way place story"),
    *_listed(ADJECTIVE, "funny/amusing", of="story joke movie film book"),
    *_listed(ADJECTIVE, "boring/dull", of="story movie film book lecture speech"),
    *_listed(ADJECTIVE, "costly/expensive cheap>inexpensive", not_of="mistake shot talk"),
    *_listed(ADJECTIVE, "brave/courageous", of="man woman soldier people act"),
    *_listed(ADJECTIVE, "beautiful/lovely gorgeous>beautiful", not_of="mind"),
    *_listed(ADJECTIVE, "wonderful/marvelous dreadful>terrible awful>terrible"),
    *_listed(ADJECTIVE, "colorful/multicolored"),
    *_listed(
        ADJECTIVE,
        "lethal/deadly fatal/deadly",
        of="dose weapon attack disease accident crash shooting virus blow",
    ),
    *_listed(ADJECTIVE, "vital/crucial", of="role part"),
    *_listed(ADJECTIVE, "correct/right", of="answer decision way"),
    *_listed(
        ADJECTIVE,
        "powerful/strong",
        of="earthquake quake storm wind explosion blast hurricane engine army country current",
    ),
    *_listed(ADJECTIVE, "rear/back", of="door window wheel seat entrance row leg"),
    *_listed(ADJECTIVE, "broad>wide", of="range street river avenue variety road"),
    *_listed(ADJECTIVE, "contemporary>modern actual>real weary>tired filthy>dirty blond>blonde"),
    *_listed(ADJECTIVE, "global/worldwide", of="market economy campaign network problem audience"),
    *_listed(ADJECTIVE, "nice>pleasant", of="day place weather room smell trip evening"),
    *_listed(ADJECTIVE, "seated>sitting", of=PERSONS),
    *_listed(ADJECTIVE, "full_of>filled_with"),
)

ADVERBS = (
    *_listed(
        ADVERB,
        """quickly/rapidly swiftly>quickly completely/entirely/totally especially/particularly
        currently>at_present presently>currently immediately>right_away therefore>consequently
        thus>therefore considerably/significantly substantially>considerably partially/partly
        roughly/approximately originally>initially nowadays/these_days worldwide>around_the_world
        overseas/abroad eventually>in_the_end repeatedly>over_and_over suddenly>all_of_a_sudden
        for_example/for_instance for_the_time_being>for_now at_the_moment/right_now
        as_a_result>consequently outdoors>outside at_present>currently nevertheless/nonetheless
        moreover/furthermore in_addition>additionally around_the_world/around_the_globe
        cheerfully/happily briefly>for_a_short_time mainly/chiefly/primarily fully/completely
        greatly>considerably slightly>somewhat officially/formally essentially/basically
        ultimately>in_the_end initially>at_first similarly/likewise cautiously/carefully
        quietly/silently vigorously>energetically so_far>to_date for_this_reason>therefore
        in_this_way>thus as_well_as>in_addition_to at_night>during_the_night""",
    ),
    *_listed(ADVERB, "also>additionally", not_beside="but and not is are was were be will , can"),
    *_listed(ADVERB, "about/approximately around>about", tags="RB IN", before=FIGURE),
    *_listed(ADVERB, "however>nevertheless", before=","),
    *_listed(ADVERB, "particularly>in_particular", not_beside="more very most"),
    *_listed(ADVERB, "simultaneously>at_the_same_time annually>each_year"),
    *_listed(ADVERB, "formerly/previously merely>only"),
    *_listed(ADVERB, "generally>in_general"),
    *_listed(ADVERB, "together>with_each_other", before="."),
    *_listed(ADVERB, "every>each", before="day morning evening night week month year time"),
    *_listed(ADVERB, "soon/shortly", not_beside="as too how so very"),
    *_listed(ADVERB, "now>currently", not_beside="right from by until that even up just , is"),
    *_listed(ADVERB, "severely/badly", heads="injure hurt damage burn wound"),
)

PREPOSITIONS = (
    *_listed(
        PREPOSITION,
        """beside/next_to alongside>beside close_to/near on_top_of/atop
        in_the_middle_of/in_the_center_of in_the_centre_of>in_the_middle_of
        because_of/due_to/as_a_result_of owing_to>because_of in_spite_of/despite such_as>like
        thanks_to>because_of on_account_of>because_of in_addition_to>besides on_behalf_of>for
        with_the_aid_of/with_the_help_of in_place_of>instead_of for_the_purpose_of>for
        along_with/together_with underneath/beneath via>by_way_of besides>in_addition_to
        with_regard_to>regarding with_respect_to>regarding concerning/regarding
        on_board/aboard in_the_direction_of>toward in_charge_of>responsible_for
        in_search_of>looking_for by_means_of>using among/amongst""",
    ),
    *_listed(
        PREPOSITION,
        "toward>in_the_direction_of towards>in_the_direction_of",
        of="camera beach water sea shore door house ball car north south east west river tree",
    ),
    *_listed(PREPOSITION, "instead_of>in_place_of", roles="advmod prep"),
    *_listed(PREPOSITION, "under>beneath", of="tree table bridge bed water car umbrella chair"),
    *_listed(PREPOSITION, "across>throughout", of="country region world state nation"),
    *_listed(PREPOSITION, "during>in_the_course_of", not_of="that which time"),
    *_listed(PREPOSITION, "inside>in", of=CONTAINERS),
    *_listed(PREPOSITION, "in>inside", of=CONTAINERS, not_beside="interested", in_scenes=True),
    *_listed(PREPOSITION, "in>wearing", of=CLOTHES, heads=PERSONS),
    *_listed(
        PREPOSITION, "on>on_top_of", of="table roof rock desk counter log boulder stove shelf"
    ),
    *_listed(PREPOSITION, "by>next_to", of=PLACES_BESIDE, heads="sit stand lie walk play run be"),
    *_listed(PREPOSITION, "down/along", of=ROADS),
    *_listed(
        PREPOSITION,
        "with>using",
        of="knife spoon fork hammer stick rope brush saw axe pencil pen tool machine scissors",
        heads="cut slice chop stir mix eat write draw paint peel dig open beat clean brush hit",
    ),
    *_listed(PREPOSITION, "according_to>as_stated_by", of="census report study police he she them"),
    *_listed(PREPOSITION, "throughout>all_through", of="year history century day night region"),
    *_listed(PREPOSITION, "upon>on"),
    *_listed(PREPOSITION, "prior_to>before", roles="advmod prep"),
    *_listed(PREPOSITION, "on_the_other_side_of>across", of="street road river"),
    *_listed(PREPOSITION, "in_order_to>so_as_to so_as_to>in_order_to"),
)

DEGREES = (
    *_listed(ADVERB, "often/frequently usually>normally usually>generally", not_beside="more very"),
    *_listed(ADVERB, "sometimes>occasionally rarely/seldom", not_beside="only"),
    *_listed(ADVERB, "perhaps>maybe", before=","),
    *_listed(ADVERB, "probably>most_likely", not_beside="is are was were most"),
    *_listed(ADVERB, "possibly>perhaps", not_beside="could can might may as"),
    *_listed(ADVERB, "almost/nearly", not_beside="no nobody nothing never none as any not"),
    *_listed(ADVERB, "definitely/certainly"),
    *_listed(ADVERB, "over>more_than", tags="IN", before=FIGURE),
    *_listed(ADVERB, "more_than>over", before=FIGURE, not_beside="no"),
    *_listed(ADVERB, "a_dozen>twelve", not_beside="half"),
    *_listed(ADVERB, "a_lot_of>lots_of lots_of>a_lot_of"),
    *_listed(ADVERB, "a_large_number_of>a_great_many"),
    *_listed(CONJUNCTION, "might/may", tags="MD", not_beside="not n't as be have"),
)

CONJUNCTIONS = (
    *_listed(CONJUNCTION, "although/though", not_beside="even as"),
    *_listed(CONJUNCTION, "even_though>although whereas>while"),
    *_listed(CONJUNCTION, "if>in_the_event_that", tags="IN"),
    *_listed(CONJUNCTION, "to>in_order_to"),
    *_listed(CONJUNCTION, "which>that", tags="WDT"),
    *_listed(CONJUNCTION, "as_if/as_though"),
)

SYNONYMS: tuple[Synonym, ...] = (
    *NOUNS,
    *VERBS,
    *ADJECTIVES,
    *ADVERBS,
    *PREPOSITIONS,
    *DEGREES,
    *CONJUNCTIONS,
)
"""All of them, in the order of their parts."""
