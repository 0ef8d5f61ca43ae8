"""What LaTeX names stand for in characters. Data only; `reader.py` reads it."""


def _pairs(listed: str) -> dict[str, str]:
    words = listed.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


LETTERS = _pairs(r"""
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ
lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ
chi χ psi ψ omega ω digamma ϝ Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
varGamma Γ varDelta Δ varTheta Θ varLambda Λ varXi Ξ varPi Π varSigma Σ varPhi Φ varPsi Ψ varOmega Ω
aleph ℵ beth ℶ gimel ℷ hbar ℏ hslash ℏ ell ℓ imath ı jmath ȷ Re ℜ Im ℑ wp ℘ partial ∂ nabla ∇ infty ∞ emptyset ∅
varnothing ∅ angle ∠ measuredangle ∡ top ⊤ bot ⊥ Box □ square □ blacksquare ■ Diamond ◇ lozenge ◊ triangle △
bigtriangleup △ bigtriangledown ▽ blacktriangle ▲ blacktriangleright ▶ blacktriangleleft ◀ bigstar ★ flat ♭
natural ♮ sharp ♯ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ checkmark ✓ maltese ✠ prime ′ backprime ‵
surd √ degree ° mho ℧ eth ð complement ∁ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ ldots … dots … dotsc … dotsb ⋯
dotsm ⋯ dotsi ⋯ dotso … cdots ⋯ vdots ⋮ ddots ⋱ S § P ¶ dag † ddag ‡ pounds £ yen ¥ copyright © circledR ®
backslash \ vert | lvert | rvert | Vert ‖ lVert ‖ rVert ‖ ss ß ae æ AE Æ oe œ OE Œ o ø O Ø aa å AA Å l ł L Ł i ı j ȷ
qed ∎ Bbbk 𝕜 textasciitilde ~ textbackslash \ textbar | textdegree ° lbrack [ rbrack ]
mathdollar $ textdollar $ AC ∿ ulcorner ⌜ urcorner ⌝ llcorner ⌞ lrcorner ⌟ uparrow ↑ downarrow ↓ updownarrow ↕
Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ varangle ∢ Varangle ∢ sphericalangle ∢ vartriangle △
""")

BINARY = _pairs(r"""
pm ± mp ∓ times × div ÷ ast ∗ star ⋆ circ ∘ bullet • cap ∩ cup ∪ Cap ⋒ Cup ⋓ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨
wedge ∧ land ∧ barwedge ⊼ veebar ⊻ setminus ∖ smallsetminus ∖ wr ≀ diamond ⋄ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘
odot ⊙ circledast ⊛ circledcirc ⊚ boxplus ⊞ boxminus ⊟ boxtimes ⊠ boxdot ⊡ dagger † ddagger ‡ amalg ⨿ ltimes ⋉
rtimes ⋊ leftthreetimes ⋋ rightthreetimes ⋌ curlyvee ⋎ curlywedge ⋏ dotplus ∔ divideontimes ⋇ bigcirc ◯
triangleleft ◁ triangleright ▷ lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵ intercal ⊺
""")

RELATIONS = _pairs(r"""
leq ≤ le ≤ geq ≥ ge ≥ lt < gt > ne ≠ neq ≠ equiv ≡ sim ∼ simeq ≃ approx ≈ approxeq ≊ cong ≅ ncong ≇ propto ∝ asymp ≍
doteq ≐ triangleq ≜ coloneqq ≔ eqqcolon ≕ ll ≪ gg ≫ lll ⋘ ggg ⋙ prec ≺ succ ≻ preceq ⪯ succeq ⪰ preccurlyeq ≼
succcurlyeq ≽ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ nsubseteq ⊈ nsupseteq ⊉ subsetneq ⊊ supsetneq ⊋ subsetneqq ⫋
sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ owns ∋ notin ∉ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ Vdash ⊩
nvdash ⊬ nvDash ⊭ perp ⟂ parallel ∥ nparallel ∦ smile ⌣ frown ⌢ bowtie ⋈ Join ⨝ between ≬ pitchfork ⋔
leqslant ⩽ geqslant ⩾ leqq ≦ geqq ≧ nleq ≰ ngeq ≱ nless ≮ ngtr ≯ lneq ⪇ gneq ⪈ lesssim ≲ gtrsim ≳ lessapprox ⪅
gtrapprox ⪆ lessgtr ≶ gtrless ≷ trianglelefteq ⊴ trianglerighteq ⊵ vartriangleleft ⊲ vartriangleright ⊳
to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⟺ implies ⟹
impliedby ⟸ longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷ Longrightarrow ⟹ Longleftarrow ⟸
Longleftrightarrow ⟺ mapsto ↦ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ rightharpoonup ⇀ rightharpoondown ⇁
leftharpoonup ↼ leftharpoondown ↽ rightleftharpoons ⇌ leftrightharpoons ⇋ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖
leadsto ⇝ rightsquigarrow ⇝ twoheadrightarrow ↠ twoheadleftarrow ↞ rightarrowtail ↣ leftarrowtail ↢ nrightarrow ↛
nleftarrow ↚ nRightarrow ⇏ nLeftrightarrow ⇎ multimap ⊸ circlearrowleft ↺ circlearrowright ↻ curvearrowleft ↶
curvearrowright ↷ upharpoonright ↾ restriction ↾ upharpoonleft ↿ mid ∣ divides ∣ nmid ∤ therefore ∴ because ∵
rightleftarrows ⇄ leftrightarrows ⇆ rightrightarrows ⇉ Rrightarrow ⇛ lightning ↯ backsim ∽ thickapprox ≈ thicksim ∼
""")

