import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { buffer } from "node:stream/consumers";
import { systemClock } from "../lib/clock.ts";
import { createProviderHttp } from "../lib/outbound-http.ts";
import type { S3Settings } from "../lib/s3-address.ts";
import { createS3Storage } from "./s3-storage.ts";
import { spool } from "./spool.ts";
import { StorageFault } from "./storage.ts";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();

/**
 * What a store computes (AWS, "Authenticating Requests: Using the Authorization Header"), independent of our client.
 */
function signatureOf(
  request: { method: string; path: string; headers: IncomingHttpHeaders },
  secret: string,
): string {
  const { authorization = "", "x-amz-date": at, "x-amz-content-sha256": hash } = request.headers;
  const [, scope = "", names = ""] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(authorization) ?? [];
  const lines = names.split(";").map((name) => `${name}:${String(request.headers[name])}\n`);
  const canonical = [request.method, request.path, "", lines.join(""), names, hash].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((one, part) => hmac(one, part), `AWS4${secret}`);
  return hmac(key, ["AWS4-HMAC-SHA256", String(at), scope, sha256(canonical)].join("\n")).toString(
    "hex",
  );
}

test("the checker agrees with the example that AWS publishes", () => {
  const names = "host;range;x-amz-content-sha256;x-amz-date";
  const headers = {
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=x`,
    host: "examplebucket.s3.amazonaws.com",
    range: "bytes=0-9",
    "x-amz-content-sha256": sha256(""),
    "x-amz-date": "20130524T000000Z",
  };
  assert.equal(
    signatureOf(
      { method: "GET", path: "/test.txt", headers },
      "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ),
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

const SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const KEY = "019a0000-0000-7000-8000-00000000000a/0b/019a0000-0000-7000-8000-00000000000b";
const kept = new Map<string, Buffer>();
const server = createServer((request, response) => void answer(request, response));
async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { method = "", url = "", headers } = request;
  const body = await buffer(request);
  const signed = new RegExp(`Signature=${signatureOf({ method, path: url, headers }, SECRET)}$`);
  const whole = headers["x-amz-content-sha256"] === sha256(body);
  if (!signed.test(headers.authorization ?? "") || !whole) return response.writeHead(403).end();
  if (method === "PUT") kept.set(url, body);
  if (method === "DELETE") return response.writeHead(kept.delete(url) ? 204 : 404).end();
  const found = kept.get(url);
  return found ? response.end(found) : response.writeHead(404).end();
}
let settings: S3Settings;
let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-signature-"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: "files",
    region: "eu-central-1",
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: SECRET,
  };
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
const context = { providerHttp: createProviderHttp(), clock: systemClock };

test("every call is signed as a store expects, with the hash of what it sends", async () => {
  const store = createS3Storage(settings, context);
  await store.put(KEY, await spool(folder, "a", once("hello"), 100));
  assert.deepEqual([...kept.keys()], [`/files/${KEY}`]);
  const body = (await store.open(KEY, 5)) ?? assert.fail();
  assert.equal(String(await buffer(body)), "hello");
  await store.remove(KEY);
  assert.equal(await store.open(KEY, 5), null);
});

test("a wrong secret, and bytes that changed on the way, are faults", async () => {
  const wrong = createS3Storage({ ...settings, secretAccessKey: "other" }, context);
  const file = await spool(folder, "b", once("hello"), 100);
  await assert.rejects(wrong.put(KEY, file), StorageFault);
  await assert.rejects(wrong.open(KEY, 5), StorageFault);
  await assert.rejects(wrong.remove(KEY), StorageFault);
  const store = createS3Storage(settings, context);
  await assert.rejects(store.put(KEY, { ...file, sha256: sha256("other") }), StorageFault);
  assert.equal(kept.size, 0);
});
