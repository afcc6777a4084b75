"""What an environment is, by its printed name, its own name and the theorem style in force.

The words for statements and proofs cover English, French, German, Spanish, Italian, Portuguese, Polish, Russian, Dutch,
Chinese and Japanese fully, and the most frequent words of some other languages. A word that ends in ``~`` is a stem: it
stands for all words that begin with it. Chinese and Japanese do not separate words, so their words count anywhere.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from naturalproofs.records import Kind

Role: TypeAlias = Literal["theorem", "definition", "other", "proof", "ignore"]
"""What an environment holds: a statement of some kind, a proof, or nothing of interest."""

ROLES: tuple[Role, ...] = ("theorem", "definition", "other", "proof", "ignore")


class Family(NamedTuple):
    """Statements that go by one word, such as lemmas."""

    kind: Kind
    words: str
    provable: bool = False
    """Whether a proof right after it is its own although it is no theorem."""


def _family(kind: Kind, *words: str, provable: bool = False) -> Family:
    return Family(kind, " ".join(words), provable)


FAMILIES: Mapping[str, Family] = {
    "theorem": _family(
        "theorem",
        "theorem theorems thm thms metatheorem metatheorems théorème théorèmes theoreme teorema teoremas teoremi",
        "teorem~ twierdzeni~ теорем~",
        "stelling stellingen tétel věta vety veta teoremă teoreem teorēma izrek sætning setning lause",
        "θεώρημα 定理 정리 lý lí משפט قضیه مبرهنة نظرية",
        "věty větě větu větou vět vetu vete stelling~ tétel~ izrek~ teoreemi lauseen lauseesta lauseessa lauseella",
        "setningen sætningen",
    ),
    "satz": _family("theorem", "satz satzes sätze sätzen hauptsatz sats satser satsen satserna lehrsatz lehrsätze"),
    "lemma": _family(
        "theorem",
        "lemma lemmas lemmata lem lenma lemme lemmes lema lemas lemmi lemat~ лемм~ лема λήμμα 引理 補題 补题 보조정리",
        "lemă apulause bổ למה لم تمهيدية",
        "leme lemi lemo lemu lemy lemou lemman lemmasta lemmat lemmát леми лемі лему hulpstelling~ segédtétel~ önsav",
        "hjálparsetning",
    ),
    "hilfssatz": _family("theorem", "hilfssatz hilfssätze hjälpsats hjælpesætning hjelpesetning"),
    "sublemma": _family("theorem", "sublemma sublemmas"),
    "proposition": _family(
        "theorem",
        "proposition propositions prop props propositionen proposición proposiciones proposizion~ proposição",
        "proposições proposició propozycj~ предложени~ propositie~ propoziți~ πρόταση 命題 命题 명제",
        "propozicij~ állítás trditev önerme mệnh گزاره",
        "proposicion proposisjon~ propositio propositsioon~ propozicí teiginys teiginio teiginį proposisi",
        "állítás~ trditv~ قضية",
    ),
    "corollary": _family(
        "theorem",
        "corollary corollaries cor corollaire corollaires korollar~ corolario corolarios corollario corollari",
        "corolário corolários wniosek wniosk~ следстви~ наслідок gevolg~ corolar důsledek πόρισμα",
        "dôsledok korolar~ posledica következmény sonuç seuraus följdsats järeldus akibat quả מסקנה نتیجه نتيجة",
        "推论 推論 系 따름정리",
        "corollar corol coroŀlari conséquence conséquences korollaari~ korolár důsledku dôsledku išvada išvados išvadą",
        "sekas fylgisetning følgesætning következmény~ seurauksen posledic~ последиц~ наслідк~ consecință",
    ),
    "folgerung": _family("theorem", "folgerung folgerungen"),
    "claim": _family(
        "theorem",
        "claim claims subclaim subclaims affirmation affirmations behauptung~ afirmación afirmaciones afirmação",
        "affermazion~ stwierdzeni~ утверждени~ твердження bewering~ tvrzení tvrdenie tvrdnja väite טענה 断言 斷言",
        "主張 主张 afirmació tvrzením tvrdenia tvrdnje tvrđenj~ тврђењ~ твърдени~ твердженн~ påstand",
        "påstående apgalvojums ισχυρισμός",
    ),
    "assertion": _family("theorem", "assertion assertions asserção asserzion~ aserción"),
    "fact": _family(
        "theorem",
        "fact facts fait faits fakt~ hecho hechos fatto fatti fato fatos факт~ feit feiten 事实 事實 事実",
        "עובדה",
    ),
    "observation": _family(
        "theorem",
        "observation observations beobachtung~ spostrzeżeni~ наблюдени~ observatie~ 观察 觀察",
        "pozorování észrevétel~ obserwacj~ אבחנה",
    ),
    "property": _family(
        "theorem",
        "property properties propriété propriétés eigenschaft~ propiedad proprietà propriedade własność",
        "свойств~ eigenschap~ 性质 性質",
        "propiedades propietat propietats propriedades własności vlastnost vlastnosti vlastnosť ιδιότητα תכונה 성질",
    ),
    "criterion": _family(
        "theorem", "criterion criteria critère kriterium criterio critério kryterium критери~ 判别法 判別法 准则 準則"
    ),
    "principle": _family(
        "theorem", "principle principe prinzip principio princípio zasada принцип~ beginsel 原理 原则"
    ),
    "result": _family(
        "theorem", "result results résultat ergebnis resultado risultato wynik результат~ resultaat 结论 結論"
    ),
    "scholium": _family("theorem", "scholium porism"),
    "definition": _family(
        "definition",
        "definition definitions def defn defs définition définitions definitionen definición definiciones",
        "definizion~ definição definições definició definicj~ определени~ означення definitie~ definice definíció",
        "definicij~ definiți~ definitsioon definīcij~ definisi definisjon~ määritelmä tanım apibrėžim~ nghĩa дефиници~",
        "ορισμός 定义 定義 정의 הגדרה تعریف تعريف",
        "definicion definícia definície definici визначенн~ означенн~ skilgreining määritelmän definíció~",
    ),
    "axiom": _family(
        "definition",
        "axiom axioms axiome axiomes axiomen axioma axiomas assioma assiomi aksjomat~ аксиом~ tiên aksioom~ 公理 공리",
        "axióma axiómy axiómák аксіом~ αξίωμα אקסיומה",
    ),
    "notation": _family(
        "definition",
        "notation notations bezeichnung~ notación notazion~ notação oznaczeni~ обозначени~ notatie~",
        "记号 記号 記號 符号",
        "notació notați~ značení označenie jelölés~ συμβολισμός סימון 記法",
    ),
    "convention": _family(
        "definition",
        "convention conventions konvention~ convención convenzion~ convenção konwencj~ соглашени~",
        "conventie~ afspraak 约定 約定 規約",
        "vereinbarung~ úmluva",
    ),
    "terminology": _family("definition", "terminology terminologie terminología"),
    "remark": _family(
        "other",
        "remark remarks rem rmk remarque remarques bemerkung~ anmerkung~ observación observaciones",
        "osservazion~ observação observações comentario nota uwag~ замечани~ зауваження opmerking~ poznámk~",
        "примечани~ anmärkning bemærkning merknad huomautus opomba napomena megjegyzés märkus observați~",
        "xét הערה تبصره ملاحظة παρατήρηση 注记 注記 注释 注意 备注 備考 評注 评注 註 注 참고 비고",
        "observació observacion bemerkning bemerkninger pastaba pastabos piezīme athugasemd забележк~ напомен~ uyarı",
        "huomio catatan chú σημείωση ملاحظه نکته توجه",
    ),
    "example": _family(
        "other",
        "example examples counterexample exemple exemples beispiel~ ejemplo ejemplos esempio esempi exemplo",
        "exemplos przykład~ пример~ приклад voorbeeld~ příklad~ exempel eksempel esimerkki primjer zgled príklad példa",
        "örnek näide exemplu contoh dụ דוגמה דוגמא مثال παράδειγμα 例子 例题 例題 例 예 예제",
        "gegenbeispiel~ primer primeri pavyzdys pavyzdžiai pavyzdžio piemērs dæmi príklady példák",
    ),
    "exercise": _family(
        "other",
        "exercise exercises exercice exercices übung~ aufgabe~ ejercicio ejercicios esercizi~ exercício",
        "exercícios ćwiczeni~ zadani~ упражнени~ opgave~ oefening~ cvičení övning~ oppgave~ tehtävä zadatak naloga",
        "feladat alıştırma ülesanne latihan tập תרגיל تمرین تمرين 练习 練習 习题 習題 演習 연습문제",
        "exercici exercicis exerciți~ cvičenie øvelse øvelser vaja vaje gyakorlat uppgift uzdevums harjoitustehtävä",
        "вправа вправи задатак άσκηση ασκήσεις 問",
        provable=True,
    ),
    "problem": _family(
        "other",
        "problem problems problème problèmes probleme problema problemas problemi задач~ проблем~ 问题 問題",
        "úloha úlohy problém~ problemă uždavinys uždaviniai πρόβλημα مسئله مسأله مساله 문제",
        provable=True,
    ),
    "question": _family(
        "other",
        "question questions frage fragen pregunta domanda pergunta pytani~ вопрос~ vraag vragen",
        "questão questões otázka otázky kérdés питання שאלה",
        provable=True,
    ),
    "conjecture": _family(
        "other",
        "conjecture conjectures vermutung~ conjetura congettura conjectura hipoteza гипотез~ vermoeden~ 猜想 予想 추측",
        "hypotéz~ sejtés~ domneva otaksuma гіпотез~ εικασία השערה حدس",
        provable=True,
    ),
    "algorithm": _family(
        "other",
        "algorithm algorithms algorithme algorithmus algoritmo algorytm~ алгоритм~ algoritme~ 算法 アルゴリズム",
        provable=True,
    ),
    "assumption": _family(
        "other",
        "assumption assumptions annahme~ voraussetzung~ założeni~ suposición предположени~ aanname~ 假设 假設 仮定",
    ),
    "hypothesis": _family("other", "hypothesis hypotheses hypothèse hypothèses hipótesis ipotesi hipótese"),
    "condition": _family("other", "condition conditions bedingung~ condición condizione condição warunek услови~"),
    "construction": _family(
        "other",
        "construction constructions konstruktion~ construcción costruzion~ construção konstrukcj~ конструкци~",
        "constructie~ 构造 構造 構成",
    ),
    "situation": _family("other", "situation setting setup context framework"),
    "note": _family("other", "note notes warning comment comments discussion caution hinweis"),
    "step": _family("other", "step case étape cas schritt fall paso caso passo krok przypadek шаг случай"),
}
"""Statements by what they are called; a family is cited by any of its words."""

PROOF_WORDS = (
    "proof proofs pf prf preuve démonstration demonstration beweis~ demostración prueba dimostrazion~ prova "
    "demonstração demostració dowód dowod dowodu доказательств~ доведення bewijs~ bevis důkaz bizonyítás απόδειξη "
    "dôkaz dokaz~ todistus tõestus kanıt ispat įrodym~ bukti minh demonstrație הוכחה اثبات برهان 证明 證明 証明 증명 "
    "доказателств~ доказ доказу доведенн~ důkazu dôkazu bizonyítás~ todistuksen demostracion sönnun pierādījum~ إثبات"
)

PROOF_ENVIRONMENTS = frozenset(
    {
        "proof", "pf", "prf", "proofof", "proofsketch", "sketchproof", "sproof", "skproof", "appendixproof",
        "inlineproof", "nestedproof", "ieeeproof", "proofs", "preuve", "demonstration", "démonstration", "demo",
        "dem", "beweis", "bew", "demostracion", "dimostrazione", "dim", "demonstracao", "prova", "dowod",
        "dokazatelstvo", "myproof", "proofend", "proofclaim", "claimproof", "proofofclaim", "cproof", "subproof",
    }
)  # fmt: skip
"""Environments that hold proofs unless declared otherwise, without regard to case and star."""

ENVIRONMENT_NAMES: Mapping[str, str] = {
    **dict.fromkeys(
        ("theo", "theor", "teo", "teor", "teorema", "tm", "th", "tw", "maintheorem", "mainthm", "thmx"), "theorem"
    ),
    **dict.fromkeys(("lemm", "lm", "lma", "lema"), "lemma"),
    **dict.fromkeys(("propn", "propo", "pro", "propos", "proposicion", "proposizione", "proposicao"), "proposition"),
    **dict.fromkeys(("coro", "corol", "crl", "corr", "corolario", "kor", "corollaire"), "corollary"),
    **dict.fromkeys(("clm", "clam"), "claim"),
    **dict.fromkeys(("obs", "observ"), "observation"),
    **dict.fromkeys(("defi", "dfn", "df", "defin", "definicion", "definizione", "definicao", "dfnt"), "definition"),
    **dict.fromkeys(("ax",), "axiom"),
    **dict.fromkeys(("notn", "notat"), "notation"),
    **dict.fromkeys(("conv",), "convention"),
    **dict.fromkeys(("rk", "rmrk", "rema", "bem", "rems", "rmks", "oss"), "remark"),
    **dict.fromkeys(
        ("ex", "exa", "exam", "exmp", "exmpl", "examp", "eg", "bsp", "ej", "ejemplo", "exs", "exm"), "example"
    ),
    **dict.fromkeys(("exer", "exc", "xca", "exr", "exo", "ejer", "exercice"), "exercise"),
    **dict.fromkeys(("prob", "prb", "openproblem"), "problem"),
    **dict.fromkeys(("quest", "ques", "que", "qn"), "question"),
    **dict.fromkeys(("conj", "cnj"), "conjecture"),
    **dict.fromkeys(("alg", "algo"), "algorithm"),
    **dict.fromkeys(("assump", "assum", "asm", "ass", "assu"), "assumption"),
    **dict.fromkeys(("hyp", "hypo"), "hypothesis"),
    **dict.fromkeys(("constr", "cons", "const"), "construction"),
    **dict.fromkeys(("situ", "setting"), "situation"),
}
"""Environments by usual abbreviations of the words."""

ABBREVIATIONS: Mapping[str, str] = {
    **dict.fromkeys(("th", "theo", "theor", "teo", "teor", "tw", "теор"), "theorem"),
    **dict.fromkeys(("лем",), "lemma"),
    **dict.fromkeys(("propos", "предл"), "proposition"),
    **dict.fromkeys(("coroll", "kor", "wn", "след", "следств"), "corollary"),
    **dict.fromkeys(("beh", "утв"), "claim"),
    **dict.fromkeys(("опр", "озн"), "definition"),
    **dict.fromkeys(("bem", "oss", "зам"), "remark"),
    **dict.fromkeys(("bsp", "es", "ej"), "example"),
    **dict.fromkeys(("aufg", "упр"), "exercise"),
    **dict.fromkeys(("dim", "dém", "dem", "démonstr", "demonstr", "bew", "док", "док-во", "д-во"), ""),
}
"""Families by abbreviations that are words of their own elsewhere, so they count only as headings and before numbers.

