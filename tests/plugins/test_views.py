"""Methods of lower rooms that rooms above answer."""

import pytest

import scmanip
from scmanip.plugins import view


class _Thing:
    pass


class _Special(_Thing):
    pass


def test_a_view_is_found_by_the_kind_of_a_thing_and_by_what_it_extends(monkeypatch):
    monkeypatch.setitem(scmanip.VIEWS, "_Thing.drawn", "spatial:skew")
    from scmanip.spatial import skew

    assert view(_Special(), "drawn") is skew


def test_a_thing_without_a_view_says_which():
    with pytest.raises(KeyError, match=r"_Thing\.drawn"):
        view(_Thing(), "drawn")


@pytest.mark.parametrize("place", scmanip.VIEWS.values())
def test_what_makes_a_view_exists(place):
    room, function = place.split(":")
    assert callable(getattr(getattr(scmanip, room), function))
