"""Prose: what a browser gets of what an author wrote."""

import pytest

from naturalproofs.sources.latex import macros_of
from naturalproofs.sources.latex.display import Formulas, Prose, plain_unicode

MACROS = macros_of([r"\newcommand{\lref}[1]{Lemma~\ref{lem:#1}} \newcommand{\term}[1]{\emph{#1}}"])


def link(key: str, command: str, shown: str | None) -> str | None:
    return f"<a>{shown or key}</a>" if key.startswith("lem:") else None


def html(source: str) -> str:
    return Prose(Formulas(MACROS), link).render(source)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"A \emph{ring} is $x$.", "A <em>ring</em> is <math><mi>x</mi></math>."),
        (r"{\bf bold} plain", "<strong>bold</strong> plain"),
        ("``quoted'' -- dash~space", "“quoted” – dash\u00a0space"),
        (r"Schr\"oder, Erd\H{o}s, \L o\'s, B\'ezout", "Schröder, Erdős, Łoś, Bézout"),
        (r"see \cref{lem:a, lem:b}", "see <a>lem:a</a>, <a>lem:b</a>"),
        (r"see \ref{sec:x}", 'see <code class="tex">sec:x</code>'),
        (r"\hyperref[lem:a]{this \emph{lemma}}", "<a>this <em>lemma</em></a>"),
        (r"\lref{zorn}", "Lemma\u00a0<a>lem:zorn</a>"),
        (r"a \term{field}", "a <em>field</em>"),
        (r"\begin{enumerate}\item[(a)] one \item[(b)] two\end{enumerate}",
         '<ol><li class="own"><span class="mark">(a)</span> one</li>'
         '<li class="own"><span class="mark">(b)</span> two</li></ol>'),
        (r"\[ x \]", '<math display="block"><mi>x</mi></math>'),
        (r"a \nosuch{thing} here",
         'a <span class="unknown" title="\\nosuch is not understood">thing</span> here'),
        (r"a \nosuch{one}{two} and \other here",
         'a <span class="unknown" title="\\nosuch is not understood">one two</span> and '
         '<code class="tex command">\\other</code> here'),
        (r"\lstinline[language=C]{a_b} \mintinline{c}|x_1|", "<code>a_b</code> <code>x_1</code>"),
        (r"x\label{a}\index{b}\uses{c}\lean{D.e}\leanok{} y\pagebreak[2]", "x y"),
        (r"\ensuremath{x} and \alpha", "<math><mi>x</mi></math> and <math><mi>α</mi></math>"),
        ('ein $R$"=Modul', "ein <math><mi>R</mi></math>-Modul"),
        (r"$x \text{ if $y$ and } z$", "<math><mrow><mi>x</mi><mrow><mtext>\u00a0if\u00a0</mtext><mi>y</mi>"
         "<mtext>\u00a0and\u00a0</mtext></mrow><mi>z</mi></mrow></math>"),
        ("<script>alert(1)</script> & more", "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more"),
        (r"\href{javascript:alert(1)}{here}", "here"),
        (r"see \url{https://a.b/c_d?e=<f>}.", "see https://a.b/c_d?e=&lt;f&gt;."),
        (r"100\% of \$5 \& more % a comment", "100% of $5 &amp; more"),
        (r"known \cite[Thm~2]{Lang}", 'known [<span class="cite">Lang</span>, Thm\u00a02]'),
        (r"costs 5$ only", "costs 5$ only"),
        (r"$a \overset{\cref{lem:a}}{=} b$",
         "<math><mrow><mi>a</mi><mover><mo>=</mo><mtext><a>lem:a</a></mtext></mover><mi>b</mi></mrow></math>"),
        (r"the \hypertarget{a}{compact \emph{set}}", "the compact <em>set</em>"),
        (r"\begin{multicols}{2}a\end{multicols}", "<div>a</div>"),
        (r"\paragraph*{Case 1:} $x$.", "<strong>Case 1:</strong> <math><mi>x</mi></math>."),
        (r"a \input{lost} b",
         'a <details class="source"><summary>File: lost</summary><pre class="tex">\\input{lost}</pre></details> b'),
        ("see \\cref{%\n  lem:a}", "see <a>lem:a</a>"),
        (r"\begin{minipage}[t][2cm]{0.5\textwidth}a\end{minipage}", "<div>a</div>"),
        (r"\begin{adjustwidth}{1cm}{2cm}a\end{adjustwidth}", "<div>a</div>"),
        (r"\begin{spacing}a\end{spacing}", "<div>a</div>"),
    ],
)  # fmt: skip
def test_prose(source: str, shown: str) -> None:
    assert html(source).replace("&#x27;", "'") == shown.replace(
        "'", "’" if "&lt;" not in shown and "<" not in shown else "'"
    )


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"\glqq Satz\grqq{} und \glq Satz\grq{}", "„Satz“ und ‚Satz‘"),
        (r"\flqq Satz\frqq, \guillemotleft a\guillemotright", "«Satz», «a»"),
        (r"\og texte\fg{} et \og texte \fg suite", "« texte » et « texte » suite"),
        (r"\uv{věta $x$} \dq a\dq", '„věta x“ "a"'),
        (
            r"le 1\ier{}, 2\ieme{} et 1\up{er}, \no~3 de \bsc{Serre}, \nombre{1234}",
            "le 1er, 2e et 1er, n° 3 de Serre, 1234",
        ),
        (r"\selectlanguage{german}Text \foreignlanguage{english}{text}", "Text text"),
        (r"\begin{otherlanguage}{english}Text.\end{otherlanguage}", "Text."),
        (r"{\heiti 定理} \ruby{数}{すう}", "定理 数"),
        (r"\DJ or\dj e", "Đorđe"),
    ],
)
def test_typography_of_languages(source: str, shown: str) -> None:
    assert plain_unicode(source, {}) == shown


