"""Symbols and mathematical alphabets by their LaTeX names, as data."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


def _table(rows: str) -> dict[str, str]:
    cells = rows.split()
    return dict(zip(cells[::2], cells[1::2], strict=True))


def words(names: str) -> list[str]:
    """Names written side by side."""
    return names.split()


LETTERS: Mapping[str, str] = _table(
    """
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ
    lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ
    chi χ psi ψ omega ω digamma ϝ
    upalpha α upbeta β upgamma γ updelta δ upepsilon ϵ upvarepsilon ε upzeta ζ upeta η uptheta θ upiota ι upkappa κ
    uplambda λ upmu μ upnu ν upxi ξ uppi π uprho ρ upsigma σ uptau τ upphi ϕ upvarphi φ upchi χ uppsi ψ upomega ω
    Upgamma Γ Updelta Δ Uptheta Θ Uplambda Λ Upxi Ξ Uppi Π Upsigma Σ Upupsilon Υ Upphi Φ Uppsi Ψ Upomega Ω
    varGamma 𝛤 varDelta 𝛥 varTheta 𝛩 varLambda 𝛬 varXi 𝛯 varPi 𝛱 varSigma 𝛴 varUpsilon 𝛶 varPhi 𝛷 varPsi 𝛹 varOmega 𝛺
    Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
    mathhyphen ‐ ell ℓ hbar ℏ imath ı jmath ȷ wp ℘ Re ℜ Im ℑ aleph ℵ beth ℶ gimel ℷ daleth ℸ infty ∞ partial ∂ nabla ∇
    emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄ top ⊤ bot ⊥ angle ∠ measuredangle ∡ prime ′ dprime ″ trprime ‴
    degree ° sphericalangle ∢ cdotp ⋅
    hslash ℏ Bbbk 𝕜 eth ð complement ∁ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ flat ♭ natural ♮ sharp ♯
    Box □ square □ blacksquare ■ triangle △ blacktriangle ▴ lozenge ◊ blacklozenge ⧫ mho ℧ Finv Ⅎ Game ⅁
    backepsilon ϶ Diamond ◇ bigstar ★ S § P ¶ dag † ddag ‡ copyright © pounds £
    ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ dotsc … dotsb ⋯ dotsm ⋯ dotsi ⋯ dotso … checkmark ✓ qed □ QED □ i ı
    """
)
"""Letters and other symbols that stand for something."""

UPRIGHT = frozenset("ΓΔΘΛΞΠΣΥΦΨΩ∞∅∀∃∄⊤⊥…⋯⋮⋱□■△◇★∂∇ℵ†‡§¶✓")
"""Those that are never slanted."""

OPERATORS: Mapping[str, str] = _table(
    r"""
    pm ± mp ∓ times × div ÷ ast ∗ star ⋆ circ ∘ bullet • cdot ⋅ centerdot ⋅ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔
    vee ∨ lor ∨ wedge ∧ land ∧ setminus ∖ smallsetminus ∖ backslash ∖ wr ≀ diamond ⋄ amalg ⨿ oplus ⊕ ominus ⊖
    otimes ⊗ oslash ⊘ odot ⊙ bigcirc ◯ dagger † ddagger ‡ ltimes ⋉ rtimes ⋊ boxtimes ⊠ boxplus ⊞ curlyvee ⋎
    curlywedge ⋏ triangleleft ◃ triangleright ▹ bigtriangleup △ bigtriangledown ▽ lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵ Cap ⋒
    Cup ⋓
    leq ≤ le ≤ geq ≥ ge ≥ leqslant ⩽ geqslant ⩾ leqq ≦ geqq ≧ neq ≠ ne ≠ ll ≪ gg ≫ lll ⋘ ggg ⋙ equiv ≡ sim ∼
    simeq ≃ approx ≈ approxeq ≊ cong ≅ propto ∝ varpropto ∝ asymp ≍ doteq ≐ prec ≺ succ ≻ preceq ⪯ succeq ⪰
    preccurlyeq ≼ succcurlyeq ≽ lesssim ≲ gtrsim ≳ triangleq ≜ coloneqq ≔ eqqcolon ≕ coloneq ≔ colonequals ≔
    in ∈ ni ∋ owns ∋ notin ∉ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ varsubsetneq ⊊
    nsubseteq ⊈ nsupseteq ⊉ subseteqq ⫅ supseteqq ⫆ subsetneqq ⫋ supsetneqq ⫌ sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑
    sqsupseteq ⊒ Subset ⋐ Supset ⋑ vdash ⊢ dashv ⊣ models ⊧ vDash ⊨ Vdash ⊩ Vvdash ⊪ nvdash ⊬ nvDash ⊭ perp ⟂
    parallel ∥ nparallel ∦ nmid ∤ bowtie ⋈ smile ⌣ frown ⌢ between ≬ vartriangleleft ⊲ vartriangleright ⊳
    trianglelefteq ⊴ trianglerighteq ⊵ ntriangleleft ⋪ ntriangleright ⋫ pitchfork ⋔ therefore ∴ because ∵
    nless ≮ ngtr ≯ nleq ≰ ngeq ≱ ncong ≇ nsim ≁ nprec ⊀ nsucc ⊁ lnot ¬ neg ¬ surd √
    npreceq ⋠ nsucceq ⋡ curlyeqprec ⋞ curlyeqsucc ⋟
    to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔
    longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷ Longrightarrow ⟹ Longleftarrow ⟸ Longleftrightarrow ⟺
    implies ⟹ impliedby ⟸ iff ⟺ mapsto ↦ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓
    updownarrow ↕ Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightharpoonup ⇀ rightharpoondown ⇁
    leftharpoonup ↼ leftharpoondown ↽ rightleftharpoons ⇌ leftrightharpoons ⇋ rightleftarrows ⇄ leftrightarrows ⇆
    rightrightarrows ⇉ leftleftarrows ⇇ twoheadrightarrow ↠ twoheadleftarrow ↞ rightarrowtail ↣ leftarrowtail ↢
    rightsquigarrow ⇝ leadsto ⇝ dashrightarrow ⇢ dashleftarrow ⇠ nrightarrow ↛ nleftarrow ↚ nRightarrow ⇏
    nLeftrightarrow ⇎ circlearrowleft ↺ circlearrowright ↻ curvearrowright ↷ curvearrowleft ↶ upharpoonright ↾
    restriction ↾ multimap ⊸ Lleftarrow ⇚ Rrightarrow ⇛ rightthreetimes ⋌ leftthreetimes ⋋ doteqdot ≑ Doteq ≑ lessdot ⋖
    gtrdot ⋗ lessgtr ≶ gtrless ≷ risingdotseq ≓ fallingdotseq ≒ barwedge ⊼ veebar ⊻ divideontimes ⋇ dotplus ∔
    circledast ⊛ circledcirc ⊚ circleddash ⊝ upuparrows ⇈ downdownarrows ⇊ Join ⨝ eqcirc ≖ circeq ≗ bumpeq ≏ Bumpeq ≎
    vcentcolon : fatsemi ⨟ Coloneqq ⩴ Coloneq ⩴ dblcolon ∷ mapsfrom ↤ longmapsfrom ⟻ nsubset ⊄ nsupset ⊅ nsimeq ≄
    vartriangle △ backsimeq ⋍ backcong ≌ leftrightsquigarrow ↭ sslash ⫽ bigcdot •
    ntrianglelefteq ⋬ ntrianglerighteq ⋭ shortmid ∣ shortparallel ∥ nshortmid ∤ lneq ⪇ gneq ⪈ lneqq ≨ gneqq ≩ precsim ≾
    succsim ≿ lessapprox ⪅ gtrapprox ⪆ backsim ∽ thicksim ∼ thickapprox ≈ looparrowright ↬ looparrowleft ↫
    hooktwoheadrightarrow ⤗ upharpoonleft ↿ downharpoonright ⇂ downharpoonleft ⇃ Updownarrow ⇕ nLeftarrow ⇍
    nleftrightarrow ↮ boxdot ⊡ boxminus ⊟ intercal ⊺ Vvdash ⊪ nVdash ⊮ nVDash ⊯ blacktriangleright ▶ blacktriangleleft ◀
    smwhtsquare ▫ smblksquare ▪ mdsmblkcircle ⦁ mdsmwhtcircle ⚬ smblkcircle • vysmblkcircle ∙ vysmwhtcircle ∘
    wedgedot ⟑ veedot ⟇ lesdot ⩿ gesdot ⪀ dotsim ⩪ isindot ⋵ subedot ⫃ supedot ⫄ dottimes ⨰ dotminus ∸ turnediota ℩
    rightimply ⥰ divides ∣ ndivides ∤ lt < gt > eqcolon ≕ shuffle ⧢ lightning ↯ interleave ⫴ talloblong ⫾
    Mapsto ⤇ Mapsfrom ⤆ Longmapsto ⟾ Longmapsfrom ⟽ shortrightarrow → shortleftarrow ← boxslash ⧄ boxbslash ⧅ boxast ⧆
    boxcircle ⧇ boxbox ⧈ boxempty □ obar ⦶ obslash ⦸ trianglelefteqslant ⊴ trianglerighteqslant ⊵ medcirc ○ medbullet •
    lesseqgtr ⋚ gtreqless ⋛ lesseqqgtr ⪋ gtreqqless ⪌ Perp ⫫ iddots ⋰ adots ⋰ udots ⋰ hdots ⋯
    """
)
"""Binary operators, relations and arrows; their spacing is the browser's."""

