import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailedOutcome } from "../channels/adapter.ts";
import { judgeRefusal, tryAgain } from "./fetch-policy.ts";
import { cleanFileName, storageKey } from "./media.ts";
import { handedOutAs, sentAs } from "./file-ending.ts";
import { kindOf } from "./media-fit.ts";
import { servedAs, decideMediaType } from "./media-type.ts";

const NAMES: [given: string | null, kept: string | null][] = [
  ["photo.png", "photo.png"],
  ["فاتورة 2026.pdf", "فاتورة 2026.pdf"],
  ["C:\\Users\\me\\a.doc", "a.doc"],
  ["../../etc/passwd", "passwd"],
  ["a\r\nb\0c.txt", "abc.txt"],
  ["invoice\u202efdp.exe", "invoicefdp.exe"],
  ["invoice\u061cfdp.exe", "invoicefdp.exe"],
  ["a\u2028b\u2029c.txt", "abc.txt"],
  ["half\ud800.png", "half\ufffd.png"],
  [`${"x".repeat(300)}.jpeg`, `${"x".repeat(250)}.jpeg`],
  ["...", null],
  ["", null],
  ["/", null],
  [null, null],
];
test("a file's name is one line without a path, cut before its ending", () => {
  for (const [given, kept] of NAMES) assert.equal(cleanFileName(given), kept, String(given));
});

test("the place of a file is made of ids alone", () => {
  const id = "019a0000-0000-7000-8000-0000000000ab";
  assert.equal(storageKey({ workspaceId: "w", id }), `w/ab/${id}`);
});

const mp4 = Buffer.from("0000001c667479706d703432000000006d70343269736f6d", "hex");
const brand = (name: string) =>
  Buffer.concat([mp4.subarray(0, 8), Buffer.from(name), mp4.subarray(12)]);
const ogg = Buffer.concat([Buffer.from("OggS\0\u0002"), Buffer.alloc(22), Buffer.from("OpusHead")]);
const zip = Buffer.concat([Buffer.from("504b030414000000", "hex"), Buffer.alloc(40)]);
const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const TYPES: [claimed: string | null, head: Buffer, kept: string][] = [
  ["audio/mp4", mp4, "audio/mp4"],
  [null, brand("M4A "), "audio/mp4"],
  ["audio/x-m4a", brand("M4A "), "audio/mp4"],
  [null, brand("M4V "), "video/mp4"],
  ["video/mp4", mp4, "video/mp4"],
  ["audio/ogg; codecs=opus", ogg, "audio/ogg"],
  ["audio/opus", ogg, "audio/ogg"],
  [docx, zip, docx],
  ["application/pdf", zip, "application/zip"],
  ["image/png", zip, "application/octet-stream"],
  ["IMAGE/JPG", Buffer.from("ffd8ffe000104a464946", "hex"), "image/jpeg"],
  ["text/csv", Buffer.from("a;b\n1;2"), "text/csv"],
  ["text/javascript", Buffer.from("alert(1)"), "application/octet-stream"],
  ["application/xhtml+xml", Buffer.from("<html/>"), "application/octet-stream"],
  ["text/plain", Buffer.from("<?xml version='1.0'?><a/>"), "application/octet-stream"],
  ["nonsense\r\nX: y", Buffer.from("abc"), "application/octet-stream"],
];
test("the bytes decide the type; a container keeps the claimed name", async () => {
  for (const [claimed, head, kept] of TYPES)
    assert.equal(await decideMediaType(claimed, head), kept, String(claimed));
});

test("invisible characters and blanks do not hide the ending of a page or program", () => {
  const pdf = { kind: "document", mimeType: "application/pdf" };
  for (const name of ["page.html\u200b", "page.h\u2060tml", "run.exe\ufeff. ", "page.html.\u00a0."])
    assert.equal(handedOutAs(name, pdf), `${name}.pdf`);
  for (const name of ["می\u200cخواهم.pdf", "👩\u200d💻.png"])
    assert.equal(handedOutAs(name, pdf), name);
});

test("a file is sent under a name with the ending of its type, and not too long", () => {
  const pdf = { kind: "document", mimeType: "application/pdf" };
  const voice = { kind: "audio", mimeType: "audio/ogg" };
  for (const [name, facts, sent] of [
    ["bill.pdf", pdf, "bill.pdf"],
    ["Bill.PDF", pdf, "Bill.PDF"],
    ["فاتورة", pdf, "فاتورة.pdf"],
    ["bill.v2", pdf, "bill.v2.pdf"],
    ["page.html", pdf, "page.html.pdf"],
    ["voice-note.mp4", voice, "voice-note.mp4.ogg"],
    ["PTT.opus", voice, "PTT.opus.ogg"],
    ["a.oga", voice, "a.oga"],
    [null, voice, "audio.ogg"],
    ["a.jpeg", { kind: "image", mimeType: "image/jpeg" }, "a.jpeg"],
    ["a.png", { kind: "image", mimeType: "image/jpeg" }, "a.png.jpg"],
    ["notes.md", { kind: "document", mimeType: "text/plain" }, "notes.md"],
    ["notes", { kind: "document", mimeType: "text/plain" }, "notes.txt"],
    ["notes", { kind: "document", mimeType: "application/octet-stream" }, "notes"],
    [`${"ف".repeat(250)}.pdf`, pdf, `${"ف".repeat(236)}.pdf`],
    ["ف".repeat(250), pdf, `${"ف".repeat(236)}.pdf`],
  ] as const)
    assert.equal(sentAs(name, facts), sent);
});

test("a file that can run is never shown in place, whatever type its row has", () => {
  for (const type of [
    null,
    "text/html",
    "image/svg+xml",
    "application/pdf",
    "text/xml",
    "application/javascript",
  ])
    assert.equal(servedAs(type).inline, false, String(type));
  for (const type of ["text/html", "image/svg+xml", "application/javascript", docx])
    assert.equal(servedAs(type).type, "application/octet-stream", type);
  assert.deepEqual(servedAs("image/png"), { type: "image/png", inline: true });
  assert.deepEqual(["image/png", "video/mp4", "text/plain"].map(kindOf), [
    "image",
    "video",
    "document",
  ]);
});

const refusal = (reason: FailedOutcome["reason"], retryAfterMs?: number) => ({
  reason,
  code: "1",
  detail: "d",
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
test("a platform's refusal gives the file this verdict", () => {
  const failed = (reason: string) => ({ kind: "failed", reason, detail: "1: d" });
  assert.deepEqual(judgeRefusal(refusal("rejected"), 1), failed("gone"));
  assert.deepEqual(judgeRefusal(refusal("misconfigured"), 1), failed("refused"));
  for (const reason of ["throttled", "unreachable", "unknown"] as const) {
    assert.deepEqual(judgeRefusal(refusal(reason), 1), { kind: "retry", afterMs: 5_000 });
    assert.deepEqual(judgeRefusal(refusal(reason), 6), failed("unreachable"));
  }
  const asked = (ms: number) => judgeRefusal(refusal("throttled", ms), 2);
  assert.deepEqual(asked(10), { kind: "retry", afterMs: 30_000 }, "never sooner than the gap");
  assert.deepEqual(asked(90_000), { kind: "retry", afterMs: 90_000 });
  assert.deepEqual(asked(1e12), { kind: "retry", afterMs: 3_600_000 }, "a stranger's figure");
  assert.equal(tryAgain(5, "not_stored", "").kind, "retry");
});
