import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { createDispatcher } from "../../src/messages/send/dispatch-replies.ts";
import { atOnce } from "../../src/messages/send/at-once.fixture.ts";
import type { Context } from "../../src/context.ts";
import { LONG } from "../group.ts";
import { MetaStand, type MetaShop } from "../meta-shop.ts";
import { mortal } from "./mortal.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const FILES = 3;
const MINUTE = 60_000;
/** In the short suite it dies at every fourth step. */
const STRIDE = LONG ? 1 : 4;

async function acceptFiles({ stand, workspaceId }: MetaShop, conversationId: string) {
  const { app } = stand.t;
  const attachments: string[] = [];
  for (let n = 1; n <= FILES; n++) {
    const file = { fileName: `${n}.png`, mimeType: "image/png", body: Readable.from([PNG]) };
    attachments.push((await uploadMedia(OPERATOR, app, workspaceId, file)).id);
  }
  const input = { conversationId, text: null, attachments } as const;
  return (await acceptMessage(AGENT, app, workspaceId, input)).id;
}

/** Until there is nothing more to send. */
async function work(context: Context): Promise<"done"> {
  const dispatcher = createDispatcher(context, atOnce);
  while ((await dispatcher.claim()) > 0) await Promise.all(dispatcher.inFlight);
  return "done";
}

test(`a message of three files whose worker dies at ${LONG ? "each" : "a quarter"} of its steps: no file goes twice, one status`, async (t) => {
  await using stand = await MetaStand.start("MESSENGER");
  const { app, clock } = stand.t;
  // One page for all steps: with a page for each, every turn of every worker looks after dozens of them.
  const shop = await stand.openShop();
  const ends: Record<string, number> = {};
  let alive = false;
  let steps = 0;
  for (; !alive; steps += STRIDE) {
    assert.ok(steps < 200);
    stand.meta.clear();
    const id = await acceptFiles(shop, await shop.hears(`2500000000${1_000 + steps}`));
    const { worker, died } = mortal(app, steps);
    alive = (await Promise.race([work(worker), died])) !== "died";

    // Others work on, the platform echoes what it has, and the time for evidence passes.
    for (const wait of [6, 16]) {
      clock.advance(wait * MINUTE);
      await app.drain();
      await stand.meta.flush();
    }
    await app.drain();

    const at = `after ${steps} steps`;
    const sent = stand.meta.messages().length;
    assert.deepEqual(stand.meta.ledger.repeated(), [], at);
    assert.ok(sent <= FILES, at);
    const { status, error_code: code } = await shop.stored(id);
    const moves = await shop.moves(id);
    if (sent === FILES) {
      assert.equal(status, "read", at);
      assert.deepEqual(moves, ["sent>delivered", "delivered>read"], at);
    } else {
      // Died between the intent and the first byte: nobody can tell, so it is never repeated.
      assert.deepEqual([status, code], ["failed", "OUTCOME_UNKNOWN"], at);
      assert.deepEqual(moves, ["sent>failed"], at);
    }
    assert.deepEqual(await shop.outbox(), [], at);
    const end = `${sent} sent, ${status}`;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  t.diagnostic(`${steps - STRIDE} places to die: ${JSON.stringify(ends)}`);
  assert.ok(steps > 30 && Object.keys(ends).length === FILES + 1);
});