BRACKETS: Mapping[str, str] = {
    **_table(
        """
        ( ( ) ) [ [ ] ] | | / / \\{ { \\} } \\| ‖ \\lbrace { \\rbrace } \\lbrack [ \\rbrack ] \\langle ⟨ \\rangle ⟩
        \\lvert | \\rvert | \\lVert ‖ \\rVert ‖ \\vert | \\Vert ‖ \\lfloor ⌊ \\rfloor ⌋ \\lceil ⌈ \\rceil ⌉
        \\ulcorner ⌜ \\urcorner ⌝ \\llcorner ⌞ \\lrcorner ⌟ \\lgroup ⟮ \\rgroup ⟯ \\backslash ∖ \\uparrow ↑
        \\downarrow ↓ \\Vvert ⦀ \\lVvert ⦀ \\rVvert ⦀ \\vvvert ⦀ \\llparenthesis ⦇ \\rrparenthesis ⦈
        \\lbag ⟅ \\rbag ⟆ \\Lbag ⟅ \\Rbag ⟆ \\lmoustache ⎰ \\rmoustache ⎱ \\lAngle ⟪ \\rAngle ⟫
        \\llbracket ⟦ \\rrbracket ⟧ \\lBrack ⟦ \\rBrack ⟧
        \\lparen ( \\rparen ) \\lParen ⦅ \\rParen ⦆ < ⟨ > ⟩
        """
    ),
    ".": "",
}
r"""What may follow \left and \right; all but the symbols of comparison are brackets elsewhere too."""