def test_what_cannot_be_read_is_shown_as_source() -> None:
    assert html(r"\begin{enumerate}\item <b>") == r'<pre class="tex">\begin{enumerate}\item &lt;b&gt;</pre>'


def test_nested_lists_keep_their_items() -> None:
    nested = r"\begin{itemize}\item a \begin{enumerate}\item b\item c\end{enumerate}\item d\end{itemize}"
    assert html(nested) == "<ul><li>a <ol><li>b</li><li>c</li></ol></li><li>d</li></ul>"


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (r"B\'ezout", "Bézout"),
        (r"Weierstrass $M$-test", "Weierstrass M-test"),
        (r"The group $\mathbb{Z}/n\mathbb{Z}$", "The group ℤ/nℤ"),
        (r"$x^2 + x_1 \leq \alpha$", "x² + x₁ ≤ α"),
        (r"Picard--Lindel\"of", "Picard–Lindelöf"),
        (r"By \cref{lem:a} we are done", "By … we are done"),
        (r"$\Mor_\mathcal{C}(X, Y) \mid \Spec(R)$", "Mor_𝒞(X, Y) | Spec(R)"),
        (r"$\Bigl( x \Bigr)$", "(x)"),
        (r"$\widetilde{M} \hat f \overline{AB}$", "M\u0303f\u0302 overline(AB)"),
        (r"$a^{n/d} R^{\oplus n} x_{i, j} \mathcal{O}_X M$", "a^(n/d)R^(⊕n)x_(i,j)𝒪_X M"),
        (r"$a \not\equiv b$", "a ≢ b"),
        (r"$\abs{G} = [G:H]\cdot\abs{H}$", "|G| = [G : H] ⋅ |H|"),
        (r"$\{gx\}$", "{gx}"),
        (r"$\int_a^b f(x)\,dx$", "∫ₐᵇ f(x) dx"),
        (r"$\nicefrac1n + \frac{a+b}{cd} + \frac{f(x)}{2}$", "1/n + (a + b)/(cd) + f(x)/2"),
        (r"$f\colon A\to B$ and $A:=-1$", "f: A → B and A := −1"),
        (r"$\sqrt2 + \sqrt[3]{x+1}$", "√2 + ³√(x + 1)"),
        (r"$\binom{n}{k}$", "binom(n, k)"),
        (r"$\sum_{i=1}^n a_i$", "∑ᵢ₌₁ⁿ aᵢ"),
        (r"$\lim_{x\to 0}\sin x$", "lim_(x→0) sin x"),
        (r"$\begin{pmatrix}1&2\\3&4\end{pmatrix}$", "(1 2; 3 4)"),
        (r"$\begin{cases}1 & x>0\\0 & \text{else}\end{cases}$", "{1, x > 0; 0, else}"),
        (r"$x \xrightarrow{f} y \stackrel{g}{\to} z$", "x →ᶠ y →ᵍ z"),
        (r"$\nosuch{a} + b$", r"\nosuch{a} + b"),
        (r"$\mathrm{rank} A$ and $\mathfrak{m}_AB$", "rank A and 𝔪_A B"),
        (r"\begin{enumerate}\item one\item[(b)] two\end{enumerate}", "(1) one (b) two"),
        (r"Before\footnote{a note} after \cite[Theorem 3]{EGA}.", "Before after [EGA, Theorem 3]."),
        (r"A \begin{tikzcd} A \ar[r] & B \end{tikzcd} commutes", "A [diagram] commutes"),
        (r"\begin{figure}\includegraphics{a.pdf}\caption{A \emph{knot}}\end{figure}", "[figure: A knot]"),
        ("cut short\\", "cut short\\"),
    ],
)
def test_plain_titles(source: str, plain: str) -> None:
    assert plain_unicode(source, {}) == plain


