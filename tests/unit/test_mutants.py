"""Mutants: each rule makes exactly what its examples say; a program's mutants are real and new."""

import ast

import pytest
from plusforge.oracle import mutants as module
from plusforge.oracle.mutants import RULES
from plusforge.oracle.mutation import Rule

EXAMPLES = [
    pytest.param(rule, source, wanted, id=f"{rule.apply.__name__}-{number}")
    for rule in RULES
    for number, (source, wanted) in enumerate(rule.examples.items())
]


def made_by(rule: Rule, source: str) -> list[str]:
    """Return what one rule makes of a piece of source, as programs."""
    tree = ast.parse(source)
    spots = [s for root in tree.body for s in module._spots(root, None, quiet=False)]
    workshop = module._Workshop(source, tree)
    return [
        workshop.made(change, inside=False).source
        for spot in spots
        if type(spot.node) in rule.on
        for change in rule.apply(spot.node)
    ]


def tree_of(source: str) -> str:
    return ast.dump(ast.parse(source))


@pytest.mark.parametrize(("rule", "source", "wanted"), EXAMPLES)
def test_a_rule_makes_what_its_examples_say(rule, source, wanted):
    made = made_by(rule, source)
    assert [ast.unparse(ast.parse(m)) for m in made] == [ast.unparse(ast.parse(w)) for w in wanted]


def test_every_rule_has_an_example_with_a_mutant():
    assert [rule.apply.__name__ for rule in RULES if not any(rule.examples.values())] == []
