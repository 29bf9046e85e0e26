import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { test } from "node:test";
import { freePort } from "../../../test/free-port.ts";
import { systemClock } from "../../lib/clock.ts";
import type { StreamingHttp } from "../../lib/http.ts";
import { createGuardedHttp } from "../../lib/outbound-http.ts";
import type { BotTurnCall } from "../../wire/external-bot.ts";
import { askExternal, readTurnAnswer, type ExternalBot, type TurnOutcome } from "./ask-external.ts";

const CALL: BotTurnCall = {
  type: "bot.turn",
  token: "token",
  conversationId: "conversation",
  contact: { id: "contact", firstName: null, language: "en" },
  messages: [],
  variables: {},
};
const ANSWER = { messages: [{ text: "Here I am." }] };

/**
 * Asks a bot that is away at first: nothing listens at its address. `back` is called after each call that got no
 * connection, with how many there were, and may start the bot by `listen`.
 */
async function askAbsent(
  how: Partial<ExternalBot> & { readonly once?: boolean },
  back: (refused: number, listen: (answer: RequestListener) => Promise<void>) => Promise<void>,
): Promise<{ readonly outcome: TurnOutcome; readonly calls: number; readonly ids: unknown[] }> {
  const port = await freePort();
  let bot: Server | undefined;
  const ids: unknown[] = [];
  const listen = async (answer: RequestListener) => {
    bot = createServer((request, response) => {
      ids.push(request.headers["webhook-id"]);
      request.resume().once("end", () => answer(request, response));
    }).listen(port, "127.0.0.1");
    await once(bot, "listening");
  };
  const http = createGuardedHttp({ allow: ["127.0.0.0/8"] });
  let calls = 0;
  const guardedHttp: StreamingHttp = {
    ...http,
    async request(request) {
      calls++;
      try {
        return await http.request(request);
      } catch (error) {
        if (bot === undefined) await back(calls, listen);
        throw error;
      }
    },
  };
  const address = { url: `http://127.0.0.1:${port}/turn`, secret: "whsec_x", ...how };
  const outcome = await askExternal({ guardedHttp, clock: systemClock }, address, "turn", CALL, {
    once: how.once ?? false,
  });
  bot?.closeAllConnections();
  bot?.close();
  return { outcome, calls, ids };
}

test("a bot that restarts gets its turn once it takes connections again, and gets it once", async () => {
  const asked = await askAbsent({ waitSeconds: 30 }, async (refused, listen) => {
    if (refused === 2) await listen((_request, response) => response.end(JSON.stringify(ANSWER)));
  });
  assert.deepEqual(asked, {
    outcome: { kind: "answered", answer: ANSWER },
    calls: 3,
    ids: ["turn"],
  });
});

test("what was posted is not posted again, though the connection breaks", async () => {
  const asked = await askAbsent({ waitSeconds: 30 }, async (_refused, listen) => {
    await listen((request) => request.socket.destroy());
  });
  const why = "the connection broke off before it answered (NETWORK_RESET)";
  const outcome = { kind: "failed", code: "NETWORK", why, value: "NETWORK_RESET" };
  assert.deepEqual(asked, { outcome, calls: 2, ids: ["turn"] });
});

test("a bot that stays away is given up after its time, in words; a test call says so at once", async () => {
  const why = "its address took no connection (NETWORK_CONNECT)";
  const outcome = { kind: "failed", code: "NETWORK", why, value: "NETWORK_CONNECT" };
  const asked = await askAbsent({ waitSeconds: 3 }, async () => {});
  assert.deepEqual(asked.outcome, outcome);
  // At 0, 250, 750 and 1,750 ms on a quiet machine; the next would be later than three seconds.
  assert.ok(asked.calls >= 2 && asked.calls <= 4, `${asked.calls} calls`);
  const tested = await askAbsent({ waitSeconds: 30, once: true }, async () => {});
  assert.deepEqual(tested, { outcome, calls: 1, ids: [] });
});

test("an answer of another form says what is wrong with it, in the words of the API", () => {
  const why = (answer: object) => {
    const read = readTurnAnswer(JSON.stringify(answer));
    return read.kind === "unfit"
      ? read.faults.map(({ path, message }) => `${path}: ${message}`).join("; ")
      : null;
  };
  assert.equal(
    why({ text: "Hi" }),
    "text: is unknown; known are messages, variables, end, handOver",
  );
  assert.equal(
    why({ messages: [{ text: "Hi", buttons: [] }] }),
    "messages.0.buttons: is unknown; known are text, choices",
  );
  assert.equal(why({ messages: [{}] }), "messages.0.text: is required");
  assert.equal(why([]), ": must be an object");
  const odd = ": must hold no NUL, no half of a character and at most 18 levels";
  const deep: unknown = JSON.parse(`${"[".repeat(3_000)}${"]".repeat(3_000)}`);
  for (const variables of [{ a: "\0" }, { a: "\ud83d" }, { deep }])
    assert.equal(why({ end: true, variables }), odd);
  const half = [{ text: "\ud83d", payload: "a" }];
  assert.equal(why({ messages: [{ text: "Hi", choices: half }] }), odd);
  assert.equal(why({ messages: [{ text: " \u200b" }] }), "messages.0.text: must have words");
  assert.equal(
    why({ handOver: { reason: "tired" }, messages: [{}] }),
    "messages.0.text: is required; handOver.reason: must be one of asked, no_source, outside_scope, flow",
  );
});