@pytest.mark.parametrize(
    ("definition", "shown"),
    [
        (r"\newcommand\X[1][]{\ifx&#1& a\else b_{#1}\fi}", "a = bₖ"),
        (r"\newcommand\X[1][]{\ifx\relax#1\relax a\else b_{#1}\fi}", "a = bₖ"),
        (r"\newcommand\X[1][]{\if\relax\detokenize{#1}\relax a\else b_{#1}\fi}", "a = bₖ"),
        (r"\newcommand\X[1][]{\if!#1!a\else b_{#1}\fi}", "a = bₖ"),
        (r"\newcommand\X[1][]{\ifthenelse{\equal{#1}{}}{a}{b_{#1}}}", "a = bₖ"),
        (r"\newcommand\X[1][]{\ifstrempty{#1}{a}{b_{#1}}}", "a = bₖ"),
        (r"\newcommand\X[1][\empty]{\ifx#1\empty a\else b_{#1}\fi}", "a = bₖ"),
        (r"\newcommand\X[1][]{\ifdraft a\else b_{#1}\fi}", r"\X = \X[k]"),
        (r"\newcommand\X[1][]{\ifx&#1& a\else\ifodd\n b\fi\fi}", r"a = \X[k]"),
        (r"\newcommand\X[1][]{\def\t{#1}\ifx\t\empty a\else b_{#1}\fi}", r"\X = \X[k]"),
    ],
)
def test_macros_that_ask_for_their_arguments_are_shown_if_every_test_is_decided(definition, shown):
    assert plain_unicode(r"$\X=\X[k]$", macros_of([definition])) == shown


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"\frac{a}{b}^2", "(a/b)²"),
        (r"\sqrt{x}^2", "(√x)²"),
        (r"\sqrt{2}x+\sqrt{12}y", "√2 x + √12 y"),
        (r"\operatorname{arccot}\frac{ab-1}{a+b}", "arccot ((ab − 1)/(a + b))"),
        (r"\log_2 \frac ab", "log₂ (a/b)"),
        (r"T^*_{\bar p}", "T_p̄^*"),
        (r"S^*_p", "Sₚ*"),
    ],
)
def test_one_line_does_not_change_what_a_sign_applies_to(formula, text):
    assert plain_unicode(f"${formula}$", {}) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            r"\begin{empheq}[left=A=\empheqlbrace]{align} & O, && a \label{x}\\ & P, && b\end{empheq}",
            "A = {O, a; P, b}",
        ),
        (r"\begin{empheq}[box=\fbox]{equation*} a=b \end{empheq}", "a = b"),
        (r"\begin{empheq}[right=\empheqrbrace]{alignat=2} a&=b \\ c&=d\end{empheq}", "a = b; c = d}"),
        (r"\begin{subequations}\begin{numcases}{f=} a & b\\ c& d\end{numcases}\end{subequations}", "f = {a, b; c, d}"),
    ],
)
def test_environments_with_something_beside_them(source: str, text: str) -> None:
    assert plain_unicode(source, {}) == text


