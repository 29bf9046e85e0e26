import { OPERATOR } from "../../actor.ts";
import { KEY } from "../../../test/actors.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Cable } from "../../../test/cable.ts";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import type { Context } from "../../context.ts";
import { openDatabase, type Db } from "../../db/database.ts";
import { isPassingFault } from "../../db/passing-fault.ts";
import { sql } from "../../db/sql.ts";
import { GroupCommit } from "../../lib/group-commit.ts";
import { acceptMessage } from "../accept/accept-message.ts";
import { createDispatcher } from "./dispatch-replies.ts";
import { atOnce } from "./at-once.fixture.ts";

let m: Messaging;
let cable: Cable;
let db: Db;
before(async () => {
  m = await startMessaging();
  cable = await Cable.lay(m.t.databaseUrl);
  db = openDatabase({ connectionString: cable.url });
});
after(async () => {
  await db.close();
  await cable[Symbol.asyncDispose]();
  await m[Symbol.asyncDispose]();
});

/** A process whose database connection goes through the cable. */
function behindTheCable(): Context {
  const context: Context = { ...m.t.app, db };
  return { ...context, groupCommit: new GroupCommit<Context>(db, () => context) };
}

for (const together of [1, 2, 5]) {
  test(`${together} at once, their commit done and its answer lost: nothing is stored twice, and the client may ask again`, async () => {
    const desk = await Desk.open(m);
    const conversationId = await desk.hears("96551000001");
    const app = behindTheCable();
    const many = Array.from({ length: together }, (_, index) => index);
    const rejected = async (asked: Promise<unknown>[]) => {
      for (const one of await Promise.allSettled(asked)) {
        assert.equal(one.status, "rejected");
        assert.ok(isPassingFault(one.reason), String(one.reason));
      }
    };
    cable.cuts = 0;
    cable.cutAtCommit = true;
    await rejected(
      many.map((index) =>
        acceptMessage(KEY, app, desk.workspaceId, { conversationId, text: `t${index}` }),
      ),
    );
    cable.cutAtCommit = true;
    await rejected(
      many.map((index) =>
        createContact(OPERATOR, app, desk.workspaceId, {
          name: "New",
          email: `n${index}@example.com`,
        }),
      ),
    );
    assert.equal(cable.cuts, 2);
    const [stored] = await m.t.app.db.query(sql`
      select (select count(*)::int from message where workspace_id = ${desk.workspaceId} and source = 'api')
          as replies,
        (select count(*)::int from contact where workspace_id = ${desk.workspaceId} and name = 'New') as contacts`);
    assert.deepEqual(stored, { replies: together, contacts: together });
  });
}

test("a connection that breaks before the commit leaves nothing, and the others of the batch go on", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  let broken = false;
  const breaking: Db = {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const value = await work(tx);
        if (!broken) {
          broken = true;
          await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
        }
        return value;
      }),
  };
  const context: Context = { ...m.t.app, db: breaking };
  const app = { ...context, groupCommit: new GroupCommit<Context>(breaking, () => context) };
  const ids = await Promise.all(
    ["a", "b"].map((text) => acceptMessage(KEY, app, desk.workspaceId, { conversationId, text })),
  );
  const rows = await m.t.app.db.query<{ id: string }>(
    sql`select id from message where workspace_id = ${desk.workspaceId} and source = 'api' order by id`,
  );
  assert.deepEqual(
    rows.map((row) => row.id),
    ids.map(({ id }) => id),
  );
});

test("the answer to the commit of an intent is lost: the reply was not called, goes back and is sent once", async () => {
  await m.t.app.drain();
  const desk = await Desk.open(m);
  const { id } = await desk.replies(await desk.hears("96551000001"));
  m.graph.sent.length = 0;
  const worker = createDispatcher(behindTheCable(), atOnce);
  cable.cuts = 0;
  cable.cutAtCommit = true;
  assert.equal(await worker.claim(), 1);
  await Promise.all(worker.inFlight);
  assert.equal(cable.cuts, 1);
  assert.deepEqual(await desk.outbox(), [{ message_id: id, state: "waiting" }]);
  assert.equal(m.graph.sent.length, 0);
  await m.t.app.drain();
  assert.equal(m.graph.sent.length, 1);
  assert.deepEqual(await desk.outbox(), []);
});

for (const lost of [1, 2])
  test(`the answer to the commit of the intent for part ${lost} is lost: the reply goes back, and each part is sent once`, async () => {
    await m.t.app.drain();
    const desk = await Desk.open(m);
    // Two UTF-16 units each: together twice what one send takes.
    const { id } = await desk.replies(await desk.hears("96551000001"), "\u{1f600}".repeat(3_000));
    m.graph.sent.length = 0;
    const worker = createDispatcher(behindTheCable(), atOnce);
    const round = async () => {
      assert.equal(await worker.claim(), 1);
      await Promise.all(worker.inFlight);
    };
    cable.cuts = 0;
    for (let part = 1; part < lost; part++) await round();
    cable.cutAtCommit = true;
    await round();
    assert.equal(cable.cuts, 1);
    assert.deepEqual(await desk.outbox(), [{ message_id: id, state: "waiting" }]);
    assert.equal(m.graph.sent.length, lost - 1);
    await m.t.app.drain();
    assert.deepEqual(
      m.graph.sent.map((one) => one.biz_opaque_callback_data),
      [`${id}.1`, `${id}.2`],
    );
    assert.deepEqual(await desk.outbox(), []);
  });
