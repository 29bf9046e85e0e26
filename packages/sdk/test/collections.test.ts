import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { startStand, type Stand } from "../../../apps/server/test/guides/stand.ts";
import { collections, COLLECTIONS } from "../collections.ts";
import { operationsOf, readDocument } from "../document.ts";

let stand: Stand;
before(async () => (stand = await startStand()));
after(() => stand[Symbol.asyncDispose]());

const read = (name: string) => readFileSync(path.join(COLLECTIONS, name), "utf8");
const operations = operationsOf(readDocument());

test("the committed collections are what the committed document gives (`npm run collections`)", () => {
  const wanted = collections();
  const found = readdirSync(COLLECTIONS, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(COLLECTIONS, path.join(entry.parentPath, entry.name)));
  assert.deepEqual(found.toSorted(), [...wanted.keys()].toSorted());
  for (const [name, text] of wanted) assert.ok(read(name) === text, `${name} is stale`);
});

interface PostmanRequest {
  readonly method: string;
  readonly header: readonly { readonly key: string; readonly value: string }[];
  readonly url: {
    readonly raw: string;
    readonly host: readonly string[];
    readonly path: readonly string[];
    readonly query?: readonly {
      readonly key: string;
      readonly value: string;
      readonly disabled?: boolean;
    }[];
  };
  readonly body?: { readonly raw: string };
}
interface Folder {
  readonly item: readonly { readonly name: string; readonly request: PostmanRequest }[];
}

/** Members of examples that name a record or a host, which are not there; the body of an upload, which a collection cannot hold. */
const NAMED = /^(draft\.)?(channelId|templateId|segmentId|contactIds|url|body)$/;

test("every request of the Postman collection, sent as Postman would, is one the server knows", async () => {
  const collection = JSON.parse(read("postman.json")) as { item: readonly Folder[] };
  const requests = collection.item.flatMap((folder) => folder.item);
  assert.equal(requests.length, operations.length);
  const ids: Record<string, string> = {
    contacts: stand.contactId,
    conversations: stand.conversationId,
    broadcasts: stand.broadcastId,
  };
  const inPath = (noun: string): Readonly<Record<string, string>> => ({
    ":id": ids[noun] ?? crypto.randomUUID(),
    ":name": "vip",
    ":shortcut": "hours",
    ":key": "phone",
    ":value": "201001234567",
  });
  const bearer = await stand.api.key();
  const made = async (noun: string, method: string, place: string, body: object) => {
    const answer = await fetch(`${stand.baseUrl}/v1/${place}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { id = "" } = (await answer.json()) as { id?: string };
    assert.ok(answer.ok && id !== "", `${noun}: ${answer.status}`);
    ids[noun] = id;
  };
  const rules = { match: "all", rules: [{ field: "name", op: "contains", value: "a" }] };
  await made("segments", "POST", "segments", { name: "Some", definition: rules });
  await made("webhook-endpoints", "PUT", "webhook-endpoints/by-name/shop", {
    url: `${stand.baseUrl}/in`,
    events: ["message.received"],
  });
  const refusals: string[] = [];
  for (const { name, request } of requests) {
    const { host, path: parts, raw } = request.url;
    assert.equal([...host, ...parts].join("/"), raw);
    const values = inPath(parts[1] ?? "");
    const url = raw
      .replace("{{baseUrl}}", stand.baseUrl)
      .replaceAll(/:[a-z]+\b(?!\/\/)/gi, (name) => values[name] ?? name);
    const asked = new URLSearchParams(
      (request.url.query ?? [])
        .filter(({ disabled }) => disabled !== true)
        .map(({ key, value }) => [key, value]),
    ).toString();
    const header = request.header.map((one) => [one.key, one.value.replace("{{$guid}}", crypto.randomUUID())]); // oxfmt-ignore
    const stop = new AbortController();
    const response = await fetch(asked ? `${url}?${asked}` : url, {
      method: request.method,
      headers: { ...Object.fromEntries(header), authorization: `Bearer ${bearer}` },
      ...(request.body && { body: request.body.raw }),
      signal: stop.signal,
    });
    const stream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok) {
      const { message, details = [] } = (await response.json()) as {
        message: string;
        details?: { path: string; message: string }[];
      };
      // Of a body that names records the records are refused.
      const faults = details.filter(({ path }) => !NAMED.test(path));
      const code = details.length > 0 && faults.length === 0 ? "UNKNOWN_RECORD" : message;
      refusals.push(`${name}: ${response.status} ${code} ${JSON.stringify(faults)}`);
    } else if (stream) stop.abort();
    else await response.arrayBuffer();
  }
  // Examples name records that are not there, so some are refused; none because of its address, its key or its form.
  const form = /VALIDATION_FAILED|ROUTE_NOT_FOUND|METHOD_NOT_ALLOWED|INVALID_API_KEY|FORBIDDEN/;
  assert.deepEqual(
    refusals.filter((one) => form.test(one)),
    [],
  );
  assert.ok(refusals.length < requests.length / 2, refusals.join("\n"));
});

test("Bruno has one file per operation, with its method, address, key and body", () => {
  for (const one of operations) {
    const text = read(`bruno/${one.tag}/${one.id}.bru`);
    const at = one.path.replaceAll(/\{(\w+)\}/g, ":$1");
    assert.match(text, new RegExp(`^${one.method.toLowerCase()} \\{$`, "m"));
    assert.ok(text.includes(`url: {{baseUrl}}${at}\n`), one.id);
    assert.equal(text.includes("Idempotency-Key: {{$guid}}"), one.keyed);
    const [, body] = /^body:json \{\n([^]*?)^\}$/m.exec(text) ?? [];
    assert.deepEqual(body === undefined ? undefined : JSON.parse(body), one.body ? one.bodyExample : undefined); // oxfmt-ignore
  }
});
