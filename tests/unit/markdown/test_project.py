"""Which files of a folder are read, in which order, and how blocks are recognised."""

from pathlib import Path

import pytest

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.load import build
from naturalproofs.errors import RulesUnsupported, SourceNotFound
from naturalproofs.sources.markdown.inline import find_keys
from naturalproofs.sources.markdown.markdown import MARKDOWN, count_statements
from support.folders import write_files


def read(folder: Path, files: dict[str, str]) -> Corpus:
    return build(MARKDOWN, write_files(folder, files), name="p")


def theorem(label: str, text: str = "Text.") -> str:
    return f"::: {{#thm-{label}}}\n{text}\n:::\n"


def labels(corpus: Corpus) -> list[str]:
    return [statement.label for statement in corpus.statements]


def test_a_folder_without_a_list_is_read_by_name(tmp_path: Path):
    files = {"b.md": theorem("b"), "index.md": theorem("i"), "a.md": theorem("a"), "README.md": theorem("readme")}
    assert labels(read(tmp_path, files)) == ["thm-i", "thm-a", "thm-b"]


def test_a_readme_is_read_if_there_is_nothing_else(tmp_path: Path):
    assert labels(read(tmp_path, {"README.md": theorem("readme")})) == ["thm-readme"]


def test_a_website_is_read_whole(tmp_path: Path):
    listing = "website:\n  navbar:\n    left:\n      - href: z.qmd\n"
    files = {"_quarto.yml": listing, "a.qmd": theorem("a"), "z.qmd": theorem("z")}
    assert labels(read(tmp_path, files)) == ["thm-z", "thm-a"]


def test_a_toc_without_suffixes(tmp_path: Path):
    listing = "format: jb-book\nroot: intro\nparts:\n- caption: One\n  numbered: true\n  chapters:\n  - file: part/b\n"
    files = {"_toc.yml": listing, "intro.md": "# Hello\n", "part/b.md": theorem("b"), "part/a.md": theorem("a")}
    corpus = read(tmp_path, files)
    assert labels(corpus) == ["thm-b"]


def test_a_list_does_not_lead_outside(tmp_path: Path):
    write_files(tmp_path, {"secret.qmd": theorem("secret")})
    include = "{{< include ../../secret.qmd >}}\n"
    files = {"_quarto.yml": "book:\n  chapters: [../secret.qmd, a.qmd]\n", "a.qmd": include + theorem("a")}
    loaded = read(tmp_path / "book", files)
    assert labels(loaded) == ["thm-a"]
    assert [one.rule for one in loaded.diagnostics] == ["missing-file"]


def test_files_that_include_each_other(tmp_path: Path):
    files = {
        "a.qmd": "{{< include b.qmd >}}\n" + theorem("a"),
        "b.qmd": "{{< include a.qmd >}}\n" + theorem("b"),
    }
    assert labels(read(tmp_path, files)) == ["thm-b", "thm-a"]


def test_a_folder_without_markdown(tmp_path: Path):
    with pytest.raises(SourceNotFound, match="no Markdown files here"):
        read(tmp_path, {"a.txt": ""})


def test_there_are_no_rules_of_the_paper(tmp_path: Path):
    write_files(tmp_path, {"a.md": theorem("a")})
    with pytest.raises(RulesUnsupported):
        build(MARKDOWN, tmp_path, name="p", rules="paper")


