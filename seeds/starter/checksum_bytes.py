"""Bytes to an int: the zero byte, byte 255 and the modulus are the corners."""


def _sums(data, modulus):
    low = high = 0
    for byte in data:
        low = (low + byte) % modulus
        high = (high + low) % modulus
    return high * 256 + low


def checksum_bytes(data: bytes) -> int:
    """Return a checksum of two running sums.

    Both sums start at 0. Each byte in turn is added to the first sum, and then the first sum is
    added to the second one; both are kept modulo 255. The result is the second sum times 256
    plus the first sum.

    >>> checksum_bytes(b"A!")
    41826
    >>> checksum_bytes(b"")
    0
    """
    return _sums(data, 255)


def reference_weights(data: bytes) -> int:
    weights = range(len(data), 0, -1)
    high = sum(weight * byte for weight, byte in zip(weights, data))
    return high % 255 * 256 + sum(data) % 255


def contract(data: bytes) -> None:
    assert len(data) <= 1000


def test_examples() -> None:
    assert checksum_bytes(b"A!") == 41826
    assert checksum_bytes(b"") == 0
    assert checksum_bytes(b"A") == 16705
    assert checksum_bytes(b"\n\x01") == 5387


def wrong_modulo_256(data):
    """Keeps eight bits of each sum, which is modulo 256."""
    return _sums(data, 256)


def wrong_subtracts_once(data):
    """Takes 255 off only when a sum is greater than 255: 255 itself stays."""
    low = high = 0
    for byte in data:
        low += byte
        low -= 255 * (low > 255)
        high += low
        high -= 255 * (high > 255)
    return high * 256 + low


def wrong_stops_at_zero(data):
    """Stops at the first zero byte, like a C string."""
    return _sums(data.split(b"\0")[0], 255)


def wrong_signed_bytes(data):
    """Reads bytes from 128 on as negative numbers."""
    return _sums([byte - 256 * (byte > 127) for byte in data], 255)


def wrong_ignores_the_last_newline(data):
    """Strips the data as if it were a line of text."""
    return _sums(data.rstrip(), 255)
