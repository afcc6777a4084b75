"""What authors write where they use, announce, prove or dismiss a result, in the languages of `latex.kinds`.

Each pattern is an alternation of regular expressions; a word of a list matches without regard to case.
"""

from __future__ import annotations

import re


def _any(*alternatives: str, before: str = "", after: str = "") -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(alternatives)}){after}", re.IGNORECASE)


ANNOUNCED = _any(
    r"\b(?:below|later|following|next|subsequent\w*|postpon\w*|defer\w*|modulo|shall|will|appendix|afterwards)\b",
    r"\b(?:unten|später|folgend\w*|nächst\w*|wird|werden)\b",
    r"\b(?:suivant\w*|plus loin|ci-dessous|sera|seront|verrons|voir|lire|pas encore)\b",
    r"\b(?:siguiente|más adelante|seguente|più avanti|abaixo|seguinte|poniżej|następn\w*)\b",
    "далее|ниже|следующ|позже",
    "下面|以下|后面|之后|将|见|详见",
)
"""A result that comes later is announced as such."""

ASIDE = _any(
    r"\b(?:compare|cf|analog\w*|similar\w*|same (?:idea|argument|way|method|proof|reasoning))\b",
    r"\b(?:generali[sz]\w*|converse\w*|special case|subsum\w*|alternativ\w*|instead|in contrast|unlike|recover\w*)\b",
    r"\b(?:used (?:to prove|in|for)|see also|proof of|prove[sd]?|proving|remark|note that|as in|motivat\w*|goal)\b",
    r"\b(?:setup|setting|notation|superseded)\b",
    r"\b(?:vgl|ähnlich|beweis\w*|siehe auch|preuve|démontr\w*|de même|dimostr\w*|demostr\w*)\b",
    "аналогичн|доказ|см[.]|类似",
    r"\\footnote",
)
"""A result is mentioned beside the argument, and not used."""

_USING = (
    "by|using|from|apply|applying|applied|follows|thanks to|due to|according to|in view of|via|with|because of"
    "|invoke|invoking|combin\\w*|nach|wegen|mit|aus|par|d'après|grâce à|per|dal|dalla|por|usando"
)
USED = _any(rf"\b(?:{_USING})\b", "по|согласно", "由|根据", after=r"[^.;]{0,60}$")
"""Words before a citation that say that the result is used."""
DIRECTLY_USED = _any(
    "by|using|from|apply|applying|thanks to|due to|according to|in view of|via|invoke|invoking|nach|wegen|par|d'après",
    before=r"\b",
    after=r"\s+(?:(?:the|our|der|dem|le|la)\s+)?(?:[^\W\d_]+\.?[~\s]+)?\(?$",
)
"""The same, with no more than the kind of the result between them."""

DISMISSED = _any(
    r"exerci[sc]|\breader|\bclear|obvious|trivial|immediate|straightforward|evident|\beas[yi]|follow|consequence",
    r"\bsee\b|\\[a-zA-Z]*[cC]ite|\\begin\s*\{(?:solution|sketch)|\bproo?[fv]|\bsh[oe]w|\bindeed\b|omit|verif|\bcheck",
    r"to see (?:this|that|why)|tantamount|known|classical|standard|\bobserve\b|\bnotice\b|\bbecause\b|\bsince\b",
    r"\bthis is (?:just|a|an|the|because|due)\b|special case|\bsays\b|reformulat|restat|\bargument|\bcombin",
    r"\bsketch|\bidea\b",
    r"lecteur|\bclair|évident|immédiat|découle|résulte|\bvoir\b|\bpreuve|démontr|en effet|facile|laissé",
    r"übung|\bleser|\bklar|offensichtlich|folgt|\bsiehe|\bbeweis|\bzeig|nämlich|\bdenn\b",
    r"eserci|lettore|\bchiar|\bovvi|banale|\bsegue|dimostr|infatti|\bvedi",
    r"ejerc|\blector|\bclar[oa]|\bobvi|se sigue|demostr|véase|prueba",
    r"ćwicz|oczywi|dow[oó]d|wynika",
    "упражн|очевидн|следует|доказ|см[.]|ясно|читател|заметим|действительно",
    "习题|显然|证明|易见|自明|不难|读者|参见|参看|参阅|留给|略去|留作|导自|容易|直接|照搬|类似",
)
"""Around a statement: words that prove it, dismiss it or say where the proof is."""

PREPARED = _any(
    r"\bwe (?:have|now|thus|therefore|then|conclude|obtain|get|deduce|find|infer|arrive)\b",
    r"\b(?:we|this|that|these|which) (?:just |have |has )*(?:prove[ns]?d?|show[ns]?|seen|establish\w*|impl\w+)\b",
    r"\b(?:this|that|these|which) (?:yields?|gives?|means?)\b",
    r"\b(?:above|preceding|previous|foregoing) (?:discussion|argument|paragraph|calculation|computation|remark)",
    r"\b(?:summar|conclu|therefore|thus|hence|consequently|recall|well[- ]known|classical|without proof|quote|known)",
    r"\b(?:package|collect|rephras)|\bin particular\W{0,5}$",
    r"\b(?:due to|(?:theorem|result|lemma) of|folklore|proved (?:by|in))\b",
    r"\\[a-zA-Z]*[cC]ite",
    r"\bdonc\b|\balso gilt\b|\bsomit\b|\bquindi\b|\bpor tanto\b|поэтому|значит|таким образом|переписать"
    r"|\bdebido a\b|因此|综上|总结|前述|上述|对偶|遂|于是|得到|可得",
)
"""Before a statement: words that prove it, or say whose it is."""

PROMISED = _any(
    r"proo?[fv]|\bshow|\bestablish|preuve|démontr|beweis|zeig|dimostr|demostr|доказ|证明", after=r"[^.]{0,80}$"
)
"""Before a citation: words that announce a proof of it."""

DISMISSED_INSIDE = _any(r"exerci[sc]|\bomit|\bfollows\b|\bclear(?:ly)?\b|упражн|习题")
"""In the text of a statement itself: words that say that no proof is given."""

PROVED_ELSEWHERE = _any(
    r"\binform(?:al|ell)|\bfolklore|\bwell[- ]known\b|\brestate[dm]|\bsee\b|\bcf\b|\bvgl\b|\bsiehe\b|\bvoir\b",
    r"\b(?:theorem|thm|lemma|lem|proposition|prop|corollary|cor|satz|théorème)[.~\s]{1,3}[\dIVX][\w.]*[,~\s]+(?:in|of|from|aus|von|dans|de)\b",
    r"[(,]\s?(?:19|20)\d\d[a-z]?\s?(?:\)|$)",
)
"""In a title: the statement is informal, known, proved elsewhere, or taken from another work."""

LAST_LEMMA = _any(
    r"\b(?:the|this|that|above|previous|preceding|last|our|first|second|following|these|two) (?:\w+ )?lemm",
    r"\bfolgenden? (?:\w+ )?lemma",
    r"\blemmas? above|\b(?:ce|le) (?:\w+ )?lemme|\b(?:das|dem|des|dieses|diesem) (?:\w+ )?lemma|лемм|引理",
)
"""A lemma nearby is used without a citation."""

PROVED_INSIDE = re.compile(r"\\[a-zA-Z]*[cC]ite|\\qed|\\leanok|\\mathlibok|\\notready|\\begin\s*\{proof\}|\[\d+\]")
"""The text of a statement says where the proof is, or ends with the sign of a proof."""