def test_letters_as_relations_have_space_around_them() -> None:
    assert plain_unicode(r"$\neg s \mathrel{\mathcal R} t \mathbin{T} u$", {}) == "¬s ℛ t T u"
    assert plain_unicode(r"$a \mathrel{\mathop:}= b$", {}) == "a := b"
    assert plain_unicode(r"$\bigl\{f(x)\bigm|x\bigr\}$", {}) == "{f(x) | x}"
    assert plain_unicode(r"$x\mapstochar\longrightarrow y_{a~b}$", {}) == "x ⟼ y_(a b)"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\begin{IEEEeqnarray*}{rCl} x^2 &=& y \\ &\le& z \IEEEnonumber\end{IEEEeqnarray*}", "x² = y ≤ z"),
        (r"\begin{dmath*} x_1 = \frac12 \end{dmath*}", "x₁ = 1/2"),
        (r"\begin{xxalignat}{2} a&=b\end{xxalignat}", "a = b"),
        (r"\begin{subequations} First \begin{equation}a=b\end{equation}\end{subequations}", "First a = b"),
        (r"see \url{http://a.b/c%20d} and \href{http://a/%7Eb}{there}", "see http://a.b/c%20d and there"),
        (r"\be x=1 \ee and", "x = 1 and"),
        (r"x \end{eqn} y", "x y"),
        (r"\begin{enumerate}\renewcommand{\labelenumi}{(\alph{enumi})}\item x\item y\end{enumerate}", "(a) x (b) y"),
        (r"\begin{enumerate}[label=\bfseries\alph*)]\item x\end{enumerate}", "a) x"),
        (r"\begin{list}{(\roman{c})}{\usecounter{c}}\item x\item y\end{list}", "(i) x (ii) y"),
        (r"\begin{list}{--}{}\item x\end{list}", "– x"),
        (r"\begin{itemize}[label=$\star$]\item x\end{itemize}", "⋆ x"),
        (r"\newcommand{\zz}{y}{\renewcommand{\zz}{z}\zz} \zz", "z y"),
    ],
)
def test_environments_and_lists_of_texts(source: str, text: str) -> None:
    macros = macros_of([r"\def\be{\begin{equation}}\def\ee{\end{equation}}"])
    assert plain_unicode(source, macros) == text


def test_a_formula_links_its_references_in_each_text() -> None:
    formulas = Formulas({})
    source = r"$a \stackrel{\ref{lem:a}}{=} b$"
    first = Prose(formulas, lambda *_: "<a>1</a>").render(source)
    second = Prose(formulas, lambda *_: "<a>2</a>").render(source)
    assert ("<a>1</a>" in first, "<a>2</a>" in second) == (True, True)


def test_many_switches_in_one_group_are_shown() -> None:
    """Each holds to the end of the group; more than a few at once are not nested."""
    made = html(r"\bf a \it b " * 2000)
    assert made.count("a ") == made.count("b ") == 2000
    assert html(r"\bf a \it b") == "<strong>a <em>b</em></strong>"


