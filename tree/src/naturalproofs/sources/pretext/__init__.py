"""PreTeXt: books and articles in XML, read without network and without expanding entities.

`xml_files` parses files and follows inclusions; `vocabulary` says what each element is; `reader` makes statements and
proofs of them, with their text as LaTeX by `text` and their numbers by `numbering`; `project` finds the documents.
"""