LARGE: Mapping[str, str] = _table(
    """
    sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigsqcup ⨆ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀
    biguplus ⨄ bigtimes ⨉ bigsqcap ⨅
    """
)
"""Large operators whose limits stand above and below in displays."""

INTEGRALS: Mapping[str, str] = _table(
    "int ∫ iint ∬ iiint ∭ iiiint ⨌ oint ∮ oiint ∯ fint ⨏ smallint ∫ oiiint ∰ varoiint ∯ "
    "sqint ⨖ ointclockwise ∲ varointclockwise ∲ ointctrclockwise ∳ varointctrclockwise ∳ dashint ⨍"
)

FUNCTIONS = frozenset(
    words("arccos arcsin arctan arg cos cosh cot coth csc deg dim exp hom ker lg ln log sec sin sinh tan tanh")
    # By custom, for texts that use them without a definition.
    + words("codim coker diam ev grad id img irr lcm ord poly polylog pr rank rk sgn sk supp tr vol")
)
LIMITS: Mapping[str, str] = {
    **{name: name for name in words("colim det gcd inf lim max min Pr sup")},
    "limsup": "lim sup", "liminf": "lim inf", "injlim": "inj lim", "projlim": "proj lim", "varinjlim": "lim→",
    "varprojlim": "lim←", "varlimsup": "lim sup", "varliminf": "lim inf", "argmax": "arg max", "argmin": "arg min",
}  # fmt: skip
"""Names of operators whose limits stand below in displays."""

ACCENTS: Mapping[str, str] = _table(
    "hat ^ widehat ^ check ˇ tilde ~ widetilde ~ acute ´ grave ` dot ˙ ddot ¨ dddot ⃛ breve ˘ bar ¯ vec → mathring ˚ "
    "overline ‾ overrightarrow → overleftarrow ← overleftrightarrow ↔ overbrace ⏞ overparen ⏜ "
    "overbracket ⎴ widecheck ˇ"
)
"""What goes above."""
UNDER: Mapping[str, str] = _table(
    "underline _ underbrace ⏟ underbracket ⎵ underrightarrow → underleftarrow ← underbar _"
)

