import { KEY } from "../../test/actors.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Shop, startGround } from "../broadcasts/record/campaign.fixture.ts";
import { acceptMessages } from "../messages/accept/accept-message.ts";
import { createDispatchWorker } from "../workers/dispatch-messages.ts";
import { startLoops } from "../workers/loop.ts";
import { receiveNudges, sendNudges } from "./nudges.ts";
import { RESYNC_TOPIC, type Hint } from "./topics.ts";
import { createWake } from "./wake.ts";

test("a thousand nudges become a hint or two, and nudges for streams of events are passed to no other process", async () => {
  const hints: Hint[] = [];
  const second = Promise.withResolvers<void>();
  const wake = sendNudges(createWake(), {
    async publish(_, hint) {
      if (hints.push(hint) === 2) second.resolve();
    },
  });
  wake.nudge("feed");
  assert.equal(hints.length, 0);
  for (let n = 0; n < 1_000; n++) wake.nudge(n % 2 === 0 ? "messages" : "deliveries");
  await second.promise;
  assert.deepEqual(hints, [
    { kind: "nudge", queues: ["messages"] },
    { kind: "nudge", queues: ["deliveries", "messages"] },
  ]);
  // In this process too they arrive at once.
  assert.deepEqual([wake.nudges("messages"), wake.nudges("feed")], [500, 1]);
});

test("a reply that a process without workers accepts is sent by another one, long before that one looks by itself", async () => {
  await using ground = await startGround();
  const shop = await Shop.open(ground);
  const conversationId = await shop.desk.hears("96598880000");
  await using api = await ground.another({ role: "api" });
  await using other = await ground.another({ role: "worker" });
  const connected = Promise.withResolvers<void>();
  other.topics.subscribe(RESYNC_TOPIC, () => connected.resolve());
  const deafen = receiveNudges(other);
  await connected.promise;
  const loops = startLoops(other, [{ ...createDispatchWorker(other), pollMs: 3_600_000 }]);
  const called = Promise.withResolvers<void>();
  ground.graph.answer = () => {
    called.resolve();
    return ground.graph.accepted();
  };
  await api.db.transaction((tx) =>
    acceptMessages(api, tx, [{ actor: KEY, workspaceId: shop.id, conversationId, text: "Yes" }]),
  );
  await called.promise;
  deafen();
  await loops.stop();
});
