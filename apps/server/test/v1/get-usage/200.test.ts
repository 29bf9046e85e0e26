import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi, TestClock } from "../api.ts";
import { openConversation } from "../fixtures.ts";

test("the calendar month in UTC, by channel; a failed message spends its slot", async () => {
  const clock = new TestClock();
  clock.set(new Date("2026-11-30T23:00:00.000Z"));
  await using api = await startApi({ clock });
  const open = await openConversation(api);
  for (const text of ["a", "b"])
    await api.call("POST", "/messages", { json: { conversationId: open, text } });
  const closed = await openConversation(api, { hoursAgo: 30 });
  await api.call("POST", "/messages", { json: { conversationId: closed, text: "late" } });
  const { status, body } = await api.call("GET", "/usage");
  assert.equal(status, 200);
  const usage = body["usage"] as {
    byChannel: { sent: number; failed: number; displayName: string }[];
  };
  const { byChannel, ...figures } = usage;
  assert.deepEqual(figures, {
    messages: 3,
    seats: 0,
    bots: 0,
    channels: 2,
    aiReplies: 0,
    failed: 1,
  });
  assert.deepEqual(body["limits"], {
    messages: 500,
    seats: 2,
    bots: 1,
    channels: 2,
    aiReplies: 50,
  });
  assert.deepEqual(byChannel.map((one) => `${one.sent} ${one.failed}`).sort(), ["0 1", "2 0"]);
  const { byChannel: again, ...period } = body["period"] as { byChannel: object[] };
  assert.deepEqual(period, { total: 3, sent: 2, received: 0, failed: 1, aiReplies: 0 });
  assert.equal(again.length, 2);
  assert.deepEqual(
    [body["plan"], body["percentUsed"], body["periodStart"], body["periodEnd"]],
    ["free", 0, "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
  );

  clock.set(new Date("2026-12-01T00:00:00.000Z"));
  const next = await api.call("GET", "/usage");
  assert.equal((next.body["usage"] as { messages: number }).messages, 0);
  assert.equal(next.body["periodStart"], "2026-12-01T00:00:00.000Z");
});

test("null means unlimited", async () => {
  await using api = await startApi();
  const { bearer } = await api.newWorkspace("business");
  const { body } = await api.call("GET", "/usage", { bearer });
  assert.deepEqual(body["limits"], {
    messages: null,
    seats: null,
    bots: null,
    channels: null,
    aiReplies: null,
  });
  assert.equal(body["percentUsed"], null);
});
