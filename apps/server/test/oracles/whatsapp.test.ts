import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import {
  ActionButtons,
  ActionList,
  Body,
  Button,
  Interactive,
  ListSection,
  Row,
} from "whatsapp-api-js/messages";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { ChannelAccount, OutboundMessage } from "../../src/channels/adapter.ts";
import { whatsapp } from "../../src/channels/adapters/whatsapp/adapter.ts";
import { createProviderHttp } from "../../src/lib/outbound-http.ts";
import { fault, publishedSchema, without, type Exemption } from "./published-schema.ts";
import { recordingProxy, type RecordingProxy } from "./recording-proxy.ts";
import { whatsAppFault } from "./sent-documents.ts";
import { ANSWERED, POSTED, SENT } from "./whatsapp-exemptions.ts";

/**
 * What our adapter sends over real HTTP, what the emulator answers and what it posts, all against what Meta publishes:
 * adapter and emulator cannot agree on the same mistake.
 */
const meta = publishedSchema("meta-whatsapp-v23.json");
const NUMBER = "106540352242922";
const WABA = "102290129340398";
const receiver = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.end("ok"));
});
let emulator: WhatsAppEmulator;
let proxy: RecordingProxy;
let account: ChannelAccount;
const used = new Set<string>();

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  emulator = await createWhatsAppEmulator({
    delivery: "manual",
    limits: { pairIntervalMs: null },
    numbers: [
      {
        phoneNumberId: NUMBER,
        wabaId: WABA,
        accessToken: "EAAB",
        appSecret: "s",
        webhook: { url: `http://127.0.0.1:${port}/hook` },
      },
    ],
  });
  proxy = await recordingProxy(emulator.url);
  account = {
    channelId: "c",
    workspaceId: "w",
    type: "WHATSAPP",
    externalId: NUMBER,
    apiUrl: `${proxy.url}/v25.0`,
    settings: { wabaId: WABA },
    secrets: { accessToken: "EAAB", appSecret: "s", verifyToken: "v" },
  };
  const text = (body: string) => [{ type: "BODY", text: body }];
  emulator.addTemplate(WABA, { name: "plain", language: "ar", components: text("مرحبا") });
  emulator.addTemplate(WABA, { name: "two", language: "en_US", components: text("{{1}} {{2}}") });
  emulator.addTemplate(WABA, {
    name: "named",
    language: "en_US",
    parameter_format: "NAMED",
    components: text("Hi {{first_name}}"),
  });
});
after(async () => {
  await proxy[Symbol.asyncDispose]();
  await emulator.close();
  await new Promise((resolve) => receiver.close(resolve));
});

const check = (name: string, document: unknown, exemptions: readonly Exemption[]) =>
  fault(meta(name), without(document, exemptions, used));

/** A customer without a phone number is known by user id alone; the document requires the phone number. */
function named(value: Posted["entry"][0]["changes"][0]["value"]): object {
  const statuses = value.statuses?.map((one) =>
    one.recipient_id === undefined ? { ...one, recipient_id: one.recipient_user_id } : one,
  );
  return statuses ? { ...value, statuses } : value;
}

const template = (name: string, language: string, parameters: string[], names?: string[]) =>
  ({
    kind: "template",
    template: {
      name,
      language,
      bodyParameters: parameters,
      ...(names && { bodyParameterNames: names }),
    },
  }) as const;

const file = (kind: "image" | "audio" | "video" | "document" | "sticker", mimeType: string) =>
  ({
    kind: "media",
    caption: kind === "image" || kind === "document" ? "look" : null,
    media: {
      kind,
      mimeType,
      fileName: "a.bin",
      size: 4,
      url: "https://files.example/a.bin",
      open: () => ReadableStream.from([new Uint8Array([1, 2, 3, 4])]),
    },
  }) as const;

/** Up to three are buttons, more are a list. */
const choices = (count: number) =>
  ({
    kind: "choices",
    text: "كيف نساعدك؟",
    choices: Array.from({ length: count }, (_, index) => ({
      text: `Choice ${index}`,
      payload: `step/${index}`,
    })),
  }) as const;

const CONTENTS: readonly OutboundMessage["content"][] = [
  { kind: "text", text: "أهلا 😀 / https://a.example" },
  template("plain", "ar", []),
  template("two", "en_US", ["Sara", "A-17"]),
  template("named", "en_US", ["Sara"], ["first_name"]),
  file("image", "image/jpeg"),
  file("audio", "audio/ogg"),
  file("video", "video/mp4"),
  file("document", "application/pdf"),
  file("sticker", "image/webp"),
];

test("every send of the adapter is what Meta publishes, and so is every answer of the emulator", async () => {
  const http = createProviderHttp();
  const to = ["96550001234", "KW.134912086553", "99950000100", "99950000190", "99950000130"];
  for (const [index, content] of CONTENTS.entries())
    for (const address of to)
      await whatsapp.send(http, account, { id: `m-${index}`, to: address, content });
  const sends = proxy.exchanges.filter(({ path }) => path.endsWith(`${NUMBER}/messages`));
  const types = new Set<unknown>();
  for (const { body, status, answer } of sends) {
    const sent = JSON.parse(body) as Record<string, unknown>;
    types.add(sent["type"]);
    assert.equal(whatsAppFault(body, used), null);
    const name = status === 200 ? "MessageResponsePayload" : "GraphAPIError";
    assert.equal(check(name, JSON.parse(answer), ANSWERED), null);
  }
  const all = ["text", "template", "image", "audio", "video", "document", "sticker"];
  assert.deepEqual(
    all.filter((type) => !types.has(type)),
    [],
  );
  assert.ok(
    sends.some(({ status }) => status === 200) && sends.some(({ status }) => status >= 400),
  );
});

