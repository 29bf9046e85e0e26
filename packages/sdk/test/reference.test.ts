import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { methodName, operationsOf, readDocument } from "../document.ts";
import { callsOf, reference, REFERENCE } from "../reference.ts";
import { PHP_COMMAND, PYTHON_COMMAND, without } from "./languages.ts";

const run = promisify(execFile);
const PACKAGES = path.join(import.meta.dirname, "../..");
const document = readDocument();
const operations = operationsOf(document);

test("the committed reference is what the committed document and the guide to errors give (`npm run reference`)", async () => {
  const wanted = reference();
  const found = (await readdir(REFERENCE, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(REFERENCE, path.join(entry.parentPath, entry.name)));
  assert.deepEqual(found.toSorted(), [...wanted.keys()].toSorted());
  for (const [name, text] of wanted)
    assert.ok((await readFile(path.join(REFERENCE, name), "utf8")) === text, `${name} is stale: run \`npm run openapi\``); // oxfmt-ignore
});

test("a page explains each member of its answer: type, whether it is always there, meaning", () => {
  const pages = reference();
  const rowsOf = (name: string) =>
    (pages.get(name)?.split("## Answer")[1]?.split("## Errors")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
  const bare = operations.flatMap(({ id, tag, answerExample, answerType }) => {
    const [one = answerExample] = Array.isArray(answerExample) ? (answerExample as unknown[]) : [];
    if (answerType !== "application/json" || typeof one !== "object" || one === null) return [];
    const rows = rowsOf(`${tag}/${id}.md`);
    return Object.keys(one).flatMap((name) =>
      rows.some((row) => row.startsWith(`| \`${name}\` | `) && !row.endsWith("|  |")) ? [] : [`${id}: ${name}`],
    );
  }); // oxfmt-ignore
  assert.deepEqual(bare, []);
  assert.match(rowsOf("messages/getMessage.md").join("\n"), /^\| `text` \| string or null \| yes \| /m);
  assert.match(rowsOf("contacts/listContacts.md").join("\n"), /^\| `refs` \| object \|  \| /m);
}); // oxfmt-ignore

test("calls that ignore what they do not know say so in bold, and lead to those that take it", () => {
  const pages = reference();
  for (const name of ["contacts/createContact.md", "messages/sendMessage.md", "otp/sendOtp.md"])
    assert.match(pages.get(name) ?? "", /\*\*A member of the body that this call does not know is ignored/);
  assert.match(pages.get("messages/sendMessage.md") ?? "", /\]\(\.\.\/conversations\/sendInConversation\.md\)/);
  assert.match(pages.get("contacts/createContact.md") ?? "", /\]\(\.\.\/contacts\/upsertContact\.md\)/);
  assert.doesNotMatch(pages.get("contacts/upsertContact.md") ?? "", /is ignored/);
}); // oxfmt-ignore

test("reading is one verb in the clients", () => {
  const names = operations.map((one) => `${one.tag}.${methodName(one)}`);
  assert.deepEqual(names.filter((name) => name.includes(".read")), []);
  for (const name of ["contacts.get", "media.get", "segments.get", "templates.get", "webhook-endpoints.get", "broadcasts.getReport"])
    assert.ok(names.includes(name), name);
  assert.equal(new Set(names).size, names.length);
}); // oxfmt-ignore

