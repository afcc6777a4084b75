"""Prose: what a browser gets of what an author wrote."""

import pytest

from naturalproofs.latex.display import Formulas, Prose, plain_unicode, read_macros

MACROS = read_macros([r"\newcommand{\lref}[1]{Lemma~\ref{lem:#1}} \newcommand{\term}[1]{\emph{#1}}"])


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
        (r"\begin{enumerate}\item one \item[(b)] two\end{enumerate}",
         '<ol><li>one</li><li class="own"><span class="mark">(b)</span> two</li></ol>'),
        (r"\[ x \]", '<math display="block"><mi>x</mi></math>'),
        (r"$\xymatrix{A}$", r'<code class="tex">\xymatrix{A}</code>'),
        ("<script>alert(1)</script> & more", "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more"),
        (r"\href{javascript:alert(1)}{here}", "here"),
        (r"see \url{https://a.b/c_d?e=<f>}.", "see https://a.b/c_d?e=&lt;f&gt;."),
        (r"100\% of \$5 \& more % a comment", "100% of $5 &amp; more"),
        (r"known \cite[Thm~2]{Lang}", 'known [<span class="cite">Lang</span>, Thm\u00a02]'),
        (r"costs 5$ only", "costs 5$ only"),
    ],
)  # fmt: skip
def test_prose(source: str, shown: str) -> None:
    assert html(source).replace("&#x27;", "'") == shown.replace(
        "'", "’" if "&lt;" not in shown and "<" not in shown else "'"
    )


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
        (r"$\Bigl( x \Bigr)$", "( x )"),
        (r"$\widetilde{M} \hat f \overline{AB}$", "M\u0303 f\u0302 AB"),
        (r"$a^{n/d} R^{\oplus n} x_{i, j} M_{uv} \mathcal{O}_X$", "a^(n/d) R^(⊕ n) x_(i, j) M_uv 𝒪_X"),
        ("cut short\\", "cut short\\"),
    ],
)
def test_plain_titles(source: str, plain: str) -> None:
    assert plain_unicode(source, {}) == plain
