r"""What packages define, for texts that load them: ``\div`` is a sign of division, but with physics a divergence.

Only commands that mean something else without the package, or nothing, are listed. The author's definitions win.
"""

import re
from collections.abc import Iterable, Mapping

_LOAD = re.compile(r"%[^\n]*+|\\(?:usepackage|RequirePackage)\s*+(?:\[[^\]]*+\]\s*+)?+\{([^{}]*+)\}")

_PHYSICS = r"""
\newcommand{\dv}{\physicsderivative{dv}}\newcommand{\derivative}{\physicsderivative{derivative}}
\newcommand{\partialderivative}{\pdv}\newcommand{\fdv}{\functionalderivative{fdv}}
\NewDocumentCommand{\dd}{o}{\,\mathrm{d}\IfNoValueF{#1}{^{#1}}}\newcommand{\var}{\delta}\newcommand{\variation}{\delta}
\newcommand{\qty}{\physicsquantity}\newcommand{\quantity}{\physicsquantity}
\newcommand{\grad}{\nabla}\newcommand{\gradient}{\nabla}\newcommand{\div}{\nabla\cdot}
\newcommand{\divergence}{\nabla\cdot}
\newcommand{\curl}{\nabla\times}\newcommand{\laplacian}{\nabla^2}
\newcommand{\vdot}{\cdot}\newcommand{\dotproduct}{\cdot}\newcommand{\cross}{\times}\newcommand{\cp}{\times}
\newcommand{\crossproduct}{\times}
\NewDocumentCommand{\vb}{sm}{\IfBooleanTF{#1}{\boldsymbol{#2}}{\mathbf{#2}}}
\NewDocumentCommand{\va}{sm}{\vec{\IfBooleanTF{#1}{\boldsymbol{#2}}{\mathbf{#2}}}}
\NewDocumentCommand{\vu}{sm}{\hat{\IfBooleanTF{#1}{\boldsymbol{#2}}{\mathbf{#2}}}}
\newcommand{\braket}{\physicsbraket{braket}}\newcommand{\ip}{\physicsbraket{ip}}
\newcommand{\innerproduct}{\physicsbraket{innerproduct}}
\newcommand{\ketbra}{\physicsketbra{ketbra}}\newcommand{\op}{\physicsketbra{op}}
\newcommand{\dyad}{\physicsketbra{dyad}}
\newcommand{\outerproduct}{\physicsketbra{outerproduct}}\newcommand{\expval}{\physicsexpectation{expval}}
\newcommand{\ev}{\physicsexpectation{ev}}
\newcommand{\expectationvalue}{\physicsexpectation{expectationvalue}}
\NewDocumentCommand{\mel}{smmm}{\langle #2|#3|#4\rangle}\NewDocumentCommand{\matrixel}{smmm}{\langle #2|#3|#4\rangle}
\NewDocumentCommand{\comm}{smm}{\left[#2,#3\right]}\NewDocumentCommand{\commutator}{smm}{\left[#2,#3\right]}
\NewDocumentCommand{\acomm}{smm}{\left\{#2,#3\right\}}\NewDocumentCommand{\anticommutator}{smm}{\left\{#2,#3\right\}}
\NewDocumentCommand{\pb}{smm}{\left\{#2,#3\right\}}\NewDocumentCommand{\poissonbracket}{smm}{\left\{#2,#3\right\}}
\NewDocumentCommand{\order}{sm}{\mathcal{O}\left(#2\right)}
\NewDocumentCommand{\eval}{sm}{\left.#2\right|}
\newcommand{\pmqty}[1]{\begin{pmatrix}#1\end{pmatrix}}
\newcommand{\bmqty}[1]{\begin{bmatrix}#1\end{bmatrix}}\newcommand{\vmqty}[1]{\begin{vmatrix}#1\end{vmatrix}}
\newcommand{\principalvalue}{\mathcal{P}}\newcommand{\pv}{\mathcal{P}}
\newcommand{\qq}[1]{\quad\text{#1}\quad}\newcommand{\qand}{\quad\text{and}\quad}\newcommand{\qor}{\quad\text{or}\quad}
\newcommand{\qif}{\quad\text{if}\quad}\newcommand{\qthen}{\quad\text{then}\quad}
\newcommand{\qfor}{\quad\text{for}\quad}
\newcommand{\qwhere}{\quad\text{where}\quad}\newcommand{\qwith}{\quad\text{with}\quad}
\newcommand{\qin}{\quad\text{in}\quad}
"""
PACKAGES: Mapping[str, str] = {
    "physics": _PHYSICS,
    "braket": r"\newcommand{\braket}[1]{\langle #1\rangle}\newcommand{\Braket}[1]{\left\langle #1\right\rangle}"
    r"\newcommand{\Bra}[1]{\left\langle #1\right|}\newcommand{\Ket}[1]{\left|#1\right\rangle}",
    "commath": r"\newcommand{\dif}{\mathrm{d}}\newcommand{\Dif}{\mathrm{D}}\newcommand{\od}{\physicsderivative{od}}"
    r"\newcommand{\pd}[3][]{\pdv[#1]{#2}{#3}}\newcommand{\del}[2][]{\left(#2\right)}"
    r"\newcommand{\sbr}[2][]{\left[#2\right]}\newcommand{\cbr}[2][]{\left\{#2\right\}}",
    "diffcoeff": r"\newcommand{\diff}{\physicsderivative{diff}}\newcommand{\diffp}{\pdv}\newcommand{\dl}{\mathrm{d}}",
    "tensor": r"\newcommand{\tensor}{\packagetensor{tensor}}\newcommand{\indices}{\packagetensor{indices}}",
    "siunitx": r"\newcommand{\num}{\packagenumber{num}}\newcommand{\ang}[1]{#1^\circ}",
    "mathpartir": r"\newcommand{\and}{\qquad}\NewDocumentCommand{\inferrule}{somm}{\IfBooleanTF{#1}"
    r"{\undecided{inferrule*}\IfValueT{#2}{[#2]}{#3}{#4}}{\IfValueT{#2}{\text{#2}\;}"
    r"\frac{\begin{gathered}#3\end{gathered}}{\begin{gathered}#4\end{gathered}}}}",
    "proof": r"\newcommand{\infer}[3][]{\frac{\begin{matrix}#3\end{matrix}}{#2}\;#1}",
    "complexity": r"\newcommand{\P}{\mathsf{P}}\newcommand{\L}{\mathsf{L}}\newcommand{\E}{\mathsf{E}}"
    r"\newcommand{\R}{\undecided{R}}",
    "esvect": r"\newcommand{\vv}[1]{\overrightarrow{#1}}",
}
"""LaTeX that defines the commands of each package."""


def loaded_packages(texts: Iterable[str]) -> list[str]:
    """The packages of the table that texts load, in order."""
    found: dict[str, None] = {}
    for text in texts:
        for match in _LOAD.finditer(text) if "package" in text.lower() else ():
            found.update((name.strip(), None) for name in (match[1] or "").split(",") if name.strip() in PACKAGES)
    return list(found)
