import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, mock, test } from "node:test";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { createProviderHttp } from "../lib/outbound-http.ts";
import { storageFault } from "./storage-fault.ts";
import { createS3Storage } from "./s3-storage.ts";
import { discard, spool } from "./spool.ts";
import { StorageFault, type MediaStorage } from "./storage.ts";

const KEY = "019a0000-0000-7000-8000-00000000000a/0b/019a0000-0000-7000-8000-00000000000b";
const SIZE = 10;
/** What the store does with the next requests. */
let answer: (response: ServerResponse, method?: string) => unknown;
const server = createServer((request, response) => {
  request.resume().once("end", () => void answer(response, request.method));
});
let store: MediaStorage;
let check: () => Promise<string | null>;
let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-refusals-"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: "files",
    region: "us-east-1",
    accessKeyId: "AKIA",
    secretAccessKey: "s",
  };
  const context = { providerHttp: createProviderHttp(), clock: systemClock };
  store = createS3Storage(settings, context);
  const config = { dataDir: folder, s3: settings } as Config;
  check = () => storageFault({ ...context, config, ids: createIds(systemClock) });
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

async function* once(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

async function put(): Promise<void> {
  const file = await spool(folder, "file", once("hello"), 100);
  try {
    await store.put(KEY, file);
  } finally {
    await discard(file);
  }
}

const xml = (inside: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inside}<Message>of AKIA at /files</Message></Error>`;

const REFUSALS: [status: number, headers: object, body: string, told: string][] = [
  [403, {}, xml("<Code>RequestTimeTooSkewed</Code>"), "403 (RequestTimeTooSkewed)"],
  [503, {}, xml("<Code>SlowDown</Code>"), "503 (SlowDown)"],
  [
    301,
    { "x-amz-bucket-region": "eu-west-1", location: "http://127.0.0.1:9/" },
    xml("<Code>PermanentRedirect</Code>"),
    "301 (PermanentRedirect, the bucket is in region eu-west-1)",
  ],
  [
    400,
    {},
    xml("<Code>AuthorizationHeaderMalformed</Code><Region>me-south-1</Region>"),
    "400 (AuthorizationHeaderMalformed, the bucket is in region me-south-1)",
  ],
  [404, {}, xml("<Code>NoSuchBucket</Code>"), "404 (NoSuchBucket)"],
  [500, {}, "<html>nginx</html>", "500"],
  [502, {}, "", "502"],
  [403, {}, xml(`<Code>${"x".repeat(61)}</Code><Region>https://s3</Region>`), "403"],
];
for (const [status, headers, body, told] of REFUSALS)
  test(`a store that answers ${told} is quoted, for every kind of call`, async () => {
    answer = (response) => response.writeHead(status, { ...headers }).end(body);
    const message = `the object store answered ${told}`;
    for (const ask of [put, () => store.open(KEY, SIZE), () => store.remove(KEY)])
      await assert.rejects(
        ask,
        (error) => error instanceof StorageFault && error.message === message,
      );
  });

test("a missing file is null; a missing bucket is a fault, because it says nothing about the file", async () => {
  answer = (response) => response.writeHead(404).end(xml("<Code>NoSuchKey</Code>"));
  assert.equal(await store.open(KEY, SIZE), null);
  await store.remove(KEY);
  answer = (response) => response.writeHead(404).end();
  assert.equal(await store.open(KEY, SIZE), null);
  await store.remove(KEY);
});

test("of a refusal that never ends only the beginning is read", async () => {
  answer = (response) => response.writeHead(500).write("x".repeat(1024 * 1024));
  for (const ask of [() => store.open(KEY, SIZE), () => store.remove(KEY)])
    await assert.rejects(ask, /^Error: the object store answered 500$/);
});

test("a store that takes a request and says nothing is given up after twenty seconds", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    for (const ask of [() => store.open(KEY, SIZE), () => store.remove(KEY)]) {
      const came = new Promise<void>((resolve) => (answer = () => resolve()));
      const asked = ask();
      await Promise.race([came, asked]);
      mock.timers.tick(20_000);
      await assert.rejects(asked, /^Error: the object store gave no answer \(timeout\)$/);
    }
  } finally {
    mock.timers.reset();
  }
});

test("a file whose bytes have begun to come may take longer than twenty seconds", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let rest = () => {};
    answer = (response) => {
      response.writeHead(200, { "content-length": 10 }).write("hello");
      rest = () => response.end("world");
    };
    let read = "";
    for await (const chunk of (await store.open(KEY, SIZE)) ?? assert.fail()) {
      read += Buffer.from(chunk).toString();
      if (read === "hello") {
        mock.timers.tick(60_000);
        rest();
      }
    }
    assert.equal(read, "helloworld");
  } finally {
    mock.timers.reset();
  }
});

const HALF: [title: string, range: boolean, reply: (response: ServerResponse) => unknown][] = [
  ["a length", false, (response) => response.writeHead(200, { "content-length": 5 }).end("hello")],
  [
    "the length of a range's object",
    true,
    (response) => response.writeHead(206, { "content-range": "bytes 2-4/5" }).end("llo"),
  ],
  [
    "a range behind the end",
    true,
    (response) =>
      response
        .writeHead(416, { "content-range": "bytes */5" })
        .end(xml("<Code>InvalidRange</Code>")),
  ],
];
for (const [title, range, reply] of HALF)
  test(`an object with fewer bytes than its file is not given (told by ${title})`, async () => {
    answer = reply;
    assert.equal(await store.open(KEY, SIZE, range ? { start: 2, end: 9 } : undefined), null);
  });

for (const [words, told] of [
  ["hello", "5 of 10 bytes came"],
  ["hello, world", "more than the 10 bytes that were asked for"],
] as const)
  test(`when nothing tells the length, reading "${words}" does not end as if it were the whole file`, async () => {
    answer = (response) => response.writeHead(200).end(words);
    const body = (await store.open(KEY, SIZE)) ?? assert.fail();
    await assert.rejects(buffer(body), { message: told });
  });

test("doctor waits five seconds for a store that hangs, and removes the file that it could not read", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const came = new Promise<void>((resolve) => (answer = () => resolve()));
    const asked = check();
    await Promise.race([came, asked]);
    mock.timers.tick(5_000);
    assert.equal(await asked, "S3_URL: the object store gave no answer (timeout)");
  } finally {
    mock.timers.reset();
  }
  const methods: (string | undefined)[] = [];
  answer = (response, method) => {
    methods.push(method);
    response.writeHead(method === "GET" ? 403 : 200).end(xml("<Code>AccessDenied</Code>"));
  };
  assert.equal(await check(), "S3_URL: the object store answered 403 (AccessDenied)");
  assert.deepEqual(methods, ["PUT", "GET", "DELETE"]);
});