BIG = _pairs(r"""
sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ iiiint ⨌ oint ∮ oiint ∯ oiiint ∰ intop ∫ bigcap ⋂ bigcup ⋃
bigsqcup ⨆ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ biguplus ⨄ smallint ∫
""")

OPEN = _pairs(r"""
langle ⟨ lceil ⌈ lfloor ⌊ lbrace { lgroup ⟮ lmoustache ⎰ llbracket ⟦
""")
CLOSE = _pairs(r"""
rangle ⟩ rceil ⌉ rfloor ⌋ rbrace } rgroup ⟯ rmoustache ⎱ rrbracket ⟧
""")

FUNCTIONS = _names(
    """arccos arcsin arctan arctanh arcsinh arccosh arg argmax argmin cos cosh cot coth csc deg det diag dim dom erf
    exp gcd lcm hom Hom ker lg lim liminf limsup varliminf varlimsup ln log max min Pr poly polylog rank sec sech
    sgn sign sin sinc sinh span supp sup inf tan tanh Tr tr End Aut Gal id im coker ord vol Var Cov conv"""
)

ACCENTS = {
    "hat": "\u0302",
    "widehat": "\u0302",
    "bar": "\u0304",
    "overline": "\u0305",
    "underline": "\u0332",
    "underbar": "\u0332",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "vec": "\u20d7",
    "overrightarrow": "\u20d7",
    "overleftarrow": "\u20d6",
    "overleftrightarrow": "\u20e1",
    "underrightarrow": "\u20ef",
    "underleftarrow": "\u20ee",
    "underleftrightarrow": "\u034d",
    "wideparen": "\u0311",
    "overparen": "\u0311",
    "dot": "\u0307",
    "ddot": "\u0308",
    "dddot": "\u20db",
    "check": "\u030c",
    "widecheck": "\u030c",
    "breve": "\u0306",
    "acute": "\u0301",
    "grave": "\u0300",
    "mathring": "\u030a",
}
SPOKEN_ACCENTS = {"overrightarrow": "vec", "widehat": "hat", "widetilde": "tilde", "widecheck": "check"}
"""Accents that have a shorter name where they are written as a word."""
LINES = frozenset({"overline", "underline", "underbar"})
"""Accents that can run over several characters."""

SUPERSCRIPTS = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδθφϕχ′∘",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᶿᵠᵠᵡ′°",
        strict=True,
    )
)
SUBSCRIPTS = dict(zip("0123456789+-=()aehijklmnoprstuvxβγρφϕχ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵩᵪ", strict=True))

RAISED_ALREADY = frozenset("†‡∗*′°⋆")
"""Characters that need no mark to be read as superscripts."""


def _alphabet(upper: int, lower: int, digits: int = 0, odd: str = "") -> dict[str, str]:
    """Letters of one of Unicode's mathematical alphabets; `odd` lists those that live elsewhere, as pairs."""
    table = {chr(65 + i): chr(upper + i) for i in range(26)} | {chr(97 + i): chr(lower + i) for i in range(26)}
    if digits:
        table |= {chr(48 + i): chr(digits + i) for i in range(10)}
    return table | dict(zip(odd[::2], odd[1::2], strict=True))


_DOUBLE = _alphabet(0x1D538, 0x1D552, 0x1D7D8, "CℂHℍNℕPℙQℚRℝZℤ")
_SCRIPT = _alphabet(0x1D49C, 0x1D4B6, odd="BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ")
_FRAKTUR = _alphabet(0x1D504, 0x1D51E, odd="CℭHℌIℑRℜZℨ")
_BOLD = _alphabet(0x1D400, 0x1D41A, 0x1D7CE)

