"""Runs the table of all clients (cases.json), and prints what happened. Arguments: the table, the stand's address."""

import json
import re
import sys
import warnings

from parley import Parley, ParleyError, WebhookError, answer_bot_turn, verify_bot_turn, verify_webhook
from parley._transport import Surroundings

CLOSED = "http://127.0.0.1:2/api"
START = 1_000_000_000.0


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def ms(seconds):
    return None if seconds is None else round(seconds * 1000)


def run_call(case, base_url):
    call, waits, gaps, clock, items = case["call"], [], [], [START], []

    def sleep(seconds):
        waits.append(ms(seconds))
        clock[0] += seconds

    around = Surroundings(now=lambda: clock[0], random=lambda: 0.5, sleep=sleep)
    client = {snake(name): value for name, value in case.get("client", {}).items()}
    if "give_up_after_ms" in client:
        client["give_up_after"] = client.pop("give_up_after_ms") / 1000
    parley = Parley(CLOSED if "closed" in case else base_url, "pk:sk\n", timeout=10, _around=around, **client)
    if call["noun"] == "bots":
        method = lambda *given: answer_bot_turn(base_url, *given, _around=around)
    else:
        method = getattr(getattr(parley, snake(call["noun"])), snake(call["method"]))
    given = list(call.get("ids", []))
    if "count" in call:
        given.append([{"name": str(number)} for number in range(call["count"])])
    if "body" in call:
        given.append(call["body"])
    named = {snake(name): value for name, value in call.get("query", {}).items()}
    options = dict(case.get("options", {}))
    if "timeoutMs" in options:
        options["timeout"] = options.pop("timeoutMs") / 1000
    named.update({snake(name): value for name, value in options.items()})
    if call["noun"] == "events" and call["method"] in ("iterate", "stream"):
        named["on_gap"] = gaps.append
    said = {"waits": waits, "gaps": gaps, "items": items, "warns": []}
    warnings.resetwarnings()
    warnings.showwarning = lambda text, *_: said["warns"].append(str(text))
    try:
        for _ in range(call.get("times", 1)):
            gives = method(*given, **named)
        if hasattr(gives, "__next__"):
            for one in gives:
                items.append(one)
                if len(items) == call.get("take"):
                    break
            gives = items
        said["gives"] = gives.decode() if isinstance(gives, bytes) else gives
    except ValueError:
        said["mistake"] = True
    except ParleyError as error:
        said["fails"] = {
            "code": error.code,
            "status": error.status,
            "requestId": error.request_id,
            "details": error.details,
            "limit": error.limit,
            "usage": error.usage,
            "retryAfterMs": ms(error.retry_after),
            "idempotencyKey": error.idempotency_key,
            "attempts": error.attempts,
            "message": str(error),
        }
    rate = parley.rate_limit
    if rate is not None:
        said["rate"] = {
            "limit": rate.limit,
            "remaining": rate.remaining,
            "resetInMs": ms(rate.reset_at.timestamp() - clock[0]),
        }
    return said


def run_hook(hook):
    try:
        given = hook["body"].encode(), hook["headers"], hook["secret"]
        named = {"now": hook["now"], "tolerance": hook.get("toleranceSeconds", 300)}
        if hook.get("turn"):
            return {"event": verify_bot_turn(*given, **named)["token"]}
        return {"event": verify_webhook(*given, **named)["id"]}
    except WebhookError as error:
        return error.code
    except TypeError:
        return "MISTAKE"


with open(sys.argv[1], encoding="utf-8") as file:
    table = json.load(file)
json.dump(
    {
        "calls": [run_call(case, f"{sys.argv[2]}/case/{number}/api") for number, case in enumerate(table["calls"])],
        "webhooks": [run_hook(hook) for hook in table["webhooks"]],
    },
    sys.stdout,
)
