import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HttpFailure, type HttpRequest, type HttpResponse } from "../../src/lib/http.ts";
import { sql } from "../../src/db/sql.ts";
import { FILES } from "../files.ts";
import { streaming } from "../streaming.ts";
import { startApi, type Api } from "./api.ts";
import { connectWhatsApp, openConversation } from "./fixtures.ts";

let asked: string[] = [];
/** Some addresses, each with its own fault. */
const hosts = {
  request({ url }: HttpRequest): Promise<HttpResponse> {
    asked.push(url);
    if (url.includes("169.254.169.254")) throw new HttpFailure("blocked", false, "blocked");
    if (url.includes("away")) throw new HttpFailure("connect", false, "refused");
    if (url.includes("gone")) return answer(404, Buffer.from("no"));
    return answer(200, url.includes("empty") ? Buffer.alloc(0) : FILES.png);
  },
};
const answer = (status: number, body: Buffer): Promise<HttpResponse> =>
  Promise.resolve({ status, headers: { "content-type": "image/png" }, body });

let api: Api;
before(async () => {
  api = await startApi({ overrides: { guardedHttp: streaming(hosts) } });
});
after(() => api[Symbol.asyncDispose]());
const store = (json: object, headers: Record<string, string> = {}) =>
  api.call("POST", "/media", { json, headers });

test("a file from an address is stored once under its key, is what its bytes are, and goes with one message", async () => {
  const url = "https://shop.example.com/a/parcel%201.png?size=2";
  asked = [];
  const first = await store({ url }, { "idempotency-key": "parcel" });
  const again = await store({ url }, { "idempotency-key": "parcel" });
  assert.deepEqual([first.status, again.text, asked], [201, first.text, [url]]);
  const { id, kind, mimeType, fileName, size, status } = first.body;
  assert.deepEqual(
    [kind, mimeType, fileName, size, status],
    ["image", "image/png", "parcel 1.png", FILES.png.length, "stored"],
  );
  const channelId = await connectWhatsApp(api);
  const conversationId = await openConversation(api, { channelId });
  const send = () =>
    api.call("POST", `/conversations/${conversationId}/messages`, {
      json: { text: "Your parcel", attachments: [id] },
    });
  const sent = await send();
  assert.deepEqual([sent.status, sent.body["type"]], [201, "image"], sent.text);
  assert.deepEqual(
    [(await send()).status, (await send()).body.message],
    [400, "ATTACHMENT_REFUSED"],
  );
  const read = await api.call("GET", `/media/${String(id)}`);
  assert.deepEqual(read.body, first.body);
  const bytes = await api.http.inject(new URL(String(read.body["url"])).pathname);
  assert.deepEqual(bytes.rawPayload, FILES.png);
});

/** A body that is the file. */
const upload = (payload: Buffer, path: string, headers: Record<string, string> = {}) =>
  api.http.inject({
    method: "POST",
    url: `/api/v1/media${path}`,
    headers: { authorization: `Bearer ${api.bearer}`, "content-type": "image/png", ...headers },
    payload,
  });

test("a file as bytes is stored once under its key, named by the query or the header, and is read back", async () => {
  const key = { "idempotency-key": "bytes" };
  const first = await upload(FILES.png, "?name=parcel.png", key);
  const again = await upload(FILES.png, "?name=parcel.png", key);
  assert.deepEqual([first.statusCode, again.body], [201, first.body], first.body);
  assert.equal(again.headers["idempotency-replayed"], "true");
  const other = await upload(FILES.pdf, "?name=parcel.png", key);
  assert.deepEqual([other.statusCode, other.json().message], [422, "IDEMPOTENCY_KEY_REUSED"]);
  const { id, kind, mimeType, fileName, size } = first.json();
  assert.deepEqual(
    [kind, mimeType, fileName, size],
    ["image", "image/png", "parcel.png", FILES.png.length],
  );
  const named = await upload(FILES.png, "", {
    "content-disposition": `attachment; filename="a.png"; filename*=UTF-8''%D8%B5.png`,
  });
  assert.deepEqual([named.statusCode, named.json().fileName], [201, "ص.png"]);

  const content = (bearer: string, headers = {}) =>
    api.http.inject({
      url: `/api/v1/media/${id}/content`,
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    });
  const read = await content(api.bearer);
  assert.deepEqual([read.statusCode, read.headers["content-type"]], [200, "image/png"]);
  assert.deepEqual(read.rawPayload, FILES.png);
  const part = await content(api.bearer, { range: "bytes=0-3" });
  assert.deepEqual([part.statusCode, part.rawPayload], [206, FILES.png.subarray(0, 4)]);
  const stranger = await content((await api.newWorkspace()).bearer);
  assert.deepEqual([stranger.statusCode, stranger.json().message], [404, "NOT_FOUND"]);
});