def test_a_file_that_is_not_utf_8(tmp_path: Path):
    (tmp_path / "a.md").write_bytes("::: {#thm-a}\nMöbius\n:::\n".encode("latin-1"))
    loaded = build(MARKDOWN, tmp_path, name="p")
    assert loaded.statements[0].lines == ("Möbius",)
    assert [one.rule for one in loaded.diagnostics] == ["encoding"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("::: {.theorem #a}\nx\n:::", [("theorem", "thm:a", "x")]),
        (":::{prf:lemma} T\n:label: a\nx\n:::", [("lemma", "a", "x")]),
        (":::{prf:lemma}\n---\nlabel: a\n---\nx\n:::", [("lemma", "a", "x")]),
        ("::::{prf:lemma}\n:label: a\nx\n:::{note}\ny\n:::\n::::", [("lemma", "a", "x|y")]),
        ("```{lemma, a, echo=FALSE}\nx\n```", [("lemma", "lem:a", "x")]),
        ("::: {#thm-a .callout-tip}\nx\n:::", [("theorem", "thm-a", "x")]),
        ('<div class="lemma" id="a" title="T">\nx\n</div>', [("lemma", "lem:a", "x")]),
        ('<div class="box">\n<div class="lemma" id="a">x</div>\n</div>\ny', [("lemma", "lem:a", "x")]),
        ("> ::: {#thm-a}\n> x\n> :::", [("theorem", "thm-a", "> x")]),
        ("::: {#thm-a}\nx", [("theorem", "thm-a", "x")]),
        ("::: {#thm-a}\n```\n::: {#thm-b}\n```\nx\n:::", [("theorem", "thm-a", "x")]),
        ("$$\n::: {#thm-a}\n$$\n::: {#thm-b}\nx\n:::", [("theorem", "thm-b", "x")]),
        ("\\begin{lem}\\label{a}\nx\n\\end{lem}", [("lemma", "a", "x")]),
        (
            '{{% theorem label="a" %}}\nx\n\ny {{< ref "b.md" >}}\n{{% /theorem %}}',
            [("theorem", "a", 'x|y {{< ref "b.md" >}}')],
        ),
        ('{{< lemma id="a" >}}x{{< /lemma >}} y', [("lemma", "a", "x")]),
        ('{% def label="a" %}\nx {% enddef %}\ny', [("def", "a", "x")]),
        (
            '{{% lemma id="a" %}}\n{{% hint %}}\nx\n{{% /hint %}}\n{{% /lemma %}}',
            [("lemma", "a", "{{\\% hint \\%}}|x|{{\\% /hint \\%}}")],
        ),
        ('{{< theorem id="a" >}}\nx', [("theorem", "a", "x")]),
    ],
)
def test_blocks(tmp_path: Path, text: str, found: list[tuple[str, str, str]]):
    corpus = read(tmp_path, {"a.md": text})
    assert [(s.form, s.label, "|".join(s.lines)) for s in corpus.statements] == found


def test_a_tag_of_a_generator_of_sites_may_give_a_title_and_a_number(tmp_path: Path):
    gauss = '{{% theorem name="Gauss" index="1.6" %}}\nx\n{{% /theorem %}}\n{{% proof %}}y{{% /proof %}}\n'
    text = gauss + '{{< lemma "Bézout" >}}\nz\n{{< /lemma >}}'
    corpus = read(tmp_path, {"a.md": text})
    assert [(s.title, s.number, len(s.proofs)) for s in corpus.statements] == [("Gauss", "1.6", 1), ("Bézout", "1", 0)]


def test_a_number_may_stand_before_the_word_in_bold_type(tmp_path: Path):
    text = "**3.4 Lemma** x\n\n**3.5 Theorem (Gauss).**\nBy Lemma 3.4.\n\n**3.6 Theorem C and its history**\n\ny"
    corpus = read(tmp_path, {"a.md": text})
    assert [(s.form, s.number, s.title) for s in corpus.statements] == [
        ("lemma", "3.4", ""),
        ("theorem", "3.5", "Gauss"),
    ]


def test_the_same_key_twice_in_a_line():
    found = [(one.key, one.column, one.is_certain) for one in find_keys("@thm-ab, @thm-a, @thm-a, [x](#own), @own")]
    assert found == [
        ("thm-ab", 2, True),
        ("thm-a", 11, True),
        ("thm-a", 19, True),
        ("own", 31, False),
        ("own", 38, False),
    ]


