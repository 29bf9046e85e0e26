import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { openWorld, type World } from "../property/world.ts";

/** Calls in the name of Meta and Twilio that they did not sign: refused, and not a row is written. */
let world: World;
before(async () => (world = await openWorld()));
after(() => world[Symbol.asyncDispose]());

type Headers = Record<string, string | string[]>;

async function call(path: string, body: Buffer | string, headers: Headers): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request({ host: "127.0.0.1", port: world.port, method: "POST", path, headers });
  sent.on("error", reject);
  sent.on("response", (response) => {
    text(response).then((said) => {
      assert.ok(!said.includes("secret"), said);
      resolve(response.statusCode ?? 0);
    }, reject);
  });
  sent.end(body);
  return promise;
}

const sign = (
  algorithm: string,
  key: string,
  body: Buffer | string,
  form: "hex" | "base64" = "hex",
) => createHmac(algorithm, key).update(body).digest(form);

test("twelve forgeries of a WhatsApp call are 401 and write nothing; the true one is taken", async () => {
  const [channel] = await world.t.app.db.query<{ id: string; external_id: string }>(
    sql`select id, external_id from channel where workspace_id = ${world.a.workspaceId} and id = ${world.a.whatsAppId}`,
  );
  assert.ok(channel);
  // Escaped as Meta does it: a re-serialised body is another one.
  const body = `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"messaging_product":"whatsapp","metadata":{"phone_number_id":"${channel.external_id}"},"contacts":[{"wa_id":"201555","profile":{"name":"\\u0645\\u0646\\u0649"}}],"messages":[{"from":"201555","id":"wamid.forged","timestamp":"${Math.trunc(world.t.clock.now().getTime() / 1000)}","type":"text","text":{"body":"\\u0645 \\/ hi"}}]}}]}]}`;
  const url = `/hooks/whatsapp/${channel.id}`;
  // A's secret is "own", B's the canary (world.ts).
  const right = sign("sha256", "own", body);
  const header = (value: string | string[]): Headers => ({ "x-hub-signature-256": value });
  const again = JSON.stringify(JSON.parse(body));
  const forgeries: [string, Buffer | string, Headers][] = [
    ["missing", body, {}],
    ["empty", body, header("")],
    ["another algorithm", body, header(`sha512=${sign("sha512", "own", body)}`)],
    ["sha1 alone", body, { "x-hub-signature": `sha1=${sign("sha1", "own", body)}` }],
    ["the prefix alone", body, header("sha256=")],
    ["without the prefix", body, header(right)],
    ["another channel's secret", body, header(`sha256=${sign("sha256", world.canary, body)}`)],
    ["the body written again", again, header(`sha256=${right}`)],
    ["the header twice", body, header([`sha256=${"0".repeat(64)}`, `sha256=${right}`])],
    ["a body of no bytes", "", header(`sha256=${right}`)],
    ["digits missing", body, header(`sha256=${right.slice(0, -2)}`)],
    ["digits too many", body, header(`sha256=${right}00`)],
    ["not hex", body, header(`sha256=${right.slice(0, -1)}g`)],
    ["one bit of the body turned", body.replace("hi", "hj"), header(`sha256=${right}`)],
  ];
  const before = await world.hash();
  for (const [name, bytes, headers] of forgeries)
    assert.equal(
      await call(url, bytes, { "content-type": "application/json", ...headers }),
      401,
      name,
    );
  assert.equal(await world.hash(), before, "a forgery wrote a row");
  assert.equal(await call(url, body, header(`sha256=${right}`)), 200);
  await world.t.app.drain();
  assert.notEqual(await world.hash(), before, "the true call was stored");
});

test("forgeries of a Twilio receipt are refused and write nothing", async () => {
  const [provider] = await world.t.app.db.query<{ id: string }>(
    sql`select id from sms_provider where workspace_id = ${world.a.workspaceId}`,
  );
  assert.ok(provider);
  const sent = await world.call({
    method: "POST",
    path: "/v1/otp/send",
    payload: JSON.stringify({ mobile: "201001234567", message: "Your code is 1" }),
  });
  const { requestId } = JSON.parse(sent.text) as { requestId: string };
  const url = `/hooks/sms/${provider.id}?m=${requestId}`;
  const [row] = await world.t.app.db.query<{ provider_message_id: string }>(
    sql`select provider_message_id from otp_record where id = ${requestId}`,
  );
  const fields = {
    MessageSid: row?.provider_message_id ?? "",
    MessageStatus: "delivered",
    AccountSid: "AC1",
  };
  const signed = (
    key: string,
    address: string,
    given: Record<string, string>,
    algorithm = "sha1",
  ) =>
    sign(
      algorithm,
      key,
      address +
        Object.entries(given)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, value]) => name + value)
          .join(""),
      "base64",
    );
  const publicUrl = `${world.t.app.config.publicUrl}${url}`;
  const right = signed("own", publicUrl, fields);
  const form = new URLSearchParams(fields).toString();
  const other = { ...fields, MessageStatus: "failed" };
  const header = (value: string | string[]): Headers => ({ "x-twilio-signature": value });
  const forgeries: [string, string, Headers][] = [
    ["missing", form, {}],
    ["empty", form, header("")],
    ["another algorithm", form, header(signed("own", publicUrl, fields, "sha256"))],
    ["another account's token", form, header(signed(world.canary, publicUrl, fields))],
    ["another address", form, header(signed("own", `${publicUrl}x`, fields))],
    ["another field", new URLSearchParams(other).toString(), header(right)],
    ["one field more", `${form}&ErrorCode=1`, header(right)],
    ["the header twice", form, header([signed(world.canary, publicUrl, fields), right])],
    ["letters missing", form, header(right.slice(0, -2))],
    ["in lower case", form, header(right.toLowerCase())],
    ["in hex", form, header(Buffer.from(right, "base64").toString("hex"))],
    ["a body of no bytes", "", header(right)],
  ];
  const before = await world.hash();
  for (const [name, bytes, headers] of forgeries) {
    const status = await call(url, bytes, {
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    });
    assert.ok([401, 403].includes(status), `${name}: ${status}`);
  }
  assert.equal(await world.hash(), before, "a forgery wrote a row");
  const taken = await call(url, form, {
    "content-type": "application/x-www-form-urlencoded",
    ...header(right),
  });
  assert.equal(taken, 200);
  assert.notEqual(await world.hash(), before, "the true receipt was stored");
});