test("every error of every page has its cure", () => {
  const without = [...reference()].flatMap(([name, text]) =>
    [...text.matchAll(/^\| `([^`]+)` \| \d{3} \| {2}\|$/gm)].map(([, code]) => `${name}: ${code}`),
  );
  assert.deepEqual(without, [], "docs/guides/errors.md has no line for them");
});

test("a call that takes a file shows it with bytes, and refuses what is no file in words of its own", () => {
  const page = reference().get("media/storeMedia.md") ?? "";
  for (const call of [/--data-binary @/, /parley\.media\.storeFile\(/, /parley\.media\.store_file\(/, /\$parley->media->storeFile\(/])
    assert.match(page, call);
  assert.match(page, /`BODY_TOO_LARGE` \| 413 \| a file: at most 100 MB/);
  assert.match(page, /`UNSUPPORTED_MEDIA_TYPE` \| 415 \| send the file's own `Content-Type`/);
  const upload = reference().get("imports/uploadImport.md") ?? "";
  assert.match(upload, /`BODY_TOO_LARGE` \| 413 \| a file: at most 100 MB, or what the operator sets \|/);
  assert.match(upload, /`UNSUPPORTED_MEDIA_TYPE` \| 415 \| send `Content-Type: text\/csv` \|/);
}); // oxfmt-ignore

test("a change that may be bound to a version lists If-Match, and shows how each client gives it", () => {
  const pages = reference();
  const bound = operations.filter(({ ifMatch }) => ifMatch !== null);
  assert.deepEqual(bound.map(({ id }) => id).toSorted(), ["changeConversation", "changeWebhookEndpoint", "deleteBroadcast", "deleteSegment", "deleteWebhookEndpoint", "updateBroadcast", "updateContact", "updateSegment"]);
  for (const { tag, id } of bound) {
    const page = pages.get(`${tag}/${id}.md`) ?? "";
    for (const part of [/^\| header \| `If-Match` \|/m, /-H "If-Match: \$etag"/, /WithEtag\(id\)`, then .*\{ ifMatch: etag \}/, /_with_etag\(id\)`, then .*if_match=etag/, /WithEtag\(\$id\)`, then .*ifMatch: \$etag/])
      assert.match(page, part, id);
  }
}); // oxfmt-ignore

test("the README of each client names the lists that are no pages", async () => {
  const arrays = operations.filter(({ answer }) => answer?.type === "array");
  const names = arrays.map((one) => `${one.tag}.${methodName(one)}`);
  assert.deepEqual(names.toSorted(), ["broadcasts.list", "segments.list", "templates.list"]);
  for (const name of ["sdk", "sdk-python", "sdk-php"]) {
    const text = await readFile(path.join(PACKAGES, name, "README.md"), "utf8");
    for (const list of names)
      assert.ok(text.includes(`\`${name === "sdk-php" ? list.replace(".", "->") : list}\``), `${name}: ${list}`);
  }
}); // oxfmt-ignore

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly type: string | undefined;
}

