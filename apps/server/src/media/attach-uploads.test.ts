import { OPERATOR } from "../actor.ts";
import { AGENT } from "../../test/actors.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { acceptMessage } from "../messages/accept/accept-message.ts";
import { readAttachments } from "./attach-uploads.ts";
import type { MediaRules } from "./media-fit.ts";
import { PNG } from "./media.fixture.ts";
import type { Media } from "./media.ts";
import { sweepMedia } from "./sweep-media.ts";
import { uploadMedia } from "./upload-media.ts";

const DAY = 24 * 3_600_000;
let m: Messaging;
before(async () => void (m = await startMessaging()));
after(() => m[Symbol.asyncDispose]());

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
const upload = async ({ workspaceId }: Desk) =>
  (await uploadMedia(OPERATOR, m.t.app, workspaceId, { fileName: "a.png", body: once(PNG) })).id;

/** "accepted", or which attachment is refused and why. */
const sends = (desk: Desk, conversationId: string, attachments: readonly string[]) =>
  acceptMessage(AGENT, m.t.app, desk.workspaceId, {
    conversationId,
    text: null,
    attachments,
  }).then(
    () => "accepted",
    (error: unknown) => {
      assert.ok(error instanceof AppError && error.code === "VALIDATION_FAILED", String(error));
      return error.message;
    },
  );

test("an upload goes with one message of its own workspace, and stays with it", async () => {
  const [desk, other] = [await Desk.open(m), await Desk.open(m)];
  const [mine, theirs] = [await desk.hears("96551000001"), await other.hears("96551000002")];
  const id = await upload(desk);
  const unknown = "attachments[0]: is no file that was uploaded here";
  const taken = "already belongs to another message: upload it again";
  assert.equal(await sends(other, theirs, [id]), unknown);
  for (const wrong of ["nothing", m.t.app.ids.next()])
    assert.equal(await sends(desk, mine, [wrong]), unknown);
  assert.equal(await sends(desk, mine, [id, id]), `attachments[1]: ${taken}`);
  assert.equal(await sends(desk, mine, [id]), "accepted");
  assert.equal(await sends(desk, mine, [id]), `attachments[0]: ${taken}`);
  const eleven = Array.from({ length: 11 }, () => id);
  assert.equal(await sends(desk, mine, eleven), "attachments: must be at most 10 files");

  const [swept, raced] = [await upload(desk), await upload(desk)];
  const both = await Promise.all([sends(desk, mine, [raced]), sends(desk, mine, [raced])]);
  assert.equal(both.filter((one) => one === "accepted").length, 1);
  m.t.clock.advance(DAY);
  assert.equal(await sweepMedia(m.t.app), 1);
  assert.equal(await sends(desk, mine, [swept]), unknown);
  const left = await m.t.app.db.query<{ id: string }>(sql`
    select id from media where state = 'stored' order by id`);
  assert.deepEqual(
    left.map((row) => row.id),
    [id, raced],
  );
});

const RULES: MediaRules = {
  image: { mimeTypes: ["image/jpeg"], maxBytes: 5 },
  audio: { mimeTypes: ["audio/*; codecs=opus"], maxBytes: 10 },
  document: { mimeTypes: ["image/png", "image/jpeg"], maxBytes: 10 },
};
const fits: [kind: Media["kind"], type: string, size: number, rules: MediaRules, as: string][] = [
  ["image", "image/jpeg", 5, RULES, "image"],
  ["image", "image/jpeg", 6, RULES, "document"],
  ["image", "image/jpeg", 11, RULES, "cannot go: it has 11 bytes and this channel takes 10"],
  ["image", "image/png", 5, RULES, "document"],
  ["image", "image/webp", 5, RULES, "cannot go: this channel does not take image/webp"],
  ["audio", "audio/ogg", 10, RULES, "audio"],
  ["video", "video/mp4", 1, RULES, "cannot go: this channel does not take video/mp4"],
  ["image", "image/jpeg", 1, {}, "cannot go: this channel takes no files"],
];
const stored = (more: Partial<Media>): Media => ({
  workspaceId: "w",
  id: "1",
  bytesId: "1",
  kind: "image",
  state: "stored",
  reason: null,
  mimeType: "image/jpeg",
  fileName: "a",
  size: 1,
  sha256: "00",
  messageId: null,
  kept: false,
  createdAt: new Date(0),
  ...more,
});
/** As which kind the file goes, or why it does not. */
function goesAs(media: Media, rules: MediaRules = RULES): string | undefined {
  const read = readOne(media, rules);
  return read.ok ? read.media[0]?.kind : read.error.facts.details?.[0]?.message;
}
const readOne = (media: Media, rules: MediaRules) =>
  readAttachments(m.t.app, { workspaceId: "w", ids: ["1"] }, new Map([["w/1", media]]), rules);

test("a file goes as its own kind when that fits, otherwise as a document when that fits, otherwise not", () => {
  for (const [kind, mimeType, size, rules, as] of fits)
    assert.equal(
      goesAs(stored({ kind, mimeType, size }), rules),
      as,
      `${kind} ${mimeType} ${size}`,
    );
});

test("a refused file names its reason and the figures, for which a page has its own words", () => {
  const table: readonly [Partial<Media>, object][] = [
    [{ mimeType: "video/mp4" }, { code: "file.type", params: { type: "video/mp4" } }],
    [{ size: 11 }, { code: "file.size", params: { size: 11, most: 10 } }],
    [{ messageId: "2" }, { code: "file.used", params: {} }],
    [{ state: "failed" }, { code: "file.missing", params: {} }],
  ];
  for (const [more, reason] of table) {
    const read = readOne(stored(more), RULES);
    const [detail] = read.ok ? [] : (read.error.facts.details ?? []);
    assert.deepEqual({ code: detail?.code, params: detail?.params }, reason);
  }
});

test("a file that is being uploaded, or whose time is over, goes with no message", () => {
  for (const state of ["pending", "failed"] as const)
    assert.equal(goesAs(stored({ state })), "is no file that was uploaded here");
});
