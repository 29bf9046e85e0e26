import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../actor.ts";
import { sql } from "../db/sql.ts";
import { MediaGround } from "../media/media.fixture.ts";
import { findMedia } from "../media/open-media.ts";
import { sweepMedia } from "../media/sweep-media.ts";
import { changeRetention, previewRetention } from "./change-retention.ts";
import { runRetentionBatch } from "./run-retention.ts";

const DAY = 86_400_000;

let ground: MediaGround;
before(async () => {
  ground = await MediaGround.open({ mediaMaxBytes: 1_000 });
});
after(() => ground[Symbol.asyncDispose]());

test("files go before their messages, which stay and say so; bytes go with the last file that has them", async () => {
  const { app, clock } = ground.t;
  const { workspaceId } = ground.account;
  const message = await ground.receives(`${ground.base}/old`);
  await ground.fetch();
  clock.advance(70 * DAY);
  const newer = await ground.receives(`${ground.base}/new`);
  await ground.fetch();
  const before = await ground.files();
  const preview = await previewRetention(OPERATOR, app, workspaceId, { fileMonths: 2 });
  const { messages, files } = "answer" in preview ? preview.answer : preview;
  assert.deepEqual([messages.count, files.count], [0, 1]);
  await changeRetention(OPERATOR, app, workspaceId, { fileMonths: 2 });
  clock.advance(DAY);
  while ((await runRetentionBatch(app)) > 0);
  const gone = await ground.attachment(message);
  assert.deepEqual([gone["status"], gone["reason"], gone["fileName"]], ["failed", "expired", null]);
  assert.equal((await ground.attachment(newer))["status"], "stored");
  // Nobody reads the file from now on; its bytes go with the sweep.
  const id = String(gone["mediaId"]);
  assert.equal((await findMedia(app, workspaceId, id))?.state, "failed");
  while ((await sweepMedia(app)) > 0);
  assert.equal(await findMedia(app, workspaceId, id), null);
  assert.equal((await ground.files()).length, before.length - 1);
  // Its message goes with the other one's file when messages are kept no longer.
  await changeRetention(OPERATOR, app, workspaceId, { messageMonths: 1, fileMonths: null });
  clock.advance(40 * DAY);
  while ((await runRetentionBatch(app)) > 0);
  while ((await sweepMedia(app)) > 0);
  const left = await app.db.query(sql`
    select id from message where workspace_id = ${workspaceId}
    union all select id from media where workspace_id = ${workspaceId}`);
  assert.deepEqual(left, []);
  assert.equal((await ground.files()).length, before.length - 2);
});
