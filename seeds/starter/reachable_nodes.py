"""A directed graph as an adjacency dict and one of its nodes; the answer is a set."""
from typing import Dict, List, Set


def _spread(graph, start, rounds):
    found = {start}
    for _ in range(rounds):
        found |= {after for node in found for after in graph[node]}
    return found


def reachable_nodes(graph: Dict[int, List[int]], start: int) -> Set[int]:
    """Return the nodes that can be reached from a node of a directed graph.

    The graph maps every node to the nodes that its edges lead to, and all of these are keys of
    the graph too. The start is a key, and it is always part of the result.

    >>> reachable_nodes({1: [2], 2: [3], 3: [], 4: []}, 1)
    {1, 2, 3}
    """
    found = {start}
    waiting = [start]
    while waiting:
        for node in graph[waiting.pop()]:
            if node not in found:
                found.add(node)
                waiting.append(node)
    return found


def reference_rounds(graph: Dict[int, List[int]], start: int) -> Set[int]:
    return _spread(graph, start, len(graph) - 1)


def contract(graph: Dict[int, List[int]], start: int) -> None:
    assert len(graph) <= 30
    assert all(len(after) <= 20 for after in graph.values())
    assert all(node in graph for after in graph.values() for node in after)
    assert start in graph


def test_examples() -> None:
    assert reachable_nodes({1: [2], 2: [3], 3: [], 4: []}, 1) == {1, 2, 3}
    assert reachable_nodes({1: []}, 1) == {1}
    assert reachable_nodes({1: [2, 3], 2: [1], 3: [3]}, 1) == {1, 2, 3}
    assert reachable_nodes({5: [7], 7: [5], 9: []}, 9) == {9}


def wrong_two_steps(graph, start):
    """Stops at the neighbours of the neighbours."""
    return _spread(graph, start, 2)


def wrong_edges_lead_both_ways(graph, start):
    """Follows the edges from their end too."""
    both = {node: list(row) for node, row in graph.items()}
    for node, row in graph.items():
        for after in row:
            both[after].append(node)
    return _spread(both, start, len(graph))


def wrong_one_pass_over_the_dict(graph, start):
    """Looks at each node once, in the order of the keys, though later ones may lead back."""
    found = {start}
    for node, row in graph.items():
        if node in found:
            found.update(row)
    return found


def wrong_stops_at_a_dead_end(graph, start):
    """Gives up at the first dead end instead of going on with the other edges."""
    found = {start}
    waiting = [start]
    while waiting:
        node = waiting.pop(0)
        if not graph[node]:
            break
        waiting += [after for after in dict.fromkeys(graph[node]) if after not in found]
        found.update(graph[node])
    return found


def wrong_follows_one_edge(graph, start):
    """Goes on from the last neighbour of each node and only notes the others."""
    found = {start}
    node = start
    for _ in graph:
        found.update(graph[node])
        node = graph[node][-1] if graph[node] else node
    return found
