import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { FILES } from "../files.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

for (const type of ["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK"] as const)
  test(`${type}: a picture of ours shows as one on the customer's phone, its text too`, async () => {
    const { app } = stand.t;
    const shop = await stand.open(type);
    const { conversationId } = await shop.say({ text: "show me" });
    assert.ok(conversationId !== null);
    const file = { fileName: "a.png", mimeType: "image/png", body: Readable.from([FILES.png]) };
    const { id } = await uploadMedia(OPERATOR, app, shop.workspaceId, file);
    await acceptMessage(AGENT, app, shop.workspaceId, {
      conversationId,
      text: "here it is",
      attachments: [id],
    });
    for (let n = 0; n < 3; n++) await stand.settle();
    const shown = shop.line
      .thread({ limit: 50 })
      .filter((entry) => entry.kind === "message" && entry.by === "business");
    const kinds = shown.map((entry) => (entry.kind === "message" ? entry.type : ""));
    const words = shown.map((entry) => (entry.kind === "message" ? (entry.text ?? "") : ""));
    assert.ok(
      kinds.some((kind) => /image|photo/i.test(kind)),
      kinds.join(),
    );
    assert.equal(words.join(""), "here it is");
  });
