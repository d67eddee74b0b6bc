"""The calculator: what it computes, and its keys."""

import pytest

from collector.virtual.apps.calculator.arithmetic import NoResultError, result_of
from collector.virtual.system.phone import Phone
from tests.helpers.phone_driver import find, tap
from tests.helpers.virtual import profile


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("1+2×3", "7"),
        ("(1+2)×3", "9"),
        ("2^3^2", "512"),
        ("-2^2", "-4"),
        ("7÷2", "3.5"),
        ("1÷3", "0.333333333333"),
        ("0.1+0.2", "0.3"),
        ("50%", "0.5"),
        ("200×10%", "20"),
        ("√16+2", "6"),
        ("2(3+4)", "14"),
        ("3--2", "5"),
        ("(1+2", "3"),
        ("10^20", "1E20"),
        ("9^0", "1"),
        (".5×4", "2"),
    ],
)
def test_results(formula, result):
    assert result_of(formula) == result


@pytest.mark.parametrize("formula", ["", "1÷0", "2+", "×3", "√(0-4)", "9^99999", "(" * 200, "1)2", "-" * 200])
def test_formulas_without_a_result(formula):
    with pytest.raises(NoResultError):
        result_of(formula)


def test_keys_type_a_formula_and_solve_it():
    phone = Phone(profile())
    try:
        phone.launch("com.android.calculator2")

        def press(*names):
            for name in names:
                tap(phone, resource_id=f"com.android.calculator2:id/{name}")

        def text(name):
            return find(phone, resource_id=f"com.android.calculator2:id/{name}").get("text")

        press("op_add", "digit_1", "digit_2", "op_mul", "op_add", "digit_3", "op_div", "digit_0")
        assert text("formula") == "12+3÷0"
        press("eq")
        assert text("result") == "Bad expression"
        press("del", "digit_2")
        assert text("result") == "13.5"
        press("eq", "digit_7")
        assert text("formula") == "7"
        press("clr")
        assert text("formula") == ""
    finally:
        phone.close()
