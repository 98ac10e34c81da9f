"""Fewest coins: taking the largest first is not always best, and may even get stuck."""
from typing import List, Optional


def _greedy(coins, amount):
    count = 0
    for coin in reversed(coins):
        count += amount // coin
        amount %= coin
    return None if amount else count


def vending_change(coins: List[int], amount: int) -> Optional[int]:
    """Return the least number of coins that add up to an amount, None when no coins do.

    Coins holds the values of the coins in ascending order, each once; there are enough coins of
    every value. There are 1 to 8 values from 1 to 400, and the amount is from 0 to 400.

    >>> vending_change([1, 2, 5], 8)
    3
    >>> vending_change([5, 10], 0)
    0
    """
    least: List[Optional[int]] = [0]
    for part in range(1, amount + 1):
        ways = [least[part - coin] for coin in coins if coin <= part]
        counts = [way for way in ways if way is not None]
        least.append(min(counts) + 1 if counts else None)
    return least[amount]


def reference_coin_by_coin(coins: List[int], amount: int) -> Optional[int]:
    reached = level = {0}
    count = 0
    while level and amount not in reached:
        level = {total + coin for total in level for coin in coins if total + coin <= amount}
        level -= reached
        reached = reached | level
        count += 1
    return count if amount in reached else None


def contract(coins: List[int], amount: int) -> None:
    assert 1 <= len(coins) <= 8
    assert coins == sorted(set(coins)) and 1 <= coins[0] and coins[-1] <= 400
    assert 0 <= amount <= 400


def test_examples() -> None:
    assert vending_change([1, 2, 5], 8) == 3
    assert vending_change([5, 10], 0) == 0
    assert vending_change([5, 10], 12) is None
    assert vending_change([10, 25, 50], 85) == 3


def wrong_greedy(coins, amount):
    """Takes the largest coin as long as it fits."""
    return _greedy(coins, amount)


def wrong_greedy_from_every_coin(coins, amount):
    """Leaves out the largest coins one after the other, but is greedy each time."""
    counts = [_greedy(coins[:size], amount) for size in range(1, len(coins) + 1)]
    return min((count for count in counts if count is not None), default=None)


def wrong_each_coin_once(coins, amount):
    """Uses no value twice."""
    least = {0: 0}
    for coin in coins:
        for total, count in list(least.items()):
            least[total + coin] = min(count + 1, least.get(total + coin, count + 1))
    return least.get(amount)


def wrong_unreachable_is_large(coins, amount):
    """Marks what cannot be reached with 50, though an answer may be that large."""
    least = [0] + [50] * amount
    for part in range(1, amount + 1):
        for coin in coins:
            if coin <= part:
                least[part] = min(least[part], least[part - coin] + 1)
    return least[amount] if least[amount] < 50 else None