A proof has no family.
"""

SOLUTION_WORDS = frozenset(
    "solution solutions sol soln answer answers solutionbox solutionorbox solutionorlines solutionordottedlines "
    "solutionorgrid lösung loesung lösungen soluzione solución solucion solução solucao solució rozwiązanie решение "
    "oplossing rješenje řešení réponse 解 解答".split()
)
"""What the solution of an exercise is called, as an environment or in its heading."""

NOT_ENVIRONMENTS = frozenset(
    {"step", "case", "note", "comment", "comments", "context", "framework", "setup", "result", "results", "fall", "cas"}
)
"""Words that name statements only where a project declares them so."""

_PROVABLE = frozenset(
    "statement statements law laws rule rules identity identities inequality inequalities formula formulas "
    "test tests characterization characterisation classification consequence consequences application applications "
    "formulae".split()
)
"""Words that name theorems where a project declares them so, unless their style says otherwise."""
_ASIDES = frozenset(
    "solution solutions answer answers hint hints tip tips strategy goal goals aside digression speculation caveat "
    "vocabulary extract summary motivation intuition idea ideas interlude recall reminder recap review history outline "
    "overview plan project task activity figure table diagram code listing program concept heuristic heuristics "
    "experiment prediction model error moral story fun todo lösung tipp solución respuesta soluzione solução réponse "
    "rappel indication решение ответ подсказка 解 解答".split()
)
"""Words that name no theorem in any style."""
_IGNORED = frozenset(
    "acknowledgement acknowledgements acknowledgment acknowledgments danksagung remerciements agradecimientos".split()
)
"""Words that name nothing that is stated."""


_WORD = re.compile(r"[^\W\d_]+")
_ABBREVIATED = re.compile(r"([^\W\d_]++(?:-во)?+)(?=\s*+(?:[.:]|\d|$))")
_NOT_A_LETTER = re.compile(r"[\W\d_]+")
_PROOF_NAME = re.compile(
    r"(?:sketch|idea|outline|claim|lemma|theorem|thm|sub|inner|nested|my|own|short|alternative|alternate|alt|full|detailed"
    r"|second|another|partial|deferred|postponed|delayed|named|custom|local|def)*(?:of)?(?:the)?(?:proof|prf|pf)s?(?:of)?(?:the)?"
    r"(?:sketch|idea|outline|claim|lemma|theorem|thm|prop|proposition|corollary|part|step|case|noqed|nobox|named|env)*"
)
"""Names of environments made of the word for "proof" and others; a prooftree, for one, is no proof."""
_NAME_PARTS = re.compile(r"[^\W\d_A-Z]{2,}|[A-Z][^\W\d_A-Z]+|[A-Z]{2,}")
"""The words of a name such as propositionDef or main-theorem; single letters are none."""
_STAR_OR_NUMBER = re.compile(r"[*\d]+$")
_RANK: dict[Role, int] = {"proof": 0, "theorem": 1, "definition": 2, "other": 3, "ignore": 4}


class Sense(NamedTuple):
    """What an environment holds, and the family of words it is cited by."""

    role: Role
    family: str = ""
    provable: bool = False


PROOF = Sense("proof")
SOLUTION = Sense("proof", "solution")
"""The solution of an exercise: a proof of nothing else."""
BOXED = "box"
"""The style of boxes, which says nothing about what stands in them."""


def by_printed_name(printed: str, style: str = "", name: str = "") -> Sense:
    """What a declared theorem-like environment is: by its printed name, or else by its own, or else by its style.

    Args:
        printed: The printed name, in any language.
        style: The theorem style in force; empty when none was ever set, which is plain.
        name: The name of the environment.
    """
    known = [sense for word in words_of(printed) if (sense := by_word(word))]
    if not known and (short := abbreviated(printed.strip(" .:"))):
        known.append(short[0])
    if known:
        # "Proposition and definition" can be proved, so it is a theorem.
        return min(known, key=lambda sense: _RANK[sense.role])
    if sense := by_environment_name(name):
        return sense
    family = " ".join(printed.casefold().split())
    words = {word.casefold() for word in words_of(printed)}
    if words & _IGNORED:
        return Sense("ignore")
    provable = not words.isdisjoint(_PROVABLE)
    plain = style.casefold().startswith("plain") or (not style and family) or (style == BOXED and provable)
    return Sense("theorem" if plain and words.isdisjoint(_ASIDES) else "other", family, provable)


def by_environment_name(name: str) -> Sense | None:
    """What an environment is that was not declared, by usual names."""
    plain = _STAR_OR_NUMBER.sub("", name).casefold()
    if plain in PROOF_ENVIRONMENTS or _PROOF_NAME.fullmatch(_NOT_A_LETTER.sub("", plain)):
        return PROOF
    if plain in NOT_ENVIRONMENTS:
        return None
    if plain in ENVIRONMENT_NAMES:
        return _sense(ENVIRONMENT_NAMES[plain])
    if plain.startswith("my") and (sense := by_environment_name(plain[2:].lstrip("-_"))):
        return sense
    parts = _NAME_PARTS.findall(_STAR_OR_NUMBER.sub("", name))
    senses = [by_environment_name(part) for part in parts if part != name]
    if senses and senses[-1] and (all(senses) or senses[-1].role != "proof"):
        return min(filter(None, senses), key=lambda sense: _RANK[sense.role])
    return by_word(plain)


def is_solution(name: str) -> bool:
    """Whether an environment of this name, or printed name, holds the solution of an exercise."""
    return _STAR_OR_NUMBER.sub("", name).strip(" .:").casefold() in SOLUTION_WORDS


def words_of(text: str) -> list[str]:
    """The words of a text; of Chinese and Japanese, those of the tables, the longest ones first."""
    return [part for word in _WORD.findall(text) for part in (_UNSPACED.findall(word) or [word])]


@lru_cache(maxsize=10_000)
def by_word(word: str) -> Sense | None:
    """The sense of one word, if it is in the tables."""
    word = _folded(word)
    if word in _WORDS:
        return _WORDS[word]
    return next((sense for stem, sense in _STEMS if word.startswith(stem)), None)


def by_abbreviation(word: str) -> Sense | None:
    """The sense of a usual abbreviation, without its stop, at a place where a word for statements is expected."""
    family = ABBREVIATIONS.get(word.casefold())
    return None if family is None else _sense(family) if family else PROOF


def abbreviated(heading: str, at: int = 0) -> tuple[Sense, int] | None:
    """What a heading is by an abbreviation that stands before a stop or a number or alone, and where that ends."""
    short = _ABBREVIATED.match(heading, at)
    sense = by_abbreviation(short[1]) if short else None
    return (sense, short.end(1)) if short and sense else None


def _folded(word: str) -> str:
    """A word by which those are found that differ in case, in the Greek accent, in dots of i, or in ţ and ț."""
    return word.casefold().translate(_SAME_LETTERS)


def by_numbered_word(word: str) -> Sense | None:
    """The sense of a word that a number follows in a heading."""
    return by_word(word) or (Sense("theorem", word.casefold(), True) if word.casefold() in _PROVABLE else None)


def _sense(family: str) -> Sense:
    entry = FAMILIES[family]
    return Sense(entry.kind, family, entry.provable)


_SAME_LETTERS = str.maketrans("άέήίόύώţşı", "αεηιουωțși", "\u0307")
_WORDS = {
    **{_folded(word): _sense(family) for family, entry in FAMILIES.items() for word in entry.words.split()},
    **dict.fromkeys(map(_folded, PROOF_WORDS.split()), PROOF),
}
_STEMS = [(word[:-1], sense) for word, sense in _WORDS.items() if word[-1] == "~"]
_UNSPACED_WORDS = [word for word in _WORDS if word[0] >= "\u3000" and len(word) > 1]
_UNSPACED = re.compile("|".join(sorted(_UNSPACED_WORDS, key=len, reverse=True)))
"""Words of languages that do not separate them; a single sign may be part of any other word."""
