"""Manifests in whatever layout: slips are mended, and each other byte stays."""

from hypothesis import given, settings
from hypothesis import strategies as st

from structag_cli.lint.fixes.mending import mend
from structag_cli.lint.selection import Selection
from structag_cli.lint.subject import Settings

SLIPS = [
    ("--dyn-tool-call-parsr=hermes", "--dyn-tool-call-parser=hermes"),
    ("--dyn-enable-structural-tags", "--dyn-enable-structural-tag"),
    ("--dyn-structural-tag-scope=Always", "--dyn-structural-tag-scope=always"),
    ("--dyn-structural-tag-shema=auto", "--dyn-structural-tag-schema=auto"),
    ("--dyn-reasoning-parser qwen3", "--dyn-reasoning-parser=qwen3"),
    ("--disaggregation-mode=none", "--disaggregation-mode=none"),
    ("--context-length=8192", "--context-length=8192"),
]
COMMENTS = st.sampled_from(["", "", "  # é, [x]: {", " #", " # '\""])
ABOVE = st.sampled_from(["", "", "\n", "{pad}# above: - x\n"])
TOPS = st.sampled_from(["", "---\n", "# top\n%YAML 1.1\n---\n"])
QUOTES = st.sampled_from(["", "'", '"'])


@st.composite
def manifests(draw):
    """A manifest with slips, and as it should be."""
    pads = [" " * draw(st.integers(1, 4)) for _ in range(8)]
    depth = "".join(pads)
    chosen = draw(st.lists(st.sampled_from(SLIPS), min_size=1, unique=True))
    head = (
        f"{draw(TOPS)}"
        f"apiVersion: nvidia.com/v1beta1\nkind: 'DynamoGraphDeployment'{draw(COMMENTS)}\n"
        'metadata: {name: x, labels: {a: "é \\u00e9"}}\nspec:\n'
        f"{pads[0]}components:\n{pads[0]}- type: worker{draw(COMMENTS)}\n{pads[0]}  name: W\n"
        f"{pads[0]}  podTemplate:\n{pads[0]}  {pads[1]}spec:\n{pads[0]}  {pads[1]}{pads[2]}"
        f"containers: {draw(COMMENTS)}\n{depth}- command: [python3, -m, dynamo.sglang]\n"
        f"{depth}  name: main\n"
    )
    if draw(st.booleans()):
        space, quote = draw(st.sampled_from([" ", ""])), draw(st.sampled_from(["'", '"']))
        comma = "," + space
        sides = [
            f"{depth}  args: [{comma.join(quote + each[side] + quote for each in chosen)}]\n"
            for side in (0, 1)
        ]
    else:
        lines = [(draw(ABOVE).format(pad=depth), draw(QUOTES), draw(COMMENTS)) for _ in chosen]
        sides = [
            f"{depth}  args:\n"
            + "".join(
                f"{above}{depth}  - {quote}{each[side]}{quote}{comment}\n"
                for each, (above, quote, comment) in zip(chosen, lines, strict=True)
            )
            for side in (0, 1)
        ]
    tail = draw(st.sampled_from(["", "\n\n", "# end", "---\nother: [1, &a 2, *a]\n"]))
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    return tuple((head + side + tail).replace("\n", line_end) for side in sides)


@settings(max_examples=150, deadline=None)
@given(manifests())
def test_slips_are_mended_and_all_else_stays(pair):
    slipped, right = pair
    done = mend("x.yaml", slipped, Settings(deep=False), Selection(("D001", "D002")))
    assert not done.troubles
    assert done.text == right
    assert mend("x.yaml", right, Settings(deep=False), Selection(("D",))).text == right