ARROWS: Mapping[str, str] = _table(
    "xrightarrow → xleftarrow ← xleftrightarrow ↔ xRightarrow ⇒ xLeftarrow ⇐ xmapsto ↦ xhookrightarrow ↪ "
    "xhookleftarrow ↩ xtwoheadrightarrow ↠ xlongequal = xlongrightarrow ⟶ xlongleftarrow ⟵ xLongrightarrow ⟹ "
    "xLongleftarrow ⟸ xlongleftrightarrow ⟷ xLongleftrightarrow ⟺ xrightleftharpoons ⇌ xleftrightharpoons ⇋ "
    "xrightharpoonup ⇀ xrightharpoondown ⇁ xleftharpoonup ↼ xleftharpoondown ↽ xLeftrightarrow ⇔"
)
"""Arrows that grow with what stands above them."""

SYMBOLS_WITHOUT_CHARACTER = frozenset(
    words(
        "Ydown Yup Yleft Yright Arrownot Longarrownot Mapsfromchar Mapstochar XBox Bowtie Square CheckedBox HexaSteel "
        "DeclareMathOperator Longmapstochar Circle CIRCLE LEFTcircle RIGHTcircle Leftcircle Rightcircle"
    )
)
"""Symbols of packages that are written with a capital letter: no names of operators."""

DIAGRAMS = frozenset({"tikzcd", "tikzcd*", "CD", "xymatrix", "xy", "tikzpicture", "picture", "diagram", "prooftree"})
"""Environments and commands that draw."""

SPACES: Mapping[str, str] = {
    ",": "0.17em", ":": "0.22em", ">": "0.22em", ";": "0.28em", "!": "-0.17em", " ": "0.25em", "\n": "0.25em",
    "quad": "1em", "qquad": "2em", "enspace": "0.5em", "enskip": "0.5em", "thinspace": "0.17em", "medspace": "0.22em",
    "thickspace": "0.28em", "negthinspace": "-0.17em", "space": "0.25em", "hfill": "1em",
}  # fmt: skip

IGNORED = frozenset(
    words(
        "displaystyle textstyle scriptstyle scriptscriptstyle nonumber notag mathstrut strut noindent allowbreak "
        "nobreak relax protect null smallskip medskip bigskip newline break - / rmfamily upshape itshape normalfont "
        "boldmath unboldmath centering par xspace limits nolimits displaylimits qedhere leanok noindent smaller larger "
        "small footnotesize scriptsize tiny normalsize large Large hfil vfill ignorespaces leavevmode sloppy "
        "offinterlineskip empty allowdisplaybreaks pagebreak nopagebreak linebreak nolinebreak newpage clearpage "
        "selectfont newmcodes@ nolimits@ operator@font nonscript SwapAboveDisplaySkip joinrel "
        "IEEEnonumber IEEEyesnumber IEEEeqnarraynumspace"
    )
)
"""Commands that change nothing here."""

NEGATED: Mapping[str, str] = {
    "=": "≠", "∈": "∉", "⊂": "⊄", "⊃": "⊅", "⊆": "⊈", "⊇": "⊉", "≡": "≢", "∼": "≁", "≃": "≄", "≅": "≇", "≈": "≉",
    "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "→": "↛", "⇒": "⇏", "⇔": "⇎", "∃": "∄", "|": "∤", "∥": "∦", "⊢": "⊬",
    "⊨": "⊭", "⊩": "⊮", "←": "↚", "↔": "↮", "∋": "∌", "⊏": "⊏̸", "≺": "⊀", "≻": "⊁", "⊲": "⋪", "⊴": "⋬",
}  # fmt: skip


@dataclass(frozen=True)
class Alphabet:
    """Where an alphabet starts in Unicode, and the letters that had a place before it came."""

    capitals: int
    smalls: int
    digits: int = 0
    exceptions: Mapping[str, str] = field(default_factory=dict)

    def letter(self, symbol: str) -> str:
        """The symbol in this alphabet, or as it is."""
        if symbol in self.exceptions:
            return self.exceptions[symbol]
        for first, last, start in (("A", "Z", self.capitals), ("a", "z", self.smalls), ("0", "9", self.digits)):
            if start and first <= symbol <= last:
                return chr(start + ord(symbol) - ord(first))
        return symbol


def _exceptions(letters: str, characters: str) -> dict[str, str]:
    return dict(zip(letters, characters, strict=True))


