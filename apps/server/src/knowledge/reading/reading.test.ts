import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { processorMs } from "../../../test/processor-time.ts";
import { streaming } from "../../../test/streaming.ts";
import { startApi, type Api } from "../../../test/v1/api.ts";
import { OPERATOR } from "../../actor.ts";
import type { Http, HttpRequest, HttpResponse } from "../../lib/http.ts";
import { addPages, uploadKnowledge } from "../add-sources.ts";
import { listKnowledge, readSource } from "../list-sources.ts";
import { searchKnowledge } from "../search-knowledge.ts";
import { refreshSource } from "../write-snippet.ts";
import { extractText } from "./extract-text.ts";
import { isAllowed } from "./robots.ts";
import { readDueSource } from "./read-sources.ts";
import { nextVersion } from "../knowledge-store.ts";
import { claimDueSource } from "../source-store.ts";

/** A site with a page that is asked for again by its tag. */
class Site implements Http {
  asked: HttpRequest[] = [];
  page = "<h1>Returns</h1><p>Items are returned within 14 days.</p>";
  robots = "User-agent: *\nDisallow: /private";
  request(request: HttpRequest): Promise<HttpResponse> {
    this.asked.push(request);
    const answer = (status: number, body: string, headers: Record<string, string> = {}) =>
      Promise.resolve({ status, headers, body: Buffer.from(body) });
    if (request.url.endsWith("/robots.txt")) return answer(200, this.robots);
    if (request.url.endsWith("/gone")) return answer(404, "");
    if (request.headers?.["if-none-match"] === "one") return answer(304, "");
    return answer(200, `<html><title>Our returns</title><body>${this.page}</body></html>`, {
      "content-type": "text/html; charset=utf-8",
      etag: "one",
    });
  }
}

const site = new Site();
let api: Api;
before(async () => {
  api = await startApi({ overrides: { guardedHttp: streaming(site) } });
});
after(() => api[Symbol.asyncDispose]());

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 52>>stream
BT /F1 12 Tf 20 200 Td (Parking is free for guests.) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`;

test("each kind of file gives its text, and a broken one its reason", async () => {
  const read = async (content: string | Buffer, format: Parameters<typeof extractText>[1]) => {
    const found = await extractText(Buffer.from(content), format);
    return found.ok ? found.text : found.fault;
  };
  assert.equal(await read("We open at nine.\u202e", "txt"), "We open at nine.");
  assert.equal(await read('item,price\n"Tea, green",2\n', "csv"), "item: Tea, green\nprice: 2");
  const page = "<nav>Menu</nav><h2>Hours</h2><p>We open at nine.</p><script>evil()</script>";
  assert.equal(await read(page, "html"), "# Hours\n\nWe open at nine.");
  assert.match(await read(PDF, "pdf"), /Parking is free for guests\./u);
  assert.equal(await read("no archive", "docx"), "broken");
  assert.equal(await read("12 34", "txt"), "no_text");
  // Another file with the ending of a text is no Arabic one.
  assert.equal(await read(gzipSync("We open at nine."), "txt"), "broken");
  assert.equal(await read(Buffer.from([0xe3, 0xd1, 0xcd, 0xc8, 0xc7]), "txt"), "مرحبا");
  const slow = await extractText(Buffer.from("x"), "txt", { timeMs: 1 });
  assert.deepEqual(slow, { ok: false, fault: "too_slow" });
});

test("a file is read, found, and read again; what cannot be read says why", async () => {
  const { workspaceId } = await api.newWorkspace("business");
  const upload = (fileName: string, text: string) =>
    uploadKnowledge(OPERATOR, api.app, workspaceId, {
      fileName,
      body: Readable.from([Buffer.from(text)]),
    });
  const made = await upload("parking.md", "# Parking\n\nThe garage has two floors.");
  assert.equal(made.status, "reading");
  await upload("empty.txt", "   ");
  while ((await readDueSource(api.app)) > 0);
  const { items } = await listKnowledge(OPERATOR, api.app, workspaceId, {});
  assert.deepEqual(
    items.map(({ title, status, reason, chunks }) => [title, status, reason, chunks]),
    [
      ["empty", "failed", "no_text", 0],
      ["parking", "ready", null, 1],
    ],
  );
  const [found] = await searchKnowledge(api.app, workspaceId, "floors of the garage", { limit: 1 });
  assert.equal(found?.title, "parking › Parking");
  await refreshSource(OPERATOR, api.app, workspaceId, { id: made.id });
  while ((await readDueSource(api.app)) > 0);
  const again = await readSource(OPERATOR, api.app, workspaceId, { id: made.id });
  assert.equal(again.parts[0]?.chunkId, found?.chunkId);
  await assert.rejects(upload("a.exe", "x"), /must end in/u);
});

test("a page is read where robots.txt lets us, and by its tag a day later", async () => {
  const { workspaceId } = await api.newWorkspace("business");
  await addPages(OPERATOR, api.app, workspaceId, {
    addresses: [
      "https://shop.example/returns",
      "https://shop.example/private/x",
      "https://shop.example/gone",
    ],
  });
  while ((await readDueSource(api.app)) > 0);
  const list = async () =>
    (await listKnowledge(OPERATOR, api.app, workspaceId, {})).items
      .map(({ title, status, reason }) => [title, status, reason])
      .sort(([a], [b]) => String(a).localeCompare(String(b)));
  const first = [
    ["Our returns", "ready", null],
    ["shop.example/gone", "failed", "not_found"],
    ["shop.example/private/x", "failed", "forbidden_by_robots"],
  ];
  assert.deepEqual(await list(), first);
  assert.ok(!site.asked.some(({ url }) => url.endsWith("/private/x")));
  const before = site.asked.length;
  api.clock.advance(25 * 3_600_000);
  while ((await readDueSource(api.app)) > 0);
  assert.ok(site.asked.slice(before).some(({ headers }) => headers?.["if-none-match"] === "one"));
  assert.deepEqual(await list(), first);
  await assert.rejects(
    addPages(OPERATOR, api.app, workspaceId, { addresses: ["ftp://shop.example"] }),
    /https/u,
  );
});

test("robots.txt: our group before all others, the longest rule, stars and ends", () => {
  const rules =
    "User-agent: *\nDisallow: /\n\nUser-agent: ParleyBot\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$";
  const may = (path: string) => isAllowed(rules, `https://x.example${path}`);
  assert.deepEqual(["/", "/a", "/a/b", "/x.pdf", "/x.pdf?y"].map(may), [
    true,
    false,
    true,
    false,
    true,
  ]);
  assert.equal(isAllowed("<html>no rules</html>", "https://x.example/"), true);
});

