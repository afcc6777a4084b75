"""Neural methods: a pretrained encoder, the three models of the NaturalProofs paper, and the loop that trains them.

`methods` and `settings` import no torch, so that a method can be named, printed and parsed without it; the modules
that compute are imported when a method is fitted.
"""
