import { Parley, ParleyError, verifyWebhook, WebhookError } from "@parley/sdk";

const hex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function signed(body, secret, t) {
  const bytes = (text) => new TextEncoder().encode(text);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(secret), hmac, false, ["sign"]);
  return `t=${t},v1=${hex(await crypto.subtle.sign("HMAC", key, bytes(`${t}.${body}`)))}`;
}

/** Everything of the client that leans on its surroundings, against a running server; gives what came of it. */
export async function program(baseUrl, apiKey) {
  const parley = new Parley({ baseUrl, apiKey });
  const failure = (promise) => promise.then(() => "it passed", (error) => error); // oxfmt-ignore
  const { phone } = await parley.contacts.create({ phone: "+965 5000 0001" });
  await parley.contacts.create({ phone: "96550000002" });
  const listed = new Set();
  for await (const { id } of parley.contacts.iterate({ pageSize: 1 }))
    if (listed.add(id).size === 2) break;
  const refused = await failure(parley.contacts.create({}));
  const sequences = [];
  for await (const { sequence } of parley.events.stream({ after: 0 }))
    if (sequences.push(sequence) === 2) break;
  const stop = new AbortController();
  const waiting = failure(parley.events.stream({}, { signal: stop.signal }).next());
  stop.abort(new Error("enough"));
  const late = await failure(parley.usage.get({ timeoutMs: 0, maxRetries: 0 }));
  const [secret, body] = ["whsec_MDEyMw==", '{"type":"endpoint.test","data":{}}'];
  const header = await signed(body, secret, Math.floor(Date.now() / 1_000));
  const event = await verifyWebhook(body, new Headers({ "x-service-signature": header }), secret);
  const forged = verifyWebhook(`${body} `, { "X-Service-Signature": header }, secret);
  const wrong = await failure(forged);
  return [
    `created ${phone}`,
    `listed ${listed.size}`,
    `refused ${refused instanceof ParleyError} ${refused.code}`,
    `streamed ${sequences.length}`,
    `left ${(await waiting).message}`,
    `late ${late.code}`,
    `rate ${parley.rateLimit?.limit}`,
    `verified ${event.type}`,
    `forged ${wrong instanceof WebhookError} ${wrong.code}`,
  ];
}
