"""Everything of the client against a running server; prints what happened, as its siblings do."""

import hashlib
import hmac
import os
import time

from parley import Parley, ParleyError, WebhookError, verify_webhook

parley = Parley(os.environ.get("PARLEY_URL"), os.environ.get("PARLEY_KEY"))


def code_of(call):
    try:
        call()
    except (ParleyError, WebhookError) as error:
        return error.code
    return "it passed"


phones = os.environ["PHONES"]
first = parley.contacts.create({"phone": f"+{phones} 0001"})
print("created", first["phone"] == f"{phones}0001")
upserts = [{"match": ["phone"], "phone": f"{phones}{number:04}"} for number in range(1, 4)]
print("batch", *(result["outcome"] for _, result in parley.contacts.batch_all(upserts)))
print("listed", len({one["id"] for one in parley.contacts.iterate(page_size=1, search=phones)}))
print("searched", len(list(parley.contacts.iterate_search({"definition": {"match": "all", "rules": []}, "limit": 1}))) >= 3)
once = {"idempotency_key": f"send-{first['id']}"}
message = {"conversationId": parley.conversations.list(limit=1)["items"][0]["id"], "text": "مرحبا é 👋"}
print("once", parley.messages.send(message, **once)["id"] == parley.messages.send(message, **once)["id"])
print("refused", code_of(lambda: parley.contacts.create({})))
stream = parley.events.stream(after=0)
print("streamed", len([next(stream), next(stream)]))
stream.close()
print("late", code_of(lambda: parley.usage.get(timeout=0, max_retries=0)))
print("rate", parley.rate_limit and parley.rate_limit.limit)
stored = parley.media.store_file("thanks é".encode(), name="thanks.txt")
print("file", parley.media.download(stored["id"]).decode())
secret, body, at = "whsec_MDEyMw==", '{"type":"endpoint.test","data":{}}', int(time.time())
header = f"t={at},v1={hmac.new(secret.encode(), f'{at}.{body}'.encode(), hashlib.sha256).hexdigest()}"
print("verified", verify_webhook(body, {"X-Service-Signature": header}, secret)["type"])
print("forged", code_of(lambda: verify_webhook(f"{body} ", header, secret)))