/** A server that answers every list as an empty one, and keeps what it was asked. */
async function startEcho() {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const type = request.headers["content-type"];
      const body: unknown = type === "application/json" ? JSON.parse(text) : text;
      asked.push({ method: request.method ?? "", url: request.url ?? "", body, type });
      const file = /\/(recipients\.csv|refused|content)$/.test(request.url ?? "");
      response.writeHead(200, { "content-type": file ? "text/csv" : "application/json" });
      response.end('{"items":[],"nextCursor":null}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    asked,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

// A stream is waited for, and the bytes of an upload by curl are a file of the reader's.
const called = operations.filter((one) => one.answerType !== "text/event-stream");
const LONG = process.env["PARLEY_TEST_LONG"] === "1";
/** A process for each call by curl costs ten seconds: the short suite takes every eighth. */
const calledBy = (name: string) =>
  name === "curl"
    ? called.filter((one, index) => one.bodyType === null && (LONG || index % 8 === 0))
    : called;
const codesOf = (name: string): string[] =>
  calledBy(name).map(
    (one) => callsOf(document, one).find(([language]) => language === name)?.[2] ?? "",
  );
const LANGUAGES = {
  curl: {
    skip: false,
    file: "all.sh",
    text: () => codesOf("curl").map((code) => `${code} >/dev/null\n`).join(""),
    command: ["bash", "-e"],
  },
  TypeScript: {
    skip: false,
    file: "all.ts",
    text: () => `import { Parley } from ${JSON.stringify(path.join(PACKAGES, "sdk/src/index.ts"))};
const parley = new Parley({ baseUrl: process.env["PARLEY_URL"], apiKey: process.env["PARLEY_KEY"] });
${codesOf("TypeScript").map((code) => `{\n${code}\n}\n`).join("")}`,
    command: [process.execPath],
  },
  Python: {
    skip: without("Python"),
    file: "all.py",
    text: () => `import os, sys
sys.path.insert(0, ${JSON.stringify(path.join(PACKAGES, "sdk-python/src"))})
sys.dont_write_bytecode = True
from parley import Parley
parley = Parley(os.environ["PARLEY_URL"], os.environ["PARLEY_KEY"])
${codesOf("Python").join("\n")}\n`,
    command: [PYTHON_COMMAND ?? ""],
  },
  PHP: {
    skip: without("PHP"),
    file: "all.php",
    text: () => `<?php
require ${JSON.stringify(path.join(PACKAGES, "sdk-php/autoload.php"))};
$parley = new Parley\\Parley(getenv('PARLEY_URL'), getenv('PARLEY_KEY'));
${codesOf("PHP").join("\n")}\n`,
    command: [PHP_COMMAND ?? "", "-d", "error_reporting=-1", "-d", "display_errors=stderr"],
  },
} as const; // oxfmt-ignore

for (const [name, { skip, file, text, command }] of Object.entries(LANGUAGES))
  test(`${name}: the call of each page sends what the document's example says`, { skip }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "parley-reference-"));
    try {
      await using echo = await startEcho();
      await writeFile(path.join(folder, file), text());
      const [program = "", ...parameters] = command;
      const { stderr } = await run(program, [...parameters, file], {
        cwd: folder,
        env: { ...process.env, PARLEY_URL: echo.url, PARLEY_KEY: "pk:sk" },
        maxBuffer: 1e8,
      });
      assert.equal(stderr.replaceAll(/^.*(Warning|node --trace).*\n/gm, ""), "");
      const left = [...echo.asked];
      for (const one of calledBy(name)) {
        const [got] = left.splice(0, 1);
        assert.ok(got, one.id);
        const at = new RegExp(`^/api${one.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
        assert.match(got.url, at, one.id);
        assert.equal(got.method, one.method, one.id);
        if (one.bodyType) assert.equal(got.type, one.bodyType);
        else if (one.body) assert.deepEqual(got.body, one.bodyExample, one.id);
        for (const { name: query } of one.orFile ? [] : one.query.filter((parameter) => parameter.required))
          assert.match(got.url, new RegExp(`[?&]${query}=`), one.id);
        // Reading every one sends the same again.
        if (left[0]?.url === got.url && left[0].method === got.method && name !== "curl") left.splice(0, 1);
      }
      assert.deepEqual(left, []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }); // oxfmt-ignore

test("the calls in TypeScript compile in the strictest way", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-reference-"));
  try {
    const home = path.join(folder, "node_modules/@parley/sdk");
    await mkdir(home, { recursive: true });
    await cp(path.join(PACKAGES, "sdk/dist"), path.join(home, "dist"), { recursive: true });
    await cp(path.join(PACKAGES, "sdk/package.json"), path.join(home, "package.json"));
    const calls = operations.map((one) => callsOf(document, one).find(([name]) => name === "TypeScript")?.[2] ?? ""); // oxfmt-ignore
    const text = `import { Parley } from "@parley/sdk";
declare const parley: Parley; declare const console: { log(one: unknown): void };
${calls.map((code) => `{\n${code}\n}\n`).join("")}`;
    await writeFile(path.join(folder, "all.mts"), text);
    const tsc = path.join(PACKAGES, "../node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--types", ""]; // oxfmt-ignore
    const { stdout } = await run(process.execPath, [tsc, ...options, "all.mts"], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    assert.equal(stdout, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