test("bytes without a name, empty, encoded or too large are refused by name", async () => {
  const refused = async (...[payload, path, headers]: Parameters<typeof upload>) => {
    const { statusCode, body } = await upload(payload, path, headers);
    const { message, details } = JSON.parse(body);
    return [statusCode, message, details?.[0]?.path];
  };
  assert.deepEqual(await refused(FILES.png, ""), [400, "VALIDATION_FAILED", "name"]);
  assert.deepEqual(await refused(FILES.png, "?title=a"), [400, "VALIDATION_FAILED", "title"]);
  assert.deepEqual(await refused(Buffer.alloc(0), "?name=a.png"), [
    400,
    "ATTACHMENT_REFUSED",
    "body",
  ]);
  const zipped = await refused(FILES.png, "?name=a.png", { "content-encoding": "gzip" });
  assert.deepEqual(zipped, [415, "UNSUPPORTED_MEDIA_TYPE", ""]);
  const large = Buffer.alloc(api.app.config.mediaMaxBytes + 1, 1);
  assert.deepEqual(await refused(large, "?name=a.bin"), [413, "BODY_TOO_LARGE", ""]);
});

test("a file that is still fetched from its platform has no content yet", async () => {
  const { id } = (await upload(FILES.png, "?name=late.png")).json();
  await api.app.db.query(sql`update media set state = 'pending' where id = ${id}`);
  const { statusCode, headers, body } = await api.http.inject({
    url: `/api/v1/media/${id}/content`,
    headers: { authorization: `Bearer ${api.bearer}` },
  });
  assert.deepEqual(
    [statusCode, JSON.parse(body).message, headers["retry-after"]],
    [503, "MEDIA_PENDING", "5"],
  );
});

test("an address that is not public, or does not give a file, is refused by name", async () => {
  for (const [url, code, words] of [
    ["https://169.254.169.254/latest/meta-data", "NOT_FETCHED", /public https address/],
    ["https://away.example.com/x.png", "NOT_FETCHED", /could not be reached/],
    ["https://shop.example.com/gone.png", "NOT_FETCHED", /answered 404/],
    ["https://shop.example.com/empty.png", "VALIDATION_FAILED", /empty/],
    ["ftp://shop.example.com/x.png", "VALIDATION_FAILED", /https address/],
    ["https://[/x.png", "VALIDATION_FAILED", /https address/],
  ] as const) {
    const refused = await store({ url });
    assert.deepEqual([refused.status, refused.body.message], [400, code], url);
    assert.match(refused.text, words);
  }
  assert.equal((await api.call("GET", "/media/none")).status, 404);
  const other = await api.newWorkspace();
  const own = await store({ url: "https://shop.example.com/x.png" });
  const foreign = await api.call("GET", `/media/${String(own.body["id"])}`, {
    bearer: other.bearer,
  });
  assert.equal(foreign.status, 404);
});

test("a key reads who it is with any scope; members need team:read", async () => {
  const bearer = await api.key(["usage:read"]);
  const me = await api.call("GET", "/me", { bearer });
  assert.deepEqual([me.body["workspaceId"], me.body["scopes"]], [api.workspaceId, ["usage:read"]]);
  assert.equal(me.body["workspaceTimeZone"], "UTC");
  const refused = await api.call("GET", "/members", { bearer });
  assert.deepEqual([refused.status, refused.body.message], [403, "MISSING_SCOPE:team:read"]);
});

test("a form with the file in it is refused, and a packed file: stored, nobody could read them", async () => {
  const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\r\n--x--\r\n`;
  for (const path of ["/media?name=a.txt", "/imports?name=a.csv"])
    for (const [headers, words] of [
      [
        { "content-type": "multipart/form-data; boundary=x" },
        "the body must be the bytes of the file, not a form: curl --data-binary @FILE, not -F",
      ],
      [
        { "content-type": "text/csv", "content-encoding": "gzip" },
        "send the file without Content-Encoding",
      ],
    ] as const) {
      const { status, body } = await api.call("POST", path, { raw: form, headers });
      assert.deepEqual(
        [status, body.message, body.details],
        [415, "UNSUPPORTED_MEDIA_TYPE", [{ path: "", message: words }]],
        path,
      );
    }
});

test("JSON without its header is refused with the header that is missing", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status, body } = await api.call("POST", "/contacts", { raw: "{}", headers });
  assert.deepEqual([status, body.message], [415, "UNSUPPORTED_MEDIA_TYPE"]);
  const message =
    "send the header Content-Type: application/json; the body is JSON in UTF-8, without Content-Encoding";
  assert.deepEqual(body.details, [{ path: "", message }]);
});

test("the name of a file in place of its bytes is refused: a program forgot to open it, curl its @", async () => {
  const headers = { "content-type": "application/octet-stream" };
  for (const raw of ["parcel.png", "/home/mona/parcel.png", "C:\\parcel.png"]) {
    const { status, body } = await api.call("POST", "/media?name=parcel.png", { raw, headers });
    const details = [
      {
        path: "body",
        message: "is the name of the file: send the bytes of it (curl --data-binary @FILE)",
      },
    ];
    assert.deepEqual([status, body.message, body.details], [400, "ATTACHMENT_REFUSED", details]);
  }
  const people = await api.call("POST", "/imports?name=people.csv", { raw: "people.csv", headers });
  assert.deepEqual([people.status, people.body.message], [400, "VALIDATION_FAILED"]);
  const words = await api.call("POST", "/media?name=a.txt", { raw: "see a.txt", headers });
  assert.equal(words.status, 201, words.text);
});
