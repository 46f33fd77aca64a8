"""Failures that schemathesis reports although the API is right. Each has a reason. The report counts these failures by reason."""

import re

# The API has rules that JSON Schema cannot express. A request can follow the schema and break such a rule.
# Then the answer has the status 400 and a message from this list.
RULES_BEYOND_SCHEMA = [
    # These rules use Unicode properties. Validators in other languages read patterns with such properties differently.
    r"^must not contain U\+",
    r"^has a field name that must not contain U\+",
    r"^must be the name of a document type",
    r"^must be an e-mail address",
    r"^must have at least 3 visible characters",
    r"^must be a code of \d+ to \d+ digits",
    # These rules depend on the value of another field.
    r"^must have two digits in Brazil",
    r"^must have 8 digits in Brazil",
    r"^must have at most 15 digits, with country and area code",
    r"^must have 8 digits, with or without a hyphen",
    r"^must be the two letters of a Brazilian state",
    r"^must have 11 digits for a CPF",
    r"^must have 12 letters or digits and 2 digits for a CNPJ",
    # These rules depend on the present date, or on the calendar.
    r"^must not be in the future",
    r"^must not be before 1900-01-01",
    # The format `uri` of JSON Schema allows more URLs than the API.
    r"^must be a URL such as https",
    r"^must have no user and password",
    r"^must have no fragment",
    # Only the API knows which values of `next` exist.
    r"^must be the `next` of an earlier page",
    # A query parameter and a header must have the same value.
    r"^must be the same flow in the query and in the header",
    # Two headers that exclude each other.
    r"^must not be combined with If-None-Match",
    # A list of flow runs can be filtered by one property only.
    r"^must not be combined with outcome or status",
    r"^must be current or entered, and can only be sent with step",
    r"^can only be sent with step",
    # Only the API knows the steps and outcomes of a flow version.
    r"^is not a step of this version",
    r"^is not an outcome of this version",
    # Only the API knows which values a flow has.
    r"^is not a value of the flow",
    # JSON Schema has formats for whole addresses, and none for networks, mail domains, or addresses for help.
    r"^must be an IPv4 or IPv6 address",
    r"^must be an IPv4 network",
    r"^must be a mail domain",
    r"^must be the dial code of a country",
    r"^must be an https URL, or mailto:",
    # An image must be readable, and a color must contrast with the page.
    r"^must be a PNG, JPEG or WebP",
    r"^must be Base64",
    r"^has a contrast of",
    # Names of brands are compared by what people see.
    r"^must not begin or end with a space",
    r"^must have a letter or a digit",
    r"^must not have a link",
    r"^must not contain",
    # Lists in one text, and lists without repetition.
    r"^must be one or more of",
    r"^must have each language once",
    # These rules depend on the time, or on the end of a period.
    r"^must be in the future",
    r"^must be at most \d+ days before",
    r"^must not be after",
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
    """The reason to exclude a failure; None if it is a real failure."""
    name = type(failure).__name__
    problem = problem_of(response)
    messages = [message for group in problem.get("errors", {}).values() for message in group]
    if (
        name == "RejectedPositiveData"
        and messages
        and all(any(re.search(rule, message) for rule in RULES_BEYOND_SCHEMA) for message in messages)
    ):
        return "rule beyond JSON Schema"
    if name == "RejectedPositiveData" and case.operation.path == "/v1/messaging" and response.status_code == 400:
        # Channels name providers, requests name values, and addresses are put together from values.
        return "messaging settings that refer to each other"
    if name == "EnsureResourceAvailability" and problem.get("code") != "transaction_not_found":
        # A new transaction has no codes, images, runs or reviews yet.
        return "part of a resource that was not created yet"
    return None
