"""A receiver that knows the documents alone: checks one delivery given as JSON on stdin, prints "ok" or why not."""

import base64
import hashlib
import hmac
import json
import sys

given = json.load(sys.stdin)
headers = {name.lower(): value for name, value in given["headers"].items()}
body = base64.b64decode(given["body"])
secret = given["secret"]
now = given["now"]


def service_signature() -> str:
    fields = [field.split("=", 1) for field in headers["x-service-signature"].split(",")]
    t = next(value for name, value in fields if name == "t")
    if abs(now - int(t)) > 300:
        return "the time is too far off"
    digest = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    matches = [hmac.compare_digest(digest, value) for name, value in fields if name == "v1"]
    return "ok" if any(matches) else "no signature fits"


def standard_webhooks() -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    t = headers["webhook-timestamp"]
    if abs(now - int(t)) > 300:
        return "the time is too far off"
    signed = f"{headers['webhook-id']}.{t}.".encode() + body
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    values = [one.split(",", 1) for one in headers["webhook-signature"].split(" ")]
    fits = any(version == "v1" and hmac.compare_digest(digest, value) for version, value in values)
    return "ok" if fits else "no signature fits"


print(json.dumps([service_signature(), standard_webhooks(), json.loads(body)["id"] == headers["webhook-id"]]))