FONTS: dict[str, dict[str, str]] = {
    **dict.fromkeys(("mathbb", "Bbb", "mathds", "mathbbm"), _DOUBLE),
    **dict.fromkeys(("mathcal", "mathscr", "cal", "EuScript"), _SCRIPT),
    **dict.fromkeys(("mathfrak", "frak"), _FRAKTUR),
    **dict.fromkeys(("mathbf", "boldsymbol", "bm", "bf", "pmb", "mathbfit"), _BOLD),
}

PLAIN_FONTS = _names("mathrm mathit mathsf mathtt mathnormal mathup rm it sf tt")
"""Fonts that characters have no forms for."""

SWITCHES = _names("rm it sf tt bf cal frak")
"""Fonts that hold up to the end of the group."""

TEXTS = _names("text textrm textit textsf texttt textbf textnormal textup textsl textsc mbox hbox emph")

DROPPED = _names(
    """displaystyle textstyle scriptstyle scriptscriptstyle nonumber notag hline hdashline vline
    mathstrut strut big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm biggm Biggm ! tiny small
    normalsize large Large LARGE huge Huge allowbreak nobreak noindent centering protect relax
    scriptsize footnotesize qedhere /"""
)
DROPPED_WITH_ARGUMENT = _names("color vspace cline arraystretch require vphantom")
TRANSPARENT = _names(
    """mathbin mathrel mathord mathopen mathclose mathpunct mathinner vcenter rlap llap clap mathrlap mathllap
    mathclap ensuremath"""
)
SPACES = {
    ",": " ", ":": " ", ";": " ", ">": " ", " ": " ", "\n": " ", "\t": " ", "~": " ", "space": " ", "enspace": " ",
    "thinspace": " ", "quad": "  ", "qquad": "  ", "hfill": "  ", "phantom": " ",
    "hphantom": " ",
}  # fmt: skip
SPACES_WITH_ARGUMENT = frozenset({"phantom", "hphantom"})
NEGATED = {"=": "≠", "∈": "∉", "≡": "≢", "∼": "≁", "≈": "≉", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "⊂": "⊄",
           "⊆": "⊈", "∃": "∄", "|": "∤", "∥": "∦", "→": "↛", "⊢": "⊬", "⊨": "⊭", "≅": "≇", "∋": "∌"}  # fmt: skip

INTEGRALS = frozenset("∫∬∭⨌∮∯∰")
"""Big operators whose scripts stand beside them."""
LIMITED = _names("argmax argmin det gcd inf lim liminf limsup varliminf varlimsup max min Pr sup")
"""Functions whose scripts stand below them."""
SPOKEN = {"liminf": "lim inf", "limsup": "lim sup", "varliminf": "lim inf", "varlimsup": "lim sup",
          "argmax": "arg max", "argmin": "arg min"}  # fmt: skip
"""Functions written as two words."""
BRACES = _names("underbrace overbrace underbracket overbracket")
LONG_ARROWS = _pairs("""
xrightarrow ⟶ xleftarrow ⟵ xRightarrow ⟹ xLeftarrow ⟸ xleftrightarrow ⟷ xmapsto ⟼ xlongequal = xhookrightarrow ↪
xhookleftarrow ↩ xrightharpoonup ⇀ xleftharpoonup ↼ xrightleftharpoons ⇌ xleftrightharpoons ⇋ xtwoheadrightarrow ↠
xtwoheadleftarrow ↞
""")

BRACKETS = {
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"),
    "cases": ("{", ""),
    "dcases": ("{", ""),
    "rcases": ("", "}"),
}
"""Environments with brackets of their own."""
GRIDS = _names("matrix smallmatrix array subarray")
"""Environments of rows and columns without brackets."""
COLUMNS = {"cases": "l", "dcases": "l", "rcases": "l"}
"""How the columns of environments are set that are not centred."""
WITH_OPTION = _names("aligned alignedat gathered array split")
"""Environments that may say in square brackets where they stand."""
WITH_COLUMNS = _names("array subarray alignat alignedat")
"""Environments whose first argument says how many columns there are, and how they are set."""
STACKS = _names(
    """align aligned alignat alignedat flalign gather gathered split multline eqnarray equation displaymath
    math"""
)
"""Environments of lines one below the other; a column mark in them only aligns."""
DEFINING = _names("newcommand renewcommand providecommand def DeclareMathOperator let gdef edef newenvironment")
"""Commands that define others. A formula that holds one stays LaTeX."""
