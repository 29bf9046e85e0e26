import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { WhatsAppAPI } from "whatsapp-api-js/middleware/node-http";
import {
  Audio,
  BodyComponent,
  BodyParameter,
  Document,
  Image,
  Template,
  Text,
} from "whatsapp-api-js/messages";
import { createWhatsAppEmulator } from "../src/index.ts";
import { FILES } from "./files.ts";

// A client that we did not write: it verifies our webhooks and calls our endpoint.
const PHONE_ID = "106540352242922";

async function start() {
  const emulatorUrl = { value: "" };
  const client = new WhatsAppAPI({
    token: "token-1",
    appSecret: "app-secret-1",
    webhookVerifyToken: "verify-me",
    v: "v24.0",
    ponyfill: {
      fetch: (url, init) => {
        const to = url instanceof Request ? url.url : url.toString();
        return fetch(to.replace("https://graph.facebook.com", emulatorUrl.value), init);
      },
    },
  });
  const answers: number[] = [];
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      try {
        response.end(client.handle_get(request));
      } catch {
        response.writeHead(403).end();
      }
      return;
    }
    void client.handle_post(request).then((status) => {
      answers.push(status);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const emulator = await createWhatsAppEmulator({
    delivery: "manual",
    numbers: [
      {
        phoneNumberId: PHONE_ID,
        wabaId: "102290129340398",
        accessToken: "token-1",
        appSecret: "app-secret-1",
        webhook: { url: `http://127.0.0.1:${port}/`, verifyToken: "verify-me" },
      },
    ],
  });
  emulatorUrl.value = emulator.url;
  return {
    client,
    emulator,
    answers,
    async [Symbol.asyncDispose]() {
      await emulator.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

test("whatsapp-api-js verifies our webhooks, Arabic and emoji included, and answers through our endpoint", async () => {
  await using t = await start();
  const seen: string[] = [];
  t.client.on.message = async ({ message, reply, received, name }) => {
    if (message.type !== "text") return;
    seen.push(`${name ?? ""}: ${message.text.body}`);
    await received();
    await reply(new Text("أهلا 👋"), true, "corr-1");
  };
  const statuses: string[] = [];
  t.client.on.status = ({ status, biz_opaque_callback_data }) => {
    statuses.push(`${status} ${biz_opaque_callback_data ?? ""}`);
  };
  t.emulator.inbound({
    phoneNumberId: PHONE_ID,
    from: "96550001234",
    name: "سارة",
    text: "مرحبا / café 😀",
  });
  await t.emulator.flush();
  assert.deepEqual(seen, ["سارة: مرحبا / café 😀"]);
  assert.deepEqual(statuses, ["sent corr-1", "delivered corr-1", "read corr-1"]);
  assert.deepEqual(new Set(t.answers), new Set([200]));
  assert.equal(t.emulator.messages()[0]?.text, "أهلا 👋");
});

test("whatsapp-api-js answers a customer without a phone number by the user id that we gave it", async () => {
  await using t = await start();
  t.client.on.message = async ({ reply }) => void (await reply(new Text("hello")));
  const recipients: unknown[] = [];
  t.client.on.status = ({ recipient }) => void recipients.push(recipient);
  const userId = "KW.134912086553";
  t.emulator.inbound({ phoneNumberId: PHONE_ID, userId, name: "N", text: "hi" });
  await t.emulator.flush();
  assert.equal(t.emulator.messages()[0]?.to, userId);
  assert.equal(recipients.length, 3);
  assert.ok(recipients.every((one) => Object(one).bsuid === userId && !Object(one).phone));
});

test("whatsapp-api-js refuses our webhooks with a wrong signature", async () => {
  await using t = await start();
  for (const mode of ["wrong", "short_hex", "sha1_only", "missing"] as const) {
    t.emulator.sign(mode);
    t.emulator.inbound({ phoneNumberId: PHONE_ID, from: "96550001234", text: "مرحبا" });
    await t.emulator.flush();
    t.emulator.line.clear();
    assert.notEqual(t.answers.pop(), 200, mode);
  }
});

test("whatsapp-api-js answers our handshake only for its own token", async () => {
  await using t = await start();
  assert.equal(await t.emulator.subscribe(PHONE_ID), true);
  assert.equal(await t.emulator.subscribe(PHONE_ID, "another"), false);
});

test("whatsapp-api-js sends a template through our endpoint", async () => {
  await using t = await start();
  t.emulator.addTemplate("102290129340398", {
    name: "order_update",
    language: "ar",
    components: [{ type: "BODY", text: "طلبك {{1}} في الطريق يا {{2}}" }],
  });
  const template = (...values: string[]) => {
    const [first = "", ...rest] = values;
    return new Template(
      "order_update",
      "ar",
      new BodyComponent(new BodyParameter(first), ...rest.map((v) => new BodyParameter(v))),
    );
  };
  const sent = await t.client.sendMessage(
    PHONE_ID,
    "96550001234",
    template("A-17", "سارة"),
    undefined,
    "c1",
  );
  assert.ok("messages" in sent && sent.messages[0]?.id.startsWith("wamid."));
  const refused = await t.client.sendMessage(PHONE_ID, "96550001234", template("A-17"));
  assert.ok("error" in refused && refused.error.code === 132000);
});

test("whatsapp-api-js uploads, sends, looks up, fetches and deletes files through our endpoint", async () => {
  await using t = await start();
  const upload = async (bytes: Buffer, type: string) => {
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)], { type }));
    const media = await t.client.uploadMedia(PHONE_ID, form);
    assert.ok("id" in media);
    return media.id;
  };
  const picture = await upload(FILES.png, "image/png");
  const bill = await upload(FILES.pdf, "application/pdf");
  const voice = await upload(FILES.ogg, "audio/ogg");
  for (const message of [
    new Image(picture, true, "look"),
    new Document(bill, true, "the bill", "a.pdf"),
    new Audio(voice, true),
  ]) {
    const sent = await t.client.sendMessage(PHONE_ID, "96550001234", message);
    assert.ok("messages" in sent, JSON.stringify(sent));
  }
  assert.deepEqual(
    t.emulator.messages().map(({ type, media }) => [type, media]),
    [
      ["image", { id: picture, caption: "look" }],
      ["document", { id: bill, caption: "the bill", filename: "a.pdf" }],
      ["audio", { id: voice }],
    ],
  );
  const looked = await t.client.retrieveMedia(picture, PHONE_ID);
  assert.ok("url" in looked);
  const fetched = await t.client.fetchMedia(looked.url);
  assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), FILES.png);
  assert.deepEqual(await t.client.deleteMedia(picture), { success: true });
  assert.ok("error" in (await t.client.retrieveMedia(picture)));
});

test("whatsapp-api-js reads a customer's picture from our webhook and fetches it", async () => {
  await using t = await start();
  const seen: { id: string; caption: string | undefined }[] = [];
  t.client.on.message = ({ message }) => {
    if (message.type === "image")
      seen.push({ id: message.image.id, caption: message.image.caption });
  };
  const file = {
    type: "image",
    bytes: FILES.jpeg,
    mimeType: "image/jpeg",
    caption: "انظر",
  } as const;
  t.emulator.inbound({ phoneNumberId: PHONE_ID, from: "96550001234", file });
  await t.emulator.flush();
  assert.equal(seen[0]?.caption, "انظر");
  const looked = await t.client.retrieveMedia(seen[0]?.id ?? "", PHONE_ID);
  assert.ok("url" in looked);
  const fetched = await t.client.fetchMedia(looked.url);
  assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), FILES.jpeg);
});
