from naturalproofs.records import Mention, Proof, Statement
from naturalproofs.wiki.duplicates import duplicates


def theorem(title: str, text: str, *proofs: str, cites: bool = True) -> Statement:
    mentions = (Mention("X", "x", 1),) if cites else ()
    return Statement(
        title, "theorem", title, title, (text,) if text else (), proofs=tuple(Proof((p,), mentions) for p in proofs)
    )


def test_same_proof_then_same_statement():
    found = duplicates(
        [
            theorem("C", "s1", "p1"),
            theorem("A", "s2", "p0", "p1"),
            theorem("B", "s3", "p3"),
            theorem("D", "s3", "p4"),
            theorem("E", "s1", "p5"),
        ]
    )
    assert found == {"C": "A", "D": "B"}


def test_only_examples_can_repeat():
    assert duplicates([theorem("A", "s", "p"), theorem("B", "s", "p", cites=False), theorem("C", "", "p")]) == {}
