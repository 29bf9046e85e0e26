import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import type { TestApp } from "../../test/harness.ts";
import { bad, bareWorkspace, type Receiver, type Received } from "../../test/webhook-receiver.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { createDeliveryLanes } from "./delivery-lanes.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { emitEvents } from "./emit-events.ts";
import { enableEndpoint } from "./enable-endpoint.ts";
import { OUTBOUND_STATUSES } from "../wire/words.ts";
import type { NewEvent } from "./event.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { redeliver } from "./redeliver.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

/** Emits `message.status` events of messages by name, each in its own transaction. */
function teller(workspaceId: string) {
  const ids = new Map<string, string>();
  const idOf = (name: string) => {
    const id = ids.get(name) ?? t.app.ids.next();
    ids.set(name, id);
    return id;
  };
  const event = (name: string, status: string): NewEvent => ({
    workspaceId,
    type: "message.status",
    data: {
      messageId: idOf(name),
      conversationId: null,
      contactId: null,
      channelId: null,
      channelType: null,
      previousStatus: null,
      status: OUTBOUND_STATUSES.find((one) => one === status) ?? assert.fail(status),
      errorCode: null,
      errorMessage: null,
      occurredAt: t.clock.now().toISOString(),
    },
  });
  const nameOf = (id: string) => [...ids].find(([, one]) => one === id)?.[0];
  return {
    tell: async (...moves: string[]) => {
      const events = moves.map((move) => {
        const [name = "", status = ""] = move.split(" ");
        return event(name, status);
      });
      await t.app.db.transaction((tx) => emitEvents(t.app, tx, events));
    },
    read: (request: Received): string => {
      const { data } = JSON.parse(request.body) as { data: { messageId: string; status: string } };
      return `${nameOf(data.messageId)} ${data.status}`;
    },
  };
}

test("later events of a message do not overtake its retry, and other messages go on", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/in` });
  const { tell, read } = teller(id);
  let refuse = true;
  receiver.answers.set("/in", (response, request) => {
    if (refuse && read(request) === "a sent") bad(response, request);
    else response.writeHead(204).end();
  });
  await tell("a sent");
  await t.app.drain();
  await tell("a delivered", "b sent", "a read", "b delivered");
  t.clock.advance(1_000);
  await t.app.drain();
  assert.deepEqual(receiver.received.map(read), ["a sent", "b sent", "b delivered"]);
  const waiting = (await listDeliveries(t.app, id, endpoint.id, { state: "pending" })).items.length;
  assert.equal(waiting, 3, "held back behind the one that is retried");
  refuse = false;
  t.clock.advance(20_000);
  await t.app.drain();
  assert.deepEqual(receiver.received.map(read).slice(3), ["a sent", "a delivered", "a read"]);
});

test("events of different messages go side by side, and those of one message one after another", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/slow` });
  const { tell, read } = teller(id);
  const names = Array.from({ length: 20 }, (_, index) => `m${index}`);
  const statuses = ["sent", "delivered", "read"];
  await tell(...statuses.flatMap((status) => names.map((name) => `${name} ${status}`)));
  const open = new Set<string>();
  const together: string[] = [];
  receiver.answers.set("/slow", (response, request) => {
    const [name = ""] = read(request).split(" ");
    if (open.has(name)) together.push(name);
    open.add(name);
    response.on("finish", () => open.delete(name));
    setImmediate(() => response.writeHead(204).end());
  });
  await t.app.drain();
  assert.deepEqual(together, []);
  assert.ok(receiver.most > 1, "different messages go side by side");
  for (const name of names) {
    const seen = receiver.received.map(read).filter((move) => move.startsWith(`${name} `));
    assert.deepEqual(
      seen,
      statuses.map((status) => `${name} ${status}`),
    );
  }
});

