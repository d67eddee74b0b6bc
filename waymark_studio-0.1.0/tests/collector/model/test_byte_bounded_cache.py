"""A cache keeps the most recently used values within its bytes."""

from collector.model.byte_bounded_cache import ByteBoundedCache


def test_the_least_recently_used_values_are_dropped_first():
    cache = ByteBoundedCache(10, len)
    for key, size in (("a", 4), ("b", 3), ("c", 3)):
        assert cache.put(key, b"x" * size) == []
    assert cache.get("a") == b"xxxx"
    assert cache.put("d", b"xxxxx") == ["b", "c"]
    assert (list(cache), cache.byte_count, len(cache)) == (["a", "d"], 9, 2)
    assert cache.get("b") is None


def test_a_replaced_value_counts_once_and_a_large_one_stays_alone():
    cache = ByteBoundedCache(10, len)
    cache.put("a", b"xxxx")
    cache.put("a", b"xx")
    assert cache.byte_count == 2
    assert cache.put("b", b"x" * 50) == ["a"]
    assert "b" in cache
    assert cache.pop("b") == b"x" * 50
    assert (cache.pop("b"), cache.byte_count) == (None, 0)
