"""Hooks of schemathesis: valid values, exclusions of checks, and the result for run-fuzz.ts."""

import atexit
import json
import os
import sys
import threading
from collections import Counter, defaultdict

import schemathesis
from schemathesis.generation.modes import GenerationMode
from schemathesis.generation.meta import TestPhase

import exclusions
import valid_values

# The share (0 to 1) of the valid requests that get known values, from valid_values.py. The other valid requests stay random.
KNOWN_SHARE = 0.5
# All valid requests of an operation get known values until a request succeeds, or until this number of requests. Then KNOWN_SHARE applies.
TRIES = 30
# Each time this number of requests was sent, a line about the progress is written. run-schemathesis.ts reads these lines.
PROGRESS_EVERY = 250

statuses: dict[str, Counter] = defaultdict(Counter)
excluded: Counter = Counter()
failures: dict[tuple, dict] = {}
# The operations that have succeeded, in this round or an earlier one.
succeeded: set[str] = set(json.loads(os.environ["FUZZ_SUCCEEDED"]))
tries: Counter = Counter()
lock = threading.Lock()


def operation_of(case) -> str:
    return case.operation.definition.raw.get("operationId", case.operation.label)


def is_valid(case) -> bool:
    """Whether schemathesis made the request to follow the OpenAPI document. Other requests break the document on purpose."""
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = operation_of(case)
    if case.path_parameters:
        case.path_parameters.update(valid_values.protected(operation, case.path_parameters))
    if not is_valid(case):
        return
    # Schemathesis sometimes sends 0 in this header, and calls the request valid. The schema of the header does not allow 0.
    if case.headers.get("If-Match") == "0":
        case.headers.pop("If-Match")
    # Limits the wait for events to a second. A longer wait would only delay other requests.
    if case.query and "wait" in case.query:
        case.query["wait"] = min(1, int(case.query["wait"]))
    tries[operation] += 1
    needs_success = operation not in succeeded and tries[operation] <= TRIES
    if not needs_success and valid_values.random.random() > KNOWN_SHARE:
        return
    # With a random idempotency key, a request with known values could get the answer of an earlier request.
    case.headers.pop("Idempotency-Key", None)
    # The client in this test does not allow random return URLs.
    case.headers.pop("X-Countersign-Return-Url", None)
    if isinstance(case.body, dict):
        case.body.pop("returnUrl", None)
    if operation == "createTransaction":
        case.headers.pop("X-Countersign-Flow", None)
        case.query = {}
    if case.path_parameters:
        known = valid_values.path_parameters(operation)
        # In a sequence, schemathesis takes ids from earlier responses, as the `links` of the OpenAPI document say.
        # These links have no name of a flow, but startFlowRun needs one.
        if case.meta.phase.name == TestPhase.STATEFUL and valid_values.is_known(case.path_parameters):
            known = {"name": known["name"]} if operation == "startFlowRun" else {}
        case.path_parameters.update({name: known[name] for name in case.path_parameters if name in known})
    body = valid_values.body_for(operation, case.path_parameters or {})
    if body is not None:
        case.body = body


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        statuses[operation_of(case)][response.status_code] += 1
        total = sum(sum(counts.values()) for counts in statuses.values())
    if 200 <= response.status_code < 300:
        succeeded.add(operation_of(case))
    if total % PROGRESS_EVERY == 0:
        print(f"requests {total}", file=sys.stderr, flush=True)
    if operation_of(case) in ("createTransaction", "startFlowRun", "putFlow") and response.status_code == 201:
        body = case.body if isinstance(case.body, dict) else {}
        valid_values.remember(operation_of(case), case.path_parameters, body, response.json())


@schemathesis.hook
def filter_failure(context, failure, case, response):
    reason = exclusions.reason_for(failure, case, response)
    with lock:
        if reason:
            excluded[reason] += 1
            return False
        key = (operation_of(case), type(failure).__name__, response.status_code if response is not None else 0)
        failures.setdefault(
            key,
            {
                "operation": operation_of(case),
                "title": failure.title,
                "message": failure.message[:600],
                "request": case.as_curl_command()[:1500],
                "response": response.text[:600] if response is not None else "",
                "count": 0,
            },
        )["count"] += 1
    return True


@atexit.register
def write_result():
    with open(os.environ["FUZZ_RESULT"], "w", encoding="utf-8") as file:
        json.dump({"statuses": statuses, "excluded": excluded, "failures": list(failures.values())}, file)
