import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Parley } from "../src/parley.ts";
import { PHP_COMMAND, PYTHON_COMMAND, without } from "./languages.ts";

const run = promisify(execFile);
const PACKAGES = path.join(import.meta.dirname, "../..");
/** Of the file, in pieces of a mebibyte. */
const MEBIBYTES = 48;
const PIECE = Buffer.alloc(2 ** 20, "a film");
const WHOLE = hashOf(Array.from({ length: MEBIBYTES }, () => PIECE));

function hashOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

/** Takes and gives the file. The first try of an upload breaks in its middle, and so does every download of `cut`. */
class Files {
  readonly got: { readonly hash: string; readonly length: string | undefined }[] = [];
  #tries = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") return this.#give(request, response);
    const hash = createHash("sha256");
    let length = 0;
    const breaks = this.#tries++ === 0;
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        hash.update(piece);
        length += piece.length;
        if (breaks && length > 2 ** 22) return void request.socket.destroy();
      }
    } catch {
      return;
    }
    this.got.push({ hash: hash.digest("hex"), length: request.headers["content-length"] });
    response.writeHead(201, { "content-type": "application/json" }).end('{"id":"7"}');
  }

  async #give(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-length": String(MEBIBYTES * PIECE.length) });
    for (let sent = 0; sent < MEBIBYTES && !response.destroyed; sent++) {
      if (request.url?.includes("cut") && sent === 2) return response.socket?.destroySoon();
      if (!response.write(PIECE)) await new Promise((drained) => response.once("drain", drained));
    }
    response.end();
  }

  again(): void {
    this.#tries = 0;
    this.got.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

const files = new Files();
let url = "";
let folder = "";
const at = (name: string) => path.join(folder, name);
before(async () => {
  url = await files.start();
  folder = await mkdtemp(path.join(tmpdir(), "parley-files-"));
  await using file = await open(at("film.mp4"), "w");
  for (let written = 0; written < MEBIBYTES; written++) await file.write(PIECE);
});
after(async () => {
  await files.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The upload came whole at its second try, and the download is the same. */
async function check(copy: string): Promise<void> {
  const length = String(MEBIBYTES * PIECE.length);
  assert.deepEqual(files.got, [{ hash: WHOLE, length }]);
  assert.equal(hashOf([await readFile(at(copy))]), WHOLE);
}

test("TypeScript: a Blob of a file is sent, also again, and a file is read as it arrives", async () => {
  files.again();
  const parley = new Parley({ baseUrl: url, apiKey: "pk:sk" });
  const film = await openAsBlob(at("film.mp4"));
  assert.equal((await parley.media.storeFile(film, { name: "film.mp4" })).id, "7");
  await writeFile(at("typescript"), parley.media.downloadPieces("7"));
  await check("typescript");
  const cut = async () => {
    for await (const piece of parley.media.downloadPieces("cut")) assert.ok(piece.length > 0);
  };
  await assert.rejects(cut, { code: "CONNECTION_FAILED" });
});

test("Python: an open file is sent, also again, within a memory of 12 MB, and a file is read as it arrives", { skip: without("Python") }, async () => {
  files.again();
  const program = `
import sys, tracemalloc
sys.path.insert(0, ${JSON.stringify(path.join(PACKAGES, "sdk-python/src"))})
sys.dont_write_bytecode = True
from parley import Parley, ParleyError
parley = Parley(sys.argv[1], "pk:sk")
tracemalloc.start()
with open("film.mp4", "rb") as film:
    assert parley.media.store_file(film, name="film.mp4")["id"] == "7"
with open("python", "wb") as copy:
    for piece in parley.media.download_pieces("7"):
        copy.write(piece)
try:
    for piece in parley.media.download_pieces("cut"):
        pass
except ParleyError as error:
    print(error.code, tracemalloc.get_traced_memory()[1])
`;
  const { stdout } = await run(PYTHON_COMMAND ?? "", ["-c", program, url], { cwd: folder });
  const [code, most = ""] = stdout.trim().split(" ");
  assert.equal(code, "CONNECTION_FAILED");
  assert.ok(Number(most) < 12 * 2 ** 20, `${most} bytes at most`);
  await check("python");
}); // oxfmt-ignore

test("PHP: an open file is sent, also again, within a memory of 12 MB, and a file is read as it arrives", { skip: without("PHP") }, async () => {
  files.again();
  await writeFile(at("files.php"), `<?php
require ${JSON.stringify(path.join(PACKAGES, "sdk-php/autoload.php"))};
$parley = new Parley\\Parley($argv[1], 'pk:sk');
$stored = $parley->media->storeFile(fopen('film.mp4', 'r'), name: 'film.mp4');
$copy = fopen('php', 'w');
foreach ($parley->media->downloadPieces($stored['id']) as $piece) {
    fwrite($copy, $piece);
}
try {
    foreach ($parley->media->downloadPieces('cut') as $piece) {
    }
} catch (Parley\\ParleyError $error) {
    echo $error->errorCode;
}
`);
  const { stdout } = await run(PHP_COMMAND ?? "", ["-d", "memory_limit=12M", "files.php", url], { cwd: folder });
  assert.equal(stdout, "CONNECTION_FAILED");
  await check("php");
}); // oxfmt-ignore
