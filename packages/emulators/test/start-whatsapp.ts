import { createServer } from "node:http";
import { createWhatsAppEmulator, type WhatsAppOptions } from "../src/index.ts";

/** The number of every test. */
export const NUMBER = {
  phoneNumberId: "106540352242922",
  wabaId: "102290129340398",
  displayPhoneNumber: "15550783881",
  accessToken: "token-1",
  appSecret: "app-secret-1",
};
export const USER = "96550001234";

export const jsonOf = async (response: Response) => JSON.parse(await response.text());

/** A receiver of webhooks whose answer a test can set. */
export async function startReceiver() {
  const received: { body: string; headers: Record<string, string | string[] | undefined> }[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ body: Buffer.concat(chunks).toString("utf8"), headers: request.headers });
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hooks/whatsapp/1`,
    received,
    state,
    changes: (): Record<string, unknown>[] =>
      received.flatMap(({ body }) =>
        JSON.parse(body).entry.flatMap((entry: { changes: object[] }) => entry.changes),
      ),
    statuses: (): { id: string; status: string; errors?: { code: number }[] }[] =>
      received.flatMap(({ body }) =>
        JSON.parse(body).entry.flatMap((entry: { changes: { value: { statuses?: object[] } }[] }) =>
          entry.changes.flatMap((change) => change.value.statuses ?? []),
        ),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** An emulator with one number, its callbacks received here, and helpers to send. */
export async function start(options: WhatsAppOptions = {}) {
  const receiver = await startReceiver();
  let at = 1_770_000_000_000;
  const emulator = await createWhatsAppEmulator({
    delivery: "manual",
    clock: { now: () => new Date(at) },
    numbers: [{ ...NUMBER, webhook: { url: receiver.url, verifyToken: "verify" } }],
    ...options,
  });
  const post = async (body: unknown, more: { token?: string; path?: string } = {}) => {
    const response = await fetch(
      `${emulator.apiUrl}/${more.path ?? `${NUMBER.phoneNumberId}/messages`}`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${more.token ?? NUMBER.accessToken}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
        redirect: "manual",
      },
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
    };
  };
  const text = (body = "hello", to = USER, more: object = {}) =>
    post({ messaging_product: "whatsapp", to, type: "text", text: { body }, ...more });
  return {
    emulator,
    receiver,
    post,
    text,
    tick: (ms: number) => (at += ms),
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