/** Meta's document has no interactive sends: here a client that is not ours says how they look. */
test("choices are the buttons and lists that another client builds, and the emulator takes them", async () => {
  const body = new Body("كيف نساعدك؟");
  const [first, ...others] = choices(10).choices.map(({ payload, text }) => new Row(payload, text));
  const [one, two] = choices(2).choices.map(({ payload, text }) => new Button(payload, text));
  assert.ok(first && one && two);
  const theirs = [
    new Interactive(new ActionButtons(one, two), body),
    new Interactive(new ActionList("اختر", new ListSection("اختر", first, ...others)), body),
  ];
  for (const [index, content] of [choices(2), choices(10)].entries()) {
    const sent = { id: `i-${index}`, to: "96550001234", content };
    assert.equal((await whatsapp.send(createProviderHttp(), account, sent)).ok, true);
    const { interactive } = JSON.parse(proxy.exchanges.at(-1)?.body ?? "{}") as {
      interactive: unknown;
    };
    assert.deepEqual(interactive, JSON.parse(JSON.stringify(theirs[index])));
  }
});

test("every call of the emulator to a webhook is what Meta publishes", async () => {
  const phone = { phoneNumberId: NUMBER, from: "96550001234", name: "Sara" };
  const wamid = emulator.inbound({ ...phone, text: "مرحبا" });
  emulator.inbound({ ...phone, text: "as I said", replyTo: wamid });
  for (const code of [26, 47, 50]) {
    const address = `9995000${String(code).padStart(4, "0")}`;
    const content = template("plain", "ar", []);
    await whatsapp.send(createProviderHttp(), account, { id: `f-${code}`, to: address, content });
  }
  emulator.changeNumber(NUMBER, "96550001234", "96550005678");
  await emulator.flush();
  await emulator.advance(600_000);
  await emulator.flush();
  const seen = { messages: 0, system: 0, statuses: 0, failed: 0 };
  for (const { body } of emulator.webhooks()) {
    const document = JSON.parse(body) as Posted;
    assert.equal(check("WebhookPayload", document, [VALUES]), null);
    for (const { value } of document.entry.flatMap(({ changes }) => changes)) {
      if (value.statuses) {
        seen.statuses++;
        if (value.statuses.some(({ status }) => status === "failed")) seen.failed++;
        assert.equal(check("StatusMessageValue", named(value), [...POSTED, CONTACTS]), null);
      } else if (value.messages?.some(({ type }) => type === "system")) {
        seen.system++;
        assert.equal(check("IncomingMessageValueSystem", value, POSTED), null);
      } else {
        seen.messages++;
        assert.equal(check("IncomingMessageValueGeneral", value, POSTED), null);
      }
    }
  }
  const enough = seen.messages >= 2 && seen.system === 1 && seen.failed >= 3;
  assert.ok(enough && seen.statuses > seen.failed, JSON.stringify(seen));
});

interface Posted {
  readonly entry: readonly {
    readonly changes: readonly {
      readonly value: {
        readonly statuses?: readonly {
          readonly status: string;
          readonly recipient_id?: string;
          readonly recipient_user_id?: string;
        }[];
        readonly messages?: readonly { readonly type: string }[];
      };
    }[];
  }[];
}
/** The value is looked at by itself. */
const VALUES: Exemption = { path: "entry.*.changes.*.value.*", why: "looked at by itself" };
const CONTACTS: Exemption = {
  path: "contacts",
  why: "documented with statuses (the recipient's profile); the document has them for messages only",
};

const text = {
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: "96550001234",
  type: "text",
  text: { preview_url: false, body: "hello" },
};
const status = {
  messaging_product: "whatsapp",
  metadata: { display_phone_number: "15550783881", phone_number_id: NUMBER },
  statuses: [{ id: "wamid.1", status: "sent", timestamp: "1", recipient_id: "96550001234" }],
};
const mutations: readonly [what: string, name: string, document: unknown][] = [
  ["a misspelt field", "Message", { ...text, text: { preview_url: false, bodi: "hello" } }],
  ["a misspelt member", "Message", { ...text, recipient_typ: "individual" }],
  ["no recipient", "Message", { ...text, to: undefined }],
  ["a number in place of a text", "Message", { ...text, to: 96550001234 }],
  ["a type without its content", "Message", { ...text, type: "image" }],
  ["a type that is none", "Message", { ...text, type: "texts" }],
  [
    "a template without its policy",
    "Message",
    {
      ...text,
      type: "template",
      text: undefined,
      template: { name: "a", language: { code: "ar" } },
    },
  ],
  [
    "a parameter without its text",
    "BodyComponent",
    { type: "body", parameters: [{ type: "text", txt: "Sara" }] },
  ],
  ["an answer with another name", "MessageResponsePayload", { messages: [{ wamid: "wamid.1" }] }],
  [
    "an error without its code",
    "GraphAPIError",
    { error: { message: "no", type: "OAuthException" } },
  ],
  [
    "a status word that is none",
    "StatusMessageValue",
    { ...status, statuses: [{ ...status.statuses[0], status: "seen" }] },
  ],
  [
    "a time as a number",
    "StatusMessageValue",
    { ...status, statuses: [{ ...status.statuses[0], timestamp: 1 }] },
  ],
];
test("the document refuses what is spelt wrong: the checks above can fail", () => {
  assert.equal(fault(meta("Message"), text), null);
  assert.equal(fault(meta("StatusMessageValue"), status), null);
  for (const [what, name, document] of mutations)
    assert.notEqual(fault(meta(name), JSON.parse(JSON.stringify(document))), null, what);
});

test("no exemption has outlived its reason", () => {
  for (const { path } of [...SENT, ...ANSWERED, ...POSTED, CONTACTS])
    assert.ok(used.has(path), `${path} is not needed`);
});
