"""Tokenizers, wherever they live, as one ``Vocabulary``: pieces as bytes, markers, stops.

Nothing here imports xgrammar, torch or transformers.
"""