test("an event that its receiver never accepts holds the next of its message back for three attempts, not for nine", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/picky` });
  const { tell, read } = teller(id);
  receiver.answers.set("/picky", (response, request) =>
    read(request) === "a sent" ? bad(response, request) : response.writeHead(200).end(),
  );
  await tell("a sent", "a delivered");
  const times: number[] = [];
  const begun = t.clock.now().getTime();
  for (let round = 0; round < 14_500;) {
    const before = receiver.received.length;
    await t.app.drain();
    const seconds = (t.clock.now().getTime() - begun) / 1_000;
    for (let seen = before; seen < receiver.received.length; seen++) times.push(seconds);
    // One second at a time while the first is alone, then in the steps of the schedule.
    const step = receiver.received.length < 4 ? 1 : 600;
    round += step;
    t.clock.advance(step * 1_000);
  }
  t.clock.advance(2 * 60 * 60 * 1_000);
  await t.app.drain();
  const seen = receiver.received.map(read);
  const sent = (count: number) => Array.from({ length: count }, () => "a sent");
  assert.deepEqual(seen, [...sent(3), "a delivered", ...sent(6)]);
  const waited = times[3] ?? Number.NaN;
  assert.ok(waited >= 67 && waited <= 86, `held back for ${waited} s`);
});

test("events that were held while the endpoint was disabled go out in order too", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/back` });
  const { tell, read } = teller(id);
  await disableEndpoint(OPERATOR, t.app, id, endpoint.id);
  await tell("a sent", "b sent");
  await tell("a delivered", "b delivered", "a read");
  await enableEndpoint(OPERATOR, t.app, id, endpoint.id);
  await t.app.drain();
  const of = (name: string) => receiver.received.map(read).filter((move) => move.startsWith(name));
  assert.deepEqual(of("a"), ["a sent", "a delivered", "a read"]);
  assert.deepEqual(of("b"), ["b sent", "b delivered"]);
});

test("an endpoint whose only due events are held back is not claimed", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/wait` });
  const { tell } = teller(id);
  receiver.answers.set("/wait", bad);
  await tell("a sent");
  await t.app.drain();
  await tell("a delivered");
  t.clock.advance(2_000);
  const lanes = createDeliveryLanes(t.app);
  assert.equal(await lanes.turn(), 0);
  await tell("b sent");
  assert.equal(await lanes.turn(), 1, "and one of another message is not kept waiting by a lease");
  await lanes.stop();
});

test("an event that is held back is due when the one before it is, and at once when that one is sent again by hand", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/hand` });
  const { tell, read } = teller(id);
  receiver.answers.set("/hand", bad);
  await tell("a sent", "a delivered");
  await t.app.drain();
  await tell("a read");
  const rows = (await listDeliveries(t.app, id, endpoint.id)).items;
  assert.equal(new Set(rows.map((row) => row.nextAttemptAt?.getTime())).size, 1);
  assert.ok(rows.every((row) => (row.nextAttemptAt?.getTime() ?? 0) > t.clock.now().getTime()));
  receiver.clear();
  t.clock.advance(1_000);
  await redeliver(OPERATOR, t.app, id, endpoint.id, { eventId: rows.at(-1)?.eventId ?? "" });
  await t.app.drain();
  assert.deepEqual(receiver.received.map(read), ["a sent", "a delivered", "a read"]);
});

test("a slow endpoint holds back only its own events of the message", async () => {
  const [slow, quick] = [await bareWorkspace(t), await bareWorkspace(t)];
  await createEndpoint(OPERATOR, t.app, slow, { url: `${receiver.base}/hang` });
  await createEndpoint(OPERATOR, t.app, slow, { url: `${receiver.base}/same` });
  await createEndpoint(OPERATOR, t.app, quick, { url: `${receiver.base}/other` });
  const hanging: ServerResponse[] = [];
  receiver.answers.set("/hang", (response) => void hanging.push(response));
  const moves = ["a sent", "a delivered", "a read"];
  await teller(slow).tell(...moves);
  await teller(quick).tell(...moves);
  const lanes = createDeliveryLanes(t.app);
  const came = (path: string) => receiver.received.filter((one) => one.path === path).length;
  const end = performance.now() + 60_000;
  while (came("/same") + came("/other") < 6 && performance.now() < end) {
    await lanes.turn();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual([came("/same"), came("/other"), came("/hang")], [3, 3, 1]);
  for (const response of hanging) response.destroy();
  await lanes.stop();
});
