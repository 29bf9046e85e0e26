import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { FILES } from "../files.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";
import { SANDBOX_TYPES, type SandboxType } from "../../src/wire/words.ts";

/** Customers' files on every platform: said over the phone routes, fetched from the platform and kept by us. */
let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

const SENT = {
  picture: ["a.png", "image/png", FILES.png],
  film: ["a.mp4", "video/mp4", FILES.mp4],
  sound: ["a.ogg", "audio/ogg", FILES.ogg],
  document: ["a.pdf", "application/pdf", FILES.pdf],
  sticker: ["a.webp", "image/webp", FILES.webp],
} as const;
type Sent = keyof typeof SENT;

const ALL = { picture: "image", film: "video", sound: "audio", document: "document" } as const;
const APPS = { ...ALL, sticker: "sticker" } as const;
/** What each comes in as; what is missing customers of the platform cannot send. */
const KINDS: Record<SandboxType, Partial<Record<Sent, string>>> = {
  WHATSAPP: APPS,
  MESSENGER: { ...ALL, sticker: "image" },
  INSTAGRAM: { ...ALL, sticker: "image" },
  TELEGRAM: APPS,
  TIKTOK: { picture: "image", film: "video", sticker: "image" },
  SMS: {},
};

const bodyOf = (sent: Sent) => {
  const [fileName, mimeType, bytes] = SENT[sent];
  return { fileName, mimeType, base64: bytes.toString("base64") };
};

interface Shown {
  readonly text: string | null;
  readonly attachments: readonly Readonly<Record<string, unknown>>[];
}
async function received(shop: SandboxShop): Promise<Shown[]> {
  const events = await shop.events("message.received");
  return events.map((one) => one["message"] as Shown);
}

for (const type of SANDBOX_TYPES) {
  test(`${type}: what customers can send comes in as what it is, and nothing else leaves the phone`, async () => {
    const shop = await stand.open(type);
    for (const sent of Object.keys(SENT) as Sent[]) {
      const before = shop.line.thread({ limit: 50 }).length;
      const { status, body } = await shop.phone("POST", "/say", { file: bodyOf(sent) });
      const kind = KINDS[type][sent];
      if (kind === undefined) {
        const [first] = (body["details"] ?? []) as { path: string }[];
        assert.deepEqual([status, first?.path], [400, "file"], sent);
        assert.equal(shop.line.thread({ limit: 50 }).length, before);
        continue;
      }
      assert.equal(status, 201, JSON.stringify(body));
      const { attachments } = (await received(shop)).at(-1) ?? { attachments: [] };
      assert.deepEqual([attachments.length, attachments[0]?.["type"]], [1, kind], sent);
      const spoken = sent === "sound" && (type === "WHATSAPP" || type === "TELEGRAM");
      assert.equal(attachments[0]?.["voice"], spoken ? true : undefined, sent);
      await stand.settle();
      const kept = await fetch(String(attachments[0]?.["url"]));
      assert.equal(kept.status, 200, sent);
      assert.deepEqual(Buffer.from(await kept.arrayBuffer()), SENT[sent][2]);
    }
  });
}

test("a text goes with a file where the platform has captions, and is the next message where not", async () => {
  for (const [type, sent, texts] of [
    ["WHATSAPP", "picture", ["look"]],
    ["WHATSAPP", "sound", [null, "look"]],
    ["WHATSAPP", "sticker", [null, "look"]],
    ["TELEGRAM", "sticker", ["👍", "look"]],
    ["TELEGRAM", "document", ["look"]],
    ["MESSENGER", "picture", [null, "look"]],
    ["INSTAGRAM", "picture", [null, "look"]],
    ["TIKTOK", "picture", [null, "look"]],
  ] as const) {
    const shop = await stand.open(type);
    const said = await shop.phone("POST", "/say", { text: "look", file: bodyOf(sent) });
    assert.equal(said.status, 201, JSON.stringify(said.body));
    const messages = await received(shop);
    assert.deepEqual(
      messages.map(({ text }) => text),
      texts,
      `${type} ${sent}`,
    );
    const shown = shop.line.thread({ limit: 10 }).filter(({ kind }) => kind === "message");
    assert.equal(shown.length, texts.length);
  }
});

test("a customer's name comes as on the platform: with the message, or on request", async () => {
  for (const type of ["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK"] as const) {
    const shop = await stand.open(type);
    await shop.say({ name: "Sara Al Ali", text: "hi" });
    await stand.settle();
    const { body } = await shop.api("GET", "/contacts");
    const [contact] = body["items"] as { name: string }[];
    assert.equal(contact?.name, "Sara Al Ali", type);
  }
});