def test_keys_where_they_are_written():
    text = (
        "# H {#sec-h}\n\n::: {#thm-a}\nBy @lem-b and @knuth.\n:::\n```\n@thm-code\n```\n(t)=\n{ref}`t`, \\@ref(thm:c)"
    )
    found = [(one.key, one.line, one.column, one.is_label) for one in find_keys(text)]
    assert found == [
        ("sec-h", 1, 7, True),
        ("thm-a", 3, 7, True),
        ("t", 9, 2, True),
        ("lem-b", 4, 5, False),
        ("knuth", 4, 16, False),
        ("t", 10, 7, False),
        ("thm:c", 10, 17, False),
    ]


def test_a_figure_of_myst_is_shown_with_its_caption(tmp_path: Path):
    (tmp_path / "index.md").write_text(
        ":::{prf:lemma}\n:label: b\n\nx\n\n```{figure} images/t.svg\n:name: fig\n\nThe caption.\n```\n:::\n"
    )
    statement = build(MARKDOWN, tmp_path, name="m").statements[0]
    assert statement.lines == (
        "x",
        "\\begin{figure}\\includegraphics{images/t.svg}\\end{figure}",
        "The caption.",
    )


BOXES = {
    "callout": "> [!theorem] Theorem 2.1: Sums\n> Any $x$\n> is good.\n^sums\n\n> [!proof]-\n> By [[Note#^sums|it]].\n",
    "docusaurus": ":::info[Theorem 2.1: Sums]{#sums}\nAny $x$\nis good.\n:::\n\n:::tip[Proof]\nBy [it](#sums).\n:::\n",
    "admonition": "(sums)=\n:::{admonition} Theorem 2.1: Sums\n:class: tip\nAny $x$\nis good.\n:::\n\n"
    "```{admonition} Proof\nBy {ref}`it <sums>`.\n```\n",
    "mkdocs": '!!! theorem "Theorem 2.1 (Sums)"\n    Any $x$\n\n    is good.\n\n??? proof\n    Clear.\n\nText.\n',
}


@pytest.mark.parametrize("kind", BOXES)
def test_a_box_is_a_statement_by_its_name_or_by_its_title(tmp_path: Path, kind: str):
    corpus = read(
        tmp_path, {"a.md": f"> [!note] Read this\n> first.\n\n:::warning[Attention]\nNo.\n:::\n\n{BOXES[kind]}"}
    )
    (found,) = corpus.statements
    assert (found.kind, found.form, found.number, found.title) == ("theorem", "theorem", "2.1", "Sums")
    assert found.lines == ("Any $x$", "is good.")
    (proof,) = found.proofs
    if kind != "mkdocs":
        assert found.label == "sums"
        assert [mention.target for mention in proof.mentions] == ["sums"]


def test_a_title_says_what_it_is_or_a_box_is_no_statement(tmp_path: Path):
    titles = ("Definition of a limit", "Example of a call", "Example 3", "定理：LOTUS", "指示関数の定理", "Warning: 2")
    text = "".join(f":::note[{title}]\nText of {title}.\n:::\n" for title in titles)
    found = [(one.form, one.number, one.title) for one in read(tmp_path, {"a.md": text}).statements]
    assert found == [("definition", "1", "Definition of a limit"), ("example", "3", ""), ("theorem", "1", "LOTUS")]


def test_headings_begin_statements_and_proofs(tmp_path: Path):
    text = "# Theorem of Pythagoras\n\n## Definitions\nOf all.\n\n## Theorem 2.1 (Sums) {#sums}\nAny $x$.\n"
    text += "### Proof\nClear.\n\n## 命題：期待値\n$X$.\n\n### 証明\n$Y$.\n\n## Example: a call\nNone.\n\n"
    text += "## Exercise 3\nShow it.\n\n## End\nText.\n\n"
    text += f"## Proofs and theorems\nThey follow.\n\n{theorem('last', 'Z.')}"
    found = read(tmp_path, {"a.md": text}).statements
    assert [(one.form, one.number, one.title, one.lines, len(one.proofs)) for one in found] == [
        ("theorem", "2.1", "Sums", ("Any $x$.",), 1),
        ("proposition", "", "期待値", ("$X$.",), 1),
        ("exercise", "3", "", ("Show it.",), 0),
        ("theorem", "1", "", ("Z.",), 0),
    ]
    assert found[0].label == "sums"