_SCRIPT = Alphabet(0x1D49C, 0x1D4B6, exceptions=_exceptions("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ"))
_FRAKTUR = Alphabet(0x1D504, 0x1D51E, exceptions=_exceptions("CHIRZ", "ℭℌℑℜℨ"))
_DOUBLE = Alphabet(0x1D538, 0x1D552, 0x1D7D8, _exceptions("CHNPQRZ", "ℂℍℕℙℚℝℤ"))
_BOLD = Alphabet(0x1D400, 0x1D41A, 0x1D7CE)
_BOLD_ITALIC = Alphabet(0x1D468, 0x1D482, 0x1D7CE)
_SANS = Alphabet(0x1D5A0, 0x1D5BA, 0x1D7E2)
_BOLD_SANS = Alphabet(0x1D5D4, 0x1D5EE, 0x1D7EC)
_SANS_ITALIC = Alphabet(0x1D608, 0x1D622, 0x1D7E2)
_BOLD_SANS_ITALIC = Alphabet(0x1D63C, 0x1D656, 0x1D7EC)
_BOLD_SCRIPT = Alphabet(0x1D4D0, 0x1D4EA)
_BOLD_FRAKTUR = Alphabet(0x1D56C, 0x1D586)
_MONO = Alphabet(0x1D670, 0x1D68A, 0x1D7F6)

ALPHABETS: Mapping[str, Alphabet | None] = {
    **dict.fromkeys(words("mathbb Bbb mathds mathbbm mathbbmss mathbbold symbb"), _DOUBLE),
    **dict.fromkeys(words("mathcal mathscr EuScript symcal symscr"), _SCRIPT),
    **dict.fromkeys(words("mathfrak frak symfrak"), _FRAKTUR),
    **dict.fromkeys(words("mathbf pmb symbf"), _BOLD),
    **dict.fromkeys(words("mathbfcal mathbfscr symbfcal symbfscr"), _BOLD_SCRIPT),
    **dict.fromkeys(words("mathbffrak symbffrak"), _BOLD_FRAKTUR),
    **dict.fromkeys(words("mathbfit symbfit boldsymbol bm"), _BOLD_ITALIC),
    **dict.fromkeys(words("mathsf symsf"), _SANS),
    **dict.fromkeys(words("mathbfsf symbfsf"), _BOLD_SANS),
    **dict.fromkeys(words("mathsfit symsfit"), _SANS_ITALIC),
    **dict.fromkeys(words("mathbfsfit symbfsfit mathsfbfit"), _BOLD_SANS_ITALIC),
    **dict.fromkeys(words("mathtt symtt"), _MONO),
    **dict.fromkeys(words("mathrm mathup mathit mathnormal symup symrm symit"), None),
}
"""By command; None for the letters of the text, upright or slanted."""

_FAMILIES = (
    (re.compile(r"pzc|.*(?:scr|eus|rsfs|cal|zapf|boondox|dutchcal).*|.*mathx"), "mathscr"),
    (re.compile(r".*(?:frak|euf|goth|ygot|swab).*"), "mathfrak"),
    (re.compile(r"bbm(?:ss)?|bbold|msb|U?fplm|dsrom|dsss|.*bb.*"), "mathbb"),
    (re.compile(r"cmtt|lmtt|pcr|.*tt(?:default)?"), "mathtt"),
    (re.compile(r"cmss|lmss|phv|iwona|.*(?:sf|ss)(?:default)?|\\sfdefault"), "mathsf"),
    (re.compile(r"cmr|lmr|ptm|ppl|pbk|pnc|.*rm(?:default)?|\\rmdefault|cmm|zplm|txr|pxr"), "mathrm"),
)
"""The alphabets by the names of families of fonts."""
_BOLD_OF = {"mathscr": "mathbfscr", "mathfrak": "mathbffrak", "mathsf": "mathbfsf", "mathrm": "mathbf"}
_SLANTED_OF = {"mathsf": "mathsfit", "mathrm": "mathit", "mathbfsf": "mathbfsfit", "mathbf": "mathbfit"}


def alphabet_of(family: str, series: str, shape: str) -> str:
    """The command for the alphabet that a font is like; empty if nobody knows."""
    name = next((name for pattern, name in _FAMILIES if pattern.fullmatch(family.lower())), "")
    if series.lower().startswith(("b", "eb", "\\bf")):
        name = _BOLD_OF.get(name, name)
    return _SLANTED_OF.get(name, name) if shape.lower() in ("it", "sl", "\\itdefault", "\\sldefault") else name


