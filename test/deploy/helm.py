"""Lints and renders a chart with Helm. Reads {chart, values: [values]} from standard input.

Prints a list with one entry for each of the values: {manifests: {file: YAML}}, or {error: text}. An entry with manifests
also has the findings of `helm lint --strict`, as texts.
"""

import json
import sys

from helm_python import Chart, lint
from helm_python.errors import HelmError

# The oldest version that the chart accepts.
KUBE_VERSION = "v1.30.0"
WARNING = 2


def check(path, chart, values):
    try:
        manifests = chart.render(values, name="verify", namespace="identity", is_install=True)
    except HelmError as error:
        return {"error": str(error)}
    report = lint(path, values, strict=True, kube_version=KUBE_VERSION)
    findings = [m["error"] for m in report["messages"] if m["severity"] >= WARNING] + report["errors"]
    return {"manifests": manifests, "findings": findings}


request = json.load(sys.stdin)
with Chart.load(request["chart"]) as loaded:
    print(json.dumps([check(request["chart"], loaded, values) for values in request["values"]]))