test("robots.txt: a group of ours without a rule allows everything", () => {
  const rules = "User-agent: *\nDisallow: /\n\nUser-agent: parleybot\nDisallow:\n";
  assert.equal(isAllowed(rules, "https://x.example/a"), true);
});

test("robots.txt with thousands of agents and rules is read in a moment", () => {
  const agents = Array.from({ length: 4_000 }, (_, n) => `User-agent: a${n}\n`).join("");
  const robots = `${agents}User-agent: *\n${"Disallow: /*a*b$\n".repeat(4_000)}`;
  const ms = processorMs(() => assert.equal(isAllowed(robots, "https://x.example/a/b"), false));
  assert.ok(ms < 2_000, `${ms} ms`);
});

/** A page of 295 bytes that is 3 GB. */
const BOMB =
  "eNqruLV6x9dvfUnfQtw6t7XPfenLXttvpmVyd0bVZNcN57e2W0ed+72h6dbR3DORbJNyguolbsdwH/ZRvjmzXy8w4HJudNW3J2f/ypetv37v9+br9e01b++vl89fa/Mz4/nZ948evX+jvf1qnfX3xx9e9ttPn/fne4hdTNz72nf3dtXuLq/7V7fqZ/bn27sf/ixMl2hYUJn99Hm8vri9XX3Oe1c9hfsLWnb/+mf4/QXzaf58//nfpktqHPn278vj48enu8pHVP348+1l9QGnnztLK9XKZ16pWy92fnUKe9eHO9x2HEbnnSewe5h5NFhKCvRJGKWHpBGGB1LKom5PF3+b9Pah8erZ+w9P+Hm+ZOOXX7Xb6/8+Tp9VeJuDgTNDjQ8ABYejxw==";

test(
  "a small file that unfolds to gigabytes gets no memory for them",
  { skip: process.platform !== "linux" },
  async () => {
    const stream = Buffer.from(BOMB, "base64").toString("latin1");
    const packed = `<</Filter[${"/FlateDecode".repeat(4)}]/Length ${stream.length}>>stream`;
    const bomb = PDF.replace("<</Length 52>>stream", packed).replace(/^BT .*$/mu, () => stream);
    // Longer than in the product: on a busy machine its 30 seconds may end first.
    const found = await extractText(Buffer.from(bomb, "latin1"), "pdf", { timeMs: 600_000 });
    assert.deepEqual(found, { ok: false, fault: "too_much_memory" });
  },
);

test("a workspace's many files hold up another's for one of them", async () => {
  const [many, one] = [await api.newWorkspace("business"), await api.newWorkspace("business")];
  const upload = (workspaceId: string, fileName: string) =>
    uploadKnowledge(OPERATOR, api.app, workspaceId, {
      fileName,
      body: Readable.from([Buffer.from("We open at nine.")]),
    });
  for (const name of "abcd") await upload(many.workspaceId, `${name}.txt`);
  await upload(one.workspaceId, "ours.txt");
  const { db, clock } = api.app;
  const until = new Date(clock.now().getTime() + 60_000);
  const first = await claimDueSource(db, clock.now(), until);
  assert.equal(first?.workspaceId, many.workspaceId);
  assert.ok(first);
  // As its reading ends.
  api.clock.advance(1);
  await db.transaction((tx) => nextVersion(tx, many.workspaceId, clock.now()));
  assert.equal((await claimDueSource(db, clock.now(), until))?.workspaceId, one.workspaceId);
});
