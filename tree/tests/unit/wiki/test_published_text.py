"""Wikitext of published files, as it is shown."""

from naturalproofs.sources.wiki.paper import readable


def test_equations_are_aligned():
    text = (
        "{{begin-eqn}}\n{{eqn | l = \\sum_{i = 1}^{k} i^2\n | r = \\frac {k} {6}\n | c = [[Sum]]\n}}\n"
        "{{eqn | r = x^{2}\n}}\n{{end-eqn}}\n{{qed}}"
    )
    assert readable(text) == (
        "\\begin{align*}\n\\sum_{i = 1}^{k} i^2 &= \\frac {k} {6} & & \\text{[[Sum]]} \\\\\n&= x^{2} \n\\end{align*}\n"
    )


def test_headings_emphasis_and_templates():
    text = "== Proof ==\n'''bold''' and ''it'', {{Defof|Ring}}, {{AuthorRef|Euclid|Euclid}} {{tidy}}f''(x)"
    assert readable(text) == "\\textbf{Proof}\n\\textbf{bold} and \\emph{it}, Definition of Ring, Euclid f''(x)"


def test_text_without_markup_is_unchanged():
    assert readable("Let $f''(x) = y$.") == "Let $f''(x) = y$."


def test_templates_that_stand_for_a_phrase():
    assert readable("differentiable {{WRT|Differentiation}} $t$ {{iff}}") == (
        "differentiable with respect to $t$ if and only if"
    )
