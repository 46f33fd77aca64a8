"""Failures of schemathesis that are wrong for this API. Each rule has its reason, which the report counts."""

import re

# Messages of 400 for rules that JSON Schema cannot say, so that a request can follow the schema and still be wrong.
RULES_BEYOND_SCHEMA = [
    # The character classes are Unicode properties. Validators in other languages read their patterns differently.
    r"^must not contain U\+",
    r"^has a field name that must not contain U\+",
    r"^must be the name of a document type",
    r"^must be an e-mail address",
    r"^must have at least 3 visible characters",
    # These depend on the value of another field.
    r"^must have two digits in Brazil",
    r"^must have 8 digits in Brazil",
    r"^must have at most 15 digits, with country and area code",
    r"^must have 8 digits, with or without a hyphen",
    r"^must be the two letters of a Brazilian state",
    r"^must have 11 digits for a CPF",
    r"^must have 12 letters or digits and 2 digits for a CNPJ",
    # These depend on the date of today, or on the calendar.
    r"^must not be in the future",
    r"^must not be before 1900-01-01",
    # What a URL may have is not in the format of JSON Schema.
    r"^must be a URL such as https",
    r"^must have no user and password",
    r"^must have no fragment",
    # A cursor is opaque: only the API knows which ones exist.
    r"^must be the `next` of an earlier page",
    r"^must be the same flow in the query and in the header",
    # A query of runs selects by one property.
    r"^must not be combined with outcome or status",
    r"^must be current or entered, and can only be sent with step",
    r"^is not a step of this version",
    r"^is not an outcome of this version",
    # Names with a meaning in JavaScript.
    r"^must not have a field named",
]


def problem_of(response) -> dict:
    try:
        body = response.json()
    except Exception:
        return {}
    return body if isinstance(body, dict) else {}


def reason_for(failure, case, response) -> str | None:
    """Why the failure is none; None if it is one."""
    name = type(failure).__name__
    problem = problem_of(response)
    messages = [message for group in problem.get("errors", {}).values() for message in group]
    if (
        name == "RejectedPositiveData"
        and messages
        and all(any(re.search(rule, message) for rule in RULES_BEYOND_SCHEMA) for message in messages)
    ):
        return "rule beyond JSON Schema"
    if name == "EnsureResourceAvailability" and problem.get("code") != "transaction_not_found":
        # A new transaction has no codes, images, runs or reviews yet.
        return "part of a resource that was not created yet"
    return None
