"""Neural methods: encoders, the paper's three models, and the one loop that trains them.

Settings live in modules that import no torch, so that methods can be named, printed and parsed without it; what
computes is imported when a method is fitted.
"""