BOLD = """# Groups

**Definition 1.** A *group* is a set.

**Theorem 2 (Lagrange).** *The order of a subgroup divides*

$$|G| = |H|\\cdot |G/H|,$$

where $H$ is a subgroup.

This is no part of it.

*Proof.* By Definition 1.

It has two paragraphs. $\\square$

Neither is this.

__Lemma__ (Zorn): Something.

**Example.** A call.

> **Satz 4** Zitiert.
>
> **Beweis:** Nach Satz 4 und Theorem 2. ∎

**Proof of Theorem 2** (another one): by counting.

## Next

**Theorem provers** are programs, and **Lemma 3** is none.
"""


def test_paragraphs_that_begin_with_a_heading_are_statements_and_proofs(tmp_path: Path):
    found = read(tmp_path, {"a.md": BOLD}).statements
    assert [(one.form, one.number, one.title, len(one.proofs)) for one in found] == [
        ("definition", "1", "", 0),
        ("theorem", "2", "Lagrange", 2),
        ("lemma", "", "Zorn", 0),
        ("example", "", "", 0),
        ("satz", "4", "", 1),
    ]
    assert found[1].lines[-1] == "where $H$ is a subgroup."
    first, second = found[1].proofs
    assert (first.lines[-1], second.lines) == ("It has two paragraphs. $\\square$", ("by counting.",))
    assert [mention.target for mention in first.mentions] == [found[0].label]
    assert [mention.target for mention in found[4].proofs[0].mentions] == [found[4].label, found[1].label]


def test_bold_words_are_no_statements_where_the_author_uses_boxes_or_states_nothing(tmp_path: Path):
    boxes = "".join(theorem(str(number)) for number in range(3))
    manual = "**Example:** call it.\n\n**Problem:** none.\n\n**Solution:** none.\n"
    assert labels(read(tmp_path, {"a.md": f"{boxes}\n**Definition.** Words.\n", "b.md": manual})) == [
        "thm-0",
        "thm-1",
        "thm-2",
    ]


def test_raw_latex_is_read(tmp_path: Path):
    proof = "\\begin{proof}\nPor \\ref{u}.\n\\end{proof}\n"
    raw = f"```{{=latex}}\n\\begin{{teorema}}[Uno]\\label{{t}}\nX.\n{proof}\\end{{teorema}}\n```\n"
    code = "```latex\n\\begin{teorema}\nCode.\n\\end{teorema}\n```\n"
    (found,) = read(tmp_path, {"a.md": raw + code}).statements
    assert (found.label, found.title, found.lines, len(found.proofs)) == ("t", "Uno", ("X.",), 1)


def test_a_box_in_a_box_is_closed_with_it(tmp_path: Path):
    text = "> [!note]\n> > [!Satz] Basis\n> > Es gibt eine.\n> Ende.\n\n> [!lemma]\n> Ja.\n"
    assert [(one.form, one.title, one.lines) for one in read(tmp_path, {"a.md": text}).statements] == [
        ("satz", "Basis", ("Es gibt eine.",)),
        ("lemma", "", ("Ja.",)),
    ]


def test_statements_are_counted_as_they_are_read(tmp_path: Path):
    files = {f"{kind}.md": text for kind, text in BOXES.items()} | {"z.md": "```{code}\n> [!theorem]\n```\n"}
    folder = write_files(tmp_path, files)
    assert count_statements(folder) == dict.fromkeys(files, 1) | {"z.md": 0}


@pytest.mark.parametrize(
    "text",
    [
        ">" * 100_000 + "[!theorem] X",
        " " * 100_000 + "!!! theorem",
        "> [!lemma]\n" * 20_000,
        "## Proof\n" * 20_000,
        "(a)=\n## Lemma 1\n(b)=\n::: {.lemma}\n:::\n" * 10_000,
    ],
)
def test_hostile_boxes_are_read_in_bounded_time(tmp_path: Path, text: str):
    corpus = read(tmp_path, {"a.md": text + "\n\n" + theorem("x")})
    assert "thm-x" in labels(corpus)
