"""Values that exist only on this stack: ids, codes, credentials. Valid requests need them to succeed, and chance does not find them."""

import json
import os
import re
import string
import threading
import urllib.parse
import urllib.request
from collections import deque
from random import Random

with open(os.environ["FUZZ_VALUES"], encoding="utf-8") as file:
    values = json.load(file)

# Operations that change or erase a resource. The number is the index of the set of resources that the operation uses. Set 0 is only read.
USED_UP = {
    "eraseImages": 1,
    "removeBlock": 1,
    "deleteWebhook": 1,
    "putWebhook": 2,
    "decideReview": 2,
    "rollBackFlow": 2,
    "activateFlow": 2,
    "cancelFlowRun": 1,
    "answerFlowRun": 2,
    # An erased transaction answers 410 to everything.
    "eraseTransaction": 3,
}
# The names of operations that need a new transaction, and of operations that need a new flow run.
NEEDS_TRANSACTION = re.compile(r"^(send|validate|startFlowRun|createBiometricsLink|create(Sms|Email)TokenLink|reassess|checkCard|getEmailToken)")
# Codes on WhatsApp and by voice are too rare for a transaction that was found by chance.
NEEDS_CODE = re.compile(r"^(validate|create)(Whatsapp|Voice)Token")
NEEDS_RUN = re.compile(r"^(answer|cancel)FlowRun")
# Flows that startFlowRun starts. In the flow of the first set, callers can resend after one second.
FLOWS = ["email-token", values["resources"][0]["name"]]

# The newest transactions that have a phone and a mailbox: `id`, `phone` and `email`.
created: deque[dict] = deque(maxlen=20)
# The newest flow runs: `id` and `runId`.
started: deque[dict] = deque(maxlen=5)
# The newest flows, which have one version.
flows: deque[str] = deque(maxlen=5)
# The ids of all transactions of this process.
transaction_ids: set[str] = set()
lock = threading.Lock()
# A separate generator of random numbers, because Hypothesis resets the generator of the module `random` before each case.
random = Random(os.environ["FUZZ_SEED"])


def digits(count: int) -> str:
    return "".join(random.choices(string.digits, k=count))


def new_person() -> dict:
    """A new person for each transaction, because each phone and mailbox has a limit of messages."""
    return {
        "documentType": "CPF",
        "document": digits(11),
        "name": f"Joana {random.choice(string.ascii_uppercase)}. Prado",
        "phone": {"countryCode": 55, "areaCode": 11, "number": int(f"9{random.randint(1, 8)}{digits(7)}")},
        "email": f"person.{digits(12)}@example.com",
        "card": {"bin": "411111", "last4": digits(4)},
    }


def remember(operation: str, parameters: dict, body: dict, response_body: dict) -> None:
    """Saves the ids of what a request created."""
    phone, email = body.get("phone"), body.get("email")
    with lock:
        if operation == "createTransaction":
            transaction_ids.add(response_body["id"])
        if operation == "putFlow":
            flows.append(parameters["name"])
        elif operation == "startFlowRun":
            started.append({"id": parameters["id"], "runId": response_body["runId"]})
        elif phone and email:
            number = f"+{phone['countryCode']}{phone.get('areaCode', '')}{phone['number']}"
            created.append({"id": response_body["id"], "phone": number, "email": email})


def is_known(parameters: dict) -> bool:
    """Whether the parameters have no transaction id, or the id of a transaction that was created in this process."""
    return parameters.get("id") in transaction_ids or "id" not in parameters


def known_transaction(transaction_id: str) -> dict | None:
    with lock:
        return next((one for one in created if one["id"] == transaction_id), None)


def protected(operation: str, given: dict) -> dict:
    """Replacements for ids from other sets of resources. An operation in USED_UP may use only the ids of its own set."""
    if operation not in USED_UP:
        return {}
    own = values["resources"][USED_UP[operation]]
    others = [ids for ids in values["resources"] if ids is not own]
    return {name: own[name] for name, value in given.items() if any(value == ids.get(name) for ids in others)}


def path_parameters(operation: str) -> dict:
    """Ids with which the operation succeeds."""
    ids = values["resources"][USED_UP.get(operation, 0)]
    if NEEDS_CODE.match(operation):
        return {**ids, "id": values["withCodes"]}
    with lock:
        if created and NEEDS_TRANSACTION.match(operation):
            return {**ids, "id": random.choice(created)["id"], "name": random.choice(FLOWS)}
        if started and NEEDS_RUN.match(operation):
            return random.choice(started)
        if flows and operation == "deleteFlowVersion":
            return {"name": flows.pop(), "version": "1"}
    return {**ids, "name": f"fuzz-{digits(6)}"} if operation == "putFlow" else ids


def read_code(transaction: dict, channel: str) -> str | None:
    """The code in the newest message to the person of this transaction."""
    to = urllib.parse.quote(transaction["email"] if channel == "email" else transaction["phone"])
    with urllib.request.urlopen(f"{values['inbox']}/api/messages?to={to}&channel={channel}", timeout=10) as response:
        texts = [message["text"] for message in json.load(response)]
    codes = [code for text in texts for code in re.findall(r"\b\d{6}\b", text)]
    return codes[0] if codes else None


def body_for(operation: str, parameters: dict) -> dict | None:
    """A body with which the operation succeeds; None if it succeeds with the generated body."""
    if operation == "createTransaction":
        return new_person()
    if operation == "putFlow":
        return values["flow"]
    if operation in ("createWebhook", "putWebhook"):
        return {"url": f"{values['inbox']}/nothing", "events": ["confirmation.read"]}
    if operation == "authenticateClient":
        return {"Username": values["clientId"], "Password": values["clientSecret"]}
    if operation == "createToken":
        return {
            "grant_type": "client_credentials",
            "client_id": values["clientId"],
            "client_secret": values["clientSecret"],
        }
    if operation == "searchOptOuts":
        return {"channel": "email", "email": values["optedOut"]}
    if operation == "releaseOptOut":
        return {"channel": "email", "email": values["optedOut"], "reason": "A letter of the person."}
    transaction = known_transaction(str(parameters.get("id")))
    if transaction and operation in ("validateSmsToken", "validateEmailToken"):
        code = read_code(transaction, "sms" if operation == "validateSmsToken" else "email")
        return {"value": code} if code else None
    return None
