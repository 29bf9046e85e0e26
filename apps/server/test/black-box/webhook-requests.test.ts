import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { startApi, type Api } from "../v1/api.ts";
import { openConversation } from "../v1/fixtures.ts";
import { bad, good, startReceiver, type Received, type Receiver } from "../webhook-receiver.ts";

/** What a customer's endpoint gets, read as the spec tells a customer to read it. */
let api: Api;
let receiver: Receiver;
let secret: string;
before(async () => {
  api = await startApi();
  receiver = await startReceiver();
  ({ secret } = await createEndpoint(OPERATOR, api.app, api.workspaceId, {
    url: `${receiver.base}/all`,
  }));
});
after(async () => {
  receiver.close();
  await api[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await api.app.drain();
  receiver.clear();
});

interface Event {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: Record<string, unknown>;
}
const eventOf = ({ body }: Received) => JSON.parse(body) as Event;

/** The receiver's side of the spec, "Webhook endpoint requirements and signing". */
function verify({ headers, body }: Received, now: Date): boolean {
  const [, at, digest] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-service-signature"])) ?? [];
  if (at === undefined || digest === undefined) return false;
  if (Math.abs(now.getTime() / 1000 - Number(at)) > 300) return false;
  const expected = createHmac("sha256", secret).update(`${at}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(digest, "hex"));
}

test("a reply and that it was born failed are told: request, headers, members and signature as promised", async () => {
  const conversationId = await openConversation(api, { hoursAgo: 25 });
  await api.app.drain();
  receiver.clear();
  const reply = await api.call("POST", "/messages", { json: { conversationId, text: "late" } });
  await api.app.drain();
  const [created, one, ...more] = receiver.received;
  assert.ok(created && one);
  assert.equal(more.length, 0, "and nothing else");
  const first = eventOf(created);
  assert.deepEqual([first.type, first.data["messageId"]], ["message.created", reply.body["id"]]);
  assert.equal((first.data["message"] as Record<string, unknown>)["source"], "api");
  assert.equal(one.headers["content-type"], "application/json");
  assert.ok(verify(one, api.clock.now()));
  const event = eventOf(one);
  assert.deepEqual(Object.keys(event), [
    "id",
    "type",
    "apiVersion",
    "createdAt",
    "workspaceId",
    "sequence",
    "data",
  ]);
  const { contactId, contact, channelId, errorMessage, ...data } = event.data;
  assert.deepEqual(contact, first.data["contact"]);
  const facts = contact as Record<string, unknown>;
  assert.deepEqual(Object.keys(facts), ["id", "name", "phone", "externalId"]);
  assert.equal(facts["id"], contactId);
  assert.deepEqual(data, {
    messageId: reply.body["id"],
    conversationId,
    channelType: "WHATSAPP",
    previousStatus: null,
    status: "failed",
    errorCode: "131047",
    occurredAt: api.clock.now().toISOString(),
  });
  for (const id of [contactId, channelId, event.id]) assert.match(String(id), /^[0-9a-f-]{36}$/);
  assert.equal(typeof errorMessage, "string");
  assert.equal(one.headers["webhook-id"], event.id);
  const trio = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
      name,
      String(one.headers[name]),
    ]),
  );
  assert.deepEqual(new Webhook(secret).verify(one.body, trio), JSON.parse(one.body));
});

test("a retry has the same id and bytes, a time and signature of its own, and comes after its gap", async () => {
  receiver.answers.set("/all", bad);
  await api.call("POST", "/contacts", { json: { email: "retry@example.com" } });
  await api.app.drain();
  const gaps = [15, 60, 240, 600, 1500, 2700, 3600, 5685];
  const seen = [receiver.received.length];
  for (const gap of gaps) {
    api.clock.advance(gap * 0.89 * 1000);
    await api.app.drain();
    seen.push(receiver.received.length);
    api.clock.advance(gap * 0.22 * 1000);
    await api.app.drain();
    const last = receiver.received.at(-1);
    assert.ok(last && verify(last, api.clock.now()), "verifies within the receiver's 300 seconds");
  }
  // Never before its gap, always within ten percent of it.
  assert.deepEqual(seen, [1, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(receiver.received.length, 9);
  api.clock.advance(24 * 3_600_000);
  await api.app.drain();
  assert.equal(receiver.received.length, 9, "eight retries and no more");
  assert.equal(new Set(receiver.received.map((one) => one.body)).size, 1);
  assert.equal(new Set(receiver.received.map((one) => one.headers["webhook-id"])).size, 1);
  const signatures = receiver.received.map((one) => one.headers["x-service-signature"]);
  assert.equal(new Set(signatures).size, 9);
});

test("any 2xx acknowledges; a redirect does not and is not followed", async () => {
  for (const status of [200, 201, 202, 204, 299]) {
    receiver.clear();
    receiver.answers.set("/all", (response) => response.writeHead(status).end());
    await api.call("POST", "/contacts", { json: { email: `a${status}@example.com` } });
    await api.app.drain();
    api.clock.advance(20_000);
    await api.app.drain();
    assert.equal(receiver.received.length, 1, String(status));
  }
  receiver.clear();
  receiver.answers.set("/all", (response) => response.writeHead(302, { location: "/there" }).end());
  await api.call("POST", "/contacts", { json: { email: "redirect@example.com" } });
  await api.app.drain();
  receiver.answers.set("/all", good);
  api.clock.advance(20_000);
  await api.app.drain();
  assert.deepEqual(
    receiver.received.map((one) => one.path),
    ["/all", "/all"],
  );
});

test("the sequence rises by one per event, whatever sent it; a person's reply is told whole", async () => {
  const conversationId = await openConversation(api);
  await acceptMessage(AGENT, api.app, api.workspaceId, {
    conversationId,
    text: "by hand",
  });
  for (let i = 0; i < 3; i++)
    await api.call("POST", "/contacts", { json: { email: `s${i}@b.co` } });
  await api.app.drain();
  const events = receiver.received.map(eventOf).sort((one, other) => one.sequence - other.sequence);
  const [first] = events;
  assert.ok(first && events.length > 4);
  assert.deepEqual(
    events.map((one) => one.sequence),
    events.map((_, index) => first.sequence + index),
  );
  const created = events.find((one) => one.type === "message.created");
  const message = created?.data["message"] as Record<string, unknown>;
  assert.deepEqual(
    [message["text"], message["source"], message["direction"], created?.data["messageId"]],
    ["by hand", "dashboard", "outbound", message["id"]],
  );
  const contact = events.findLast((one) => one.type === "contact.created")?.data["contact"];
  assert.equal((contact as Record<string, unknown>)["email"], "s2@b.co");
});

test("an endpoint gets the kinds it names, and nothing of another workspace", async () => {
  const other = await api.newWorkspace();
  await createEndpoint(OPERATOR, api.app, api.workspaceId, {
    url: `${receiver.base}/some`,
    events: ["broadcast.status"],
  });
  await createEndpoint(OPERATOR, api.app, other.workspaceId, { url: `${receiver.base}/other` });
  await api.call("POST", "/contacts", { json: { email: "kinds@example.com" } });
  await api.app.drain();
  assert.deepEqual(
    receiver.received.map((one) => one.path),
    ["/all"],
  );
});
