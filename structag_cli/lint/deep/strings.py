"""Strings for a string schema: such as it allows, and such as it nearly does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from structag_cli.ecma_patterns import SlowPattern, searcher
from structag_cli.lookarounds import lookarounds

FORMATS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "date": (("2024-02-29", "1999-12-31"), ("2024-13-01", "2023-02-30", "2024-1-1", "yesterday")),
    "time": (("10:20:30Z", "23:59:59+02:00", "10:20:30.5Z"), ("25:00:00Z", "10:20", "noon")),
    "date-time": (
        ("2024-02-29T10:20:30Z", "2024-01-01T00:00:00.123+05:30", "2024-01-01t00:00:00z"),
        ("2024-02-30T10:20:30Z", "2024-01-01 10:00", "2024-01-01T10:00:00", "now"),
    ),
    "duration": (("P3D", "PT1H30M", "P1Y2M3W", "P2W"), ("P", "3 days", "1D", "PT")),
    "email": (
        ("ann@example.com", "a.b+c@sub.example.org", '"a b"@example.com'),
        ("ann", "ann@", "@example.com"),
    ),
    "idn-email": (("ann@example.com", "ä@exämple.com"), ("ann",)),
    "hostname": (("example.com", "a-b.example.org", "localhost"), ("-bad-", "a b", "a..b", "")),
    "idn-hostname": (("example.com",), ("a b",)),
    "ipv4": (("192.168.0.1", "0.0.0.0"), ("256.1.1.1", "1.2.3", "1.2.3.4.5", "01.2.3.4")),
    "ipv6": (("::1", "2001:db8::8a2e:370:7334", "::ffff:192.0.2.1"), ("1::2::3", "12345::", "x")),
    "uri": (
        ("https://example.com/a?b=c#d", "mailto:ann@example.com", "urn:isbn:0451450523", "a:b"),
        ("example.com/a", "//a/b", "http://a b", "plain", ""),
    ),
    "uri-reference": (("/a/b", "https://example.com", "a#b", ""), ("a b", "\\\\x", "a\\b")),
    "iri": (("https://example.com/ä",), ("a b", "plain")),
    "iri-reference": (("/ä",), ("a b",)),
    "uri-template": (("https://example.com/{id}",), ("https://example.com/{id",)),
    "uuid": (
        ("123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"),
        ("123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", "x"),
    ),
    "json-pointer": (("/a/0", "/a~1b", ""), ("a", "/a~2")),
    "relative-json-pointer": (("1/a", "0#"), ("-1/a", "/a", "+1")),
    "regex": (("^a+$", "[a-z]"), ("(", "[a")),
}
"""By format: strings that have it, strings that do not."""

_UNUSUAL = ("\t", "\x0b", "\x01", "\x03", "\x7f", "\u2029", "\u00a0", "a\tb", "a\x01b")

_ODD = ("é", "日", '"', "\\", " ", "\x01", "\x7f")

_PLAIN = ("abc", "a", "hello world", "x1", "A", "0", "")


def valid_strings(view: Mapping[str, Any]) -> list[str]:
    """Strings that ought to be valid."""
    low, high = _bounds(view)
    pattern, form = view.get("pattern"), view.get("format")
    tried: list[str] = []
    if isinstance(form, str) and form in FORMATS:
        tried += FORMATS[form][0]
    if isinstance(pattern, str):
        tried = [*matches(pattern, low, high), *tried]
    tried += ["abc"[:3].ljust(low, "a"), *_PLAIN, "a" * low]
    found = [t for t in tried if low <= len(t) <= high and _matches(pattern, t)]
    return list(dict.fromkeys(found))[:8]


def _bounds(view: Mapping[str, Any]) -> tuple[int, int]:
    low, high = view.get("minLength"), view.get("maxLength")
    good = [isinstance(v, (int, float)) and not isinstance(v, bool) for v in (low, high)]
    return (
        min(int(low), 100_000) if good[0] and low is not None else 0,
        int(high) if good[1] and high is not None else 1 << 30,
    )


def _matches(pattern: Any, text: str) -> bool:
    if not isinstance(pattern, str):
        return True
    try:
        return searcher(pattern)(text) is not None
    except (re.error, RecursionError, SlowPattern):
        return False


def matches(pattern: str, low: int = 0, high: int = 1 << 30) -> list[str]:
    """Texts that match a whole pattern, by Python's reading of it."""
    from structag_cli.emit.examples.regexes import matching_text
    from structag_cli.emit.examples.trouble import NoExample

    found = []
    for fits in (lambda t: low <= len(t) <= high, lambda t: True, lambda t: len(t) > 3):
        try:
            found.append(matching_text(pattern, fits))
        except NoExample:
            continue
        except Exception:  # a pattern that the maker of texts does not know
            break
    return list(dict.fromkeys(found))


