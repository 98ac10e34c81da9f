"""The step counter that rewritten programs report to (see ``instrument``).

Stand-alone on purpose (standard library only): the sandbox's zygote loads this file by path.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from operator import length_hint
from typing import Any

SIZED = frozenset({list, tuple, set, frozenset, dict, str, bytes, bytearray, range})
MAX_BITS = 4_000_000
"""Integers beyond this size are out of any budget: one product of two takes a tenth of a second."""

ANY_STEPS = 1 << 40
"""A budget that nothing uses up: what a trusted program does while it loads costs no call."""


class OutOfSteps(BaseException):
    """The call used up its budget. Not an Exception, so that ``except Exception`` lets it pass."""


class Meter:
    """The step counter that rewritten programs report to.

    Attributes:
        steps: Budget of one call, in steps.
        depth: Nested calls of recursive functions allowed at once.
    """

    def __init__(self, steps: int, depth: int = 400) -> None:
        """Make a meter; ``install`` it into the namespaces of the programs it shall count."""
        self.steps = steps
        self.depth = depth
        self._bulk = 0
        self._nested = 0
        self._namespaces: list[dict[str, Any]] = []
        self._ticks: repeat[bool] = repeat(True, 0)  # noqa: FBT003

    def install(self, namespace: dict[str, Any]) -> None:
        """Put the counting functions where a rewritten program finds them, and start afresh."""
        namespace.update(
            __pf_walk__=self._walk, __pf_scan__=self._scan, __pf_in__=self._contains,
            __pf_pow__=self._pow, __pf_mult__=self._mult, __pf_imult__=self._imult,
            __pf_shift__=self._shift, __pf_text__=self._text, __pf_pad__=self._pad,
            __pf_factorial__=self._factorial, __pf_enter__=self._enter, __pf_leave__=self._leave,
        )  # fmt: skip
        self._namespaces.append(namespace)
        self.reset()

    def reset(self) -> None:
        """Give the next call the whole budget."""
        self._bulk = 0
        self._nested = 0
        # next() of a C iterator is the cheapest counter there is: about 25 ns a step.
        self._ticks = repeat(True, self.steps)  # noqa: FBT003
        tick = chain(self._ticks, _run_out()).__next__
        for namespace in self._namespaces:
            namespace["__pf_tick__"] = tick

    @property
    def used(self) -> int:
        """Steps since the last reset."""
        return self.steps - length_hint(self._ticks) + self._bulk

    @property
    def exhausted(self) -> bool:
        """True when the budget was used up, even if the program swallowed the exception."""
        left = length_hint(self._ticks)
        return left == 0 or self._bulk > left

    def charge(self, cost: int) -> None:
        """Count ``cost`` steps at once.

        Raises:
            OutOfSteps: The budget is used up.
        """
        self._bulk += cost
        if self._bulk > self.steps:
            raise OutOfSteps

    def _enter(self) -> None:
        self._nested += 1
        if self._nested > self.depth:
            self.charge(self.steps + 1)

    def _leave(self) -> None:
        self._nested -= 1

    def _walk(self, value: Any) -> Any:
        if type(value) in SIZED:
            self.charge(len(value) >> 3)
        elif hasattr(value, "__next__"):
            return self._counted(value)
        return value

    def _counted(self, iterator: Iterator[Any]) -> Iterator[Any]:
        for item in iterator:
            self.charge(1)
            yield item

    def _scan(self, value: Any) -> Any:
        if type(value) in SIZED:
            self.charge(len(value) >> 5)
        return value

    def _contains(self, item: Any, container: Any) -> bool:
        if type(container) in (list, tuple, str):
            self.charge(len(container) >> 5)
        elif hasattr(container, "__next__"):
            container = self._counted(container)
        return item in container

    def _charge_bits(self, bits: int) -> None:
        words = bits >> 6
        self.charge(self.steps + 1 if bits > MAX_BITS else (words * words >> 10) + (words >> 3))

    def _pow(self, base: Any, exponent: Any, modulus: Any = None) -> Any:
        if modulus is not None:
            if type(exponent) is int and type(modulus) is int:
                words = modulus.bit_length() >> 6
                self.charge(exponent.bit_length() * words * words >> 4)
            return pow(base, exponent, modulus)
        if type(base) is int and type(exponent) is int and exponent > 64:
            self._charge_bits(max(0, base.bit_length() - (base in (1, -1))) * exponent)
        return base**exponent

    def _charge_product(self, left: Any, right: Any) -> None:
        if type(left) is int:
            if type(right) is int:
                if not -(1 << 512) < left < 1 << 512:
                    words = (left.bit_length() >> 6) * (right.bit_length() >> 6 | 1)
                    self.charge(words >> 5)
            elif type(right) in SIZED and left > 8:
                self.charge(len(right) * left >> 5)
        elif type(right) is int and right > 8 and type(left) in SIZED:
            self.charge(len(left) * right >> 5)

    def _mult(self, left: Any, right: Any) -> Any:
        self._charge_product(left, right)
        return left * right

    def _imult(self, left: Any, right: Any) -> Any:
        self._charge_product(left, right)
        left *= right
        return left

    def _shift(self, left: Any, right: Any) -> Any:
        if type(left) is int and type(right) is int and right > 0:
            self._charge_bits(left.bit_length() + right)
        return left << right

    def _text(self, value: Any) -> Any:
        if type(value) is int and not -(1 << 2048) < value < 1 << 2048:
            words = value.bit_length() >> 6
            self.charge(words * words >> 4)
        elif type(value) in SIZED:
            self.charge(len(value) >> 2)
        return value

    def _pad(self, width: Any) -> Any:
        if type(width) is int and width > 0:
            self.charge(width >> 5)
        return width

    def _factorial(self, n: Any) -> Any:
        if type(n) is int and n > 0:
            self._charge_bits(n * n.bit_length())
        return n


def _run_out() -> Iterator[bool]:
    yield from ()
    raise OutOfSteps