UPRIGHT_COMMANDS = frozenset({"mathrm", "mathup", "symup", "symrm"})
SWITCHES: Mapping[str, str] = {
    "rm": "mathrm", "bf": "mathbf", "it": "mathit", "cal": "mathcal", "sf": "mathsf", "tt": "mathtt", "bold": "mathbf",
    "em": "mathit", "mit": "mathnormal",
}  # fmt: skip
"""Old commands that hold to the end of their group."""


_BOLD_COMMANDS = frozenset({"boldsymbol", "bm", "pmb"})
_BOLDENED = {
    **dict.fromkeys(("mathcal", "mathscr", "EuScript", "symcal", "symscr"), "mathbfscr"),
    **dict.fromkeys(("mathfrak", "frak", "symfrak"), "mathbffrak"),
    **dict.fromkeys(("mathsf", "symsf"), "mathbfsf"),
    **dict.fromkeys(("mathsfit", "symsfit"), "mathbfsfit"),
    **dict.fromkeys(("mathrm", "mathup", "symup", "symrm"), "mathbf"),
    **dict.fromkeys(("mathit", "mathnormal", "symit"), "mathbfit"),
}


def font_inside(font: str, outer: str) -> str:
    r"""The command for an alphabet inside of another: ``\bm{\mathcal{A}}`` is a bold letter of the script."""
    return _BOLDENED.get(font, font) if outer in _BOLD_COMMANDS else font


_NAMED = {
    "mscr": _SCRIPT, "mfrak": _FRAKTUR, "Bbb": _DOUBLE, "mbf": _BOLD, "msans": _SANS, "mtt": _MONO, "mup": None,
    "mit": None,
}  # fmt: skip


_GREEK_VARIANTS = "ϵϑϰϕϱϖ"
_BOLD_GREEK: Mapping[str, tuple[int, int, int, int]] = {
    **dict.fromkeys(("boldsymbol", "bm"), (0x1D6A8, 0x1D736, 0x1D74F, 0x1D735)),
    **dict.fromkeys(("pmb", "symbf"), (0x1D6A8, 0x1D6C2, 0x1D6DB, 0x1D6C1)),
    "mathbf": (0x1D6A8, 0, 0, 0),
}
"""Where the bold capitals, the bold small letters, ∂ (the variants follow it) and ∇ are, by the command for bold."""


def bold_greek(symbol: str, font: str) -> str:
    """A Greek letter in bold, if that is the font; any other symbol as it is."""
    if font not in _BOLD_GREEK or len(symbol) != 1:
        return symbol
    capitals, smalls, partial, nabla = _BOLD_GREEK[font]
    if "Α" <= symbol <= "Ω":
        return chr(capitals + ord(symbol) - ord("Α"))
    if smalls and "α" <= symbol <= "ω":
        return chr(smalls + ord(symbol) - ord("α"))
    if partial and symbol in "∂∇":
        return chr(partial if symbol == "∂" else nabla)
    return chr(partial + 1 + _GREEK_VARIANTS.index(symbol)) if partial and symbol in _GREEK_VARIANTS else symbol


def named_letter(name: str) -> str | None:
    r"""The letter that unicode-math calls so: ``\mscrA``, ``\muplambda``."""
    for prefix, alphabet in _NAMED.items():
        letter = name.removeprefix(prefix)
        if letter != name and (len(letter) == 1 or letter in LETTERS):
            symbol = LETTERS.get(letter, letter) if len(letter) > 1 else letter
            return alphabet.letter(symbol) if alphabet else symbol
    return None


def character(code: str) -> str | None:
    r"""The character of ``\symbol{"22A5}``, if it is a visible one."""
    digits = code.strip()
    if not re.fullmatch(r'"[0-9A-Fa-f]{2,6}', digits) or int(digits[1:], 16) > 0x10FFFF:
        return None
    symbol = chr(int(digits[1:], 16))
    return symbol if symbol.isprintable() else None


BUILT_IN = frozenset(
    name
    for table in (LETTERS, OPERATORS, LARGE, INTEGRALS, FUNCTIONS, LIMITS, ACCENTS, UNDER, ARROWS, ALPHABETS)
    for name in table
) | frozenset(
    words("frac dfrac tfrac cfrac binom dbinom tbinom sqrt not colon mid slash mod pmod bmod pod overset underset "
          "stackrel substack boxed phantom smash nicefrac sfrac")
)  # fmt: skip
"""Commands that print something without a definition of the author."""