def string_candidates(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Strings to try, each with what it stresses."""
    low, high = _bounds(view)
    good = valid_strings(view)
    seed = good[0] if good else "a" * low
    found = [(text, "string") for text in good]
    found += _lengths(view, seed, low, high)
    found += _patterns(view, good)
    found += _formats(view)
    return found + _characters(seed, low, high)


def _lengths(view: Mapping[str, Any], seed: str, low: int, high: int) -> list[tuple[str, str]]:
    found = []
    letter = seed[-1:] or "a"
    if "minLength" in view and 0 < low <= 20_000:
        found += [(seed[: low - 1].ljust(low - 1, letter), "minLength"), ("", "minLength")]
        found += [(seed[:low].ljust(low, letter), "minLength")]
        found += [("é" * low, "minLength"), ("😀" * (low - 1), "minLength")]
    if "maxLength" in view and high <= 20_000:
        found += [
            (seed.ljust(high + 1, letter), "maxLength"),
            (letter * (high * 2 + 5), "maxLength"),
        ]
        found += [((letter * high), "maxLength"), ("é" * high, "maxLength")]
        # Space at the edge of a text is in some styles taken beside what is counted.
        found += [(letter * high + edge, "maxLength") for edge in (" ", "\n")]
        found += [("\n" + letter * high, "maxLength")]
        found += [("😀" * high, "maxLength"), ("é" * (high + 1), "maxLength")]
    if "pattern" in view:
        found += [(seed * 40, "pattern"), (seed + seed, "pattern")]
    return found


def _patterns(view: Mapping[str, Any], good: list[str]) -> list[tuple[str, str]]:
    pattern = view.get("pattern")
    if not isinstance(pattern, str):
        return []
    found = [(text, "pattern") for text in around_lookaheads(pattern, good)]
    found += [(text, "pattern") for text in with_odd_letters(good[:2])]
    for text in good[:3]:
        around = (f"x{text}", f"{text}x", f"x{text}x", f" {text}", f"{text} ", f"1{text}1")
        found += [(t, "unanchored pattern") for t in around]
        near = (
            text[1:],
            text[:-1],
            text.upper(),
            text.lower(),
            text + text,
            f"!{text}",
            f"{text}!",
        )
        found += [(t, "pattern") for t in near]
        found += [(f"{text}\n{text}", "pattern")]
    plain = (
        "",
        " ",
        "!",
        "a",
        "A",
        "0",
        "abc",
        "ABC",
        "123",
        "a b",
        "-",
        "_",
        "a-b",
        "a1",
        "é",
        "日本",
    )
    return found + [(text, "pattern") for text in (*plain, *_UNUSUAL)]


def around_lookaheads(pattern: str, good: list[str]) -> list[str]:
    """Texts with and without what the lookaheads of a pattern ask for or forbid."""
    looked = lookarounds(pattern)
    if not looked.bodies:
        return []
    plain = matches(looked.rest)
    inner = [text for part in looked.bodies[:4] if part for text in matches(part)[:1]]
    ends = good[:2] or plain[:2] or ["a"]
    around = [t for part in inner for text in ends for t in (part, part + text, text + part)]
    return [*plain, *around]


def with_odd_letters(texts: list[str]) -> list[str]:
    """Each text with a letter in it, or at its end, that patterns with ``.`` mostly allow."""
    return [
        made for text in texts for odd in _ODD for made in (text + odd, text[:1] + odd + text[1:])
    ]


def _formats(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    form = view.get("format")
    if not isinstance(form, str):
        return []
    good, bad = FORMATS.get(form, ((), ()))
    return [(t, "format") for t in (*good, *bad, "not a format!", "abc", "")]


def _characters(seed: str, low: int, high: int) -> list[tuple[str, str]]:
    """Escapes and letters beyond ASCII, within the bounds."""
    stress = {
        "newline": "a\nb",
        "quote": 'a"b',
        "backslash": "a\\b",
        "tab": "a\tb",
        "control character": "a\u0001b",
        "non-ASCII letter": "aéb",
        "emoji": "a😀b",
        "CJK": "日本",
        "markup character": "a<b>&c",
        "space": "a b",
        "edge space": " a ",
        "newline at the end": "a\n",
    }
    return [(_fitted(text, low, high), label) for label, text in stress.items()]


def _fitted(text: str, low: int, high: int) -> str:
    """A text made long enough; as it is where it is too long."""
    if len(text) > high and high >= 1:
        core = text.strip("ab") or text
        return core[:high].ljust(low, "a")
    return text.ljust(low, "a")