@pytest.mark.parametrize("piece", [r"\\[", r"\cite[", "${$", r"\(", r"\verb|", r"\alpha_\mqty("])
def test_what_is_never_closed_is_shown_as_far_as_it_goes(piece: str) -> None:
    assert "closed" in html(f"{piece} never closed")


@pytest.mark.parametrize(
    "assignment",
    [
        r"\parindent=0pt",
        r"\parindent 1.5em",
        r"\leftskip=\parindent",
        r"\baselineskip = 1.2\baselineskip",
        r"\parskip 3pt plus 1pt minus .5pt",
        r"\hangindent=2em\hangafter=1",
        r"\looseness=-1",
        r"\tolerance 1000",
        r"\penalty-50",
    ],
)
def test_an_assignment_to_a_parameter_of_tex_prints_nothing(assignment: str) -> None:
    assert html(f"Let {assignment} $x$ be.") == "Let <math><mi>x</mi></math> be."


def test_a_parameter_without_a_value_is_kept() -> None:
    assert plain_unicode(r"the \parindent\emph{is}", {}) == r"the \parindentis"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\begin{enumerate} zero, and \item one \item two\end{enumerate}", "zero, and (1) one (2) two"),
        (r"\begin{itemize}[nosep] Either $x$ or \item one\end{itemize}", "Either x or • one"),
        (r"\begin{enumerate}[(i)]\setlength{\itemsep}{0pt} \item one\end{enumerate}", "(i) one"),
        (r"\begin{enumerate}\itemsep0pt\parskip=0pt\setcounter{enumi}{3} \item one\end{enumerate}", "(4) one"),
        (r"\begin{enumerate}\renewcommand{\labelenumi}{\alph{enumi})} \item one\end{enumerate}", "a) one"),
    ],
)
def test_text_before_the_first_item_is_kept(source: str, text: str) -> None:
    assert plain_unicode(source, {}) == text


def test_space_between_two_parts_of_a_line_is_kept() -> None:
    source = r"one\quad two \qquad three"
    assert html(source) == "one\u2003two \u2003\u2003three"
    assert plain_unicode(source, {}) == "one\u2003two\u2003three"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"le 1\ier{} cas, le 2\ieme, la $n$\ieme", "le 1er cas, le 2e, la ne"),
        (r"the same, \ie equal", r"the same, \ie equal"),
        (r"the same (\ie equal)", r"the same (\ie equal)"),
        (r"\ie", r"\ie"),
        (r"in 100\% of cases", "in 100% of cases"),
    ],
)
def test_an_ordinal_stands_behind_a_number(source: str, text: str) -> None:
    assert plain_unicode(source, {}) == text


def test_space_after_macros_and_operators() -> None:
    macros = macros_of([r"\newcommand{\uset}{\ensuremath{A}\xspace}\newcommand{\al}{\alpha}"])
    assert plain_unicode(r"x \uset, \uset y (\uset) $\al x$", macros) == "x A, A y (A) αx"
    assert plain_unicode(r"$\operatorname{NC} = P$", {}) == "NC = P"
    assert plain_unicode(r"$V \diagup U$", {}) == "V ╱ U"


def test_a_comment_between_a_test_and_its_branch() -> None:
    macros = macros_of(["\\NewDocumentCommand\\q{t{!}}{\\exists\\IfBooleanTF{#1} a % yes\n b % no\n}"])
    assert plain_unicode(r"$\q x$ $\q! x$", macros) == "∃bx ∃ax"


def test_a_meaning_that_is_given_back() -> None:
    macros = macros_of([r"\let\oldmathbb\mathbb" + "\n" + r"\let\mathbb\oldmathbb" + "\n"])
    assert plain_unicode(r"$\mathbb{R}$", macros) == "ℝ"
