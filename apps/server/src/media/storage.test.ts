import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";
import type { Config } from "../config.ts";
import { systemClock } from "../lib/clock.ts";
import { createProviderHttp } from "../lib/outbound-http.ts";
import { createIds } from "../lib/ids.ts";
import { readS3Address } from "../lib/s3-address.ts";
import { discard, DiskFull, spool, sweepSpool, TooLarge } from "./spool.ts";
import { storageFault } from "./storage-fault.ts";
import { StorageFault, type MediaStorage } from "./storage.ts";
import { storageOf } from "./storage-of.ts";

const MIB = 1024 * 1024;
const KEY = "019a0000-0000-7000-8000-00000000000a/0b/019a0000-0000-7000-8000-00000000000b";
let folder: string;
let objects: string;
let s3rver: S3rver;
let s3Url = "";
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-media-"));
  objects = await mkdtemp(path.join(tmpdir(), "parley-s3-"));
  // A store that others wrote. It does not check signatures of version 4; s3-signature.test.ts does.
  s3rver = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: objects,
    configureBuckets: [{ name: "parley-files", configs: [] }],
  });
  const { port } = await s3rver.run();
  s3Url = `s3://S3RVER:S3RVER@127.0.0.1:${port}/parley-files?tls=off&region=eu-central-1`;
});
after(async () => {
  await s3rver.close();
  await rm(folder, { recursive: true });
  await rm(objects, { recursive: true });
});

function storage(s3: string | null): MediaStorage {
  const config = { dataDir: folder, ...(s3 !== null && { s3: readS3Address(s3) ?? undefined }) };
  const providerHttp = createProviderHttp();
  return storageOf({ config: config as Config, providerHttp, clock: systemClock });
}

async function* pieces(bytes: Buffer, size = 64 * 1024): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const filled = (size: number) =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 7) % 251));

for (const name of ["data folder", "S3"] as const) {
  const make = () => storage(name === "S3" ? s3Url : null);

  test(`${name}: a file is kept, read whole and in ranges, written again, and removed`, async () => {
    const store = make();
    assert.equal(await store.open(KEY, 1), null);
    const bytes = filled(300_000);
    const spooled = await spool(folder, "one", pieces(bytes), MIB);
    await store.put(KEY, spooled);
    await assert.rejects(stat(spooled.path), /ENOENT/);
    const whole = (await store.open(KEY, bytes.length)) ?? assert.fail();
    assert.ok((await buffer(whole)).equals(bytes));
    const range =
      (await store.open(KEY, bytes.length, { start: 1_000, end: 1_099 })) ?? assert.fail();
    assert.deepEqual(await buffer(range), bytes.subarray(1_000, 1_100));
    const early = (await store.open(KEY, bytes.length)) ?? assert.fail();
    for await (const chunk of early) {
      assert.ok(chunk.length > 0);
      break;
    }
    await store.put(KEY, await spool(folder, "two", pieces(Buffer.from("again")), MIB));
    assert.equal(String(await buffer((await store.open(KEY, 5)) ?? assert.fail())), "again");
    for (const range of [undefined, { start: 3, end: 9 }, { start: 7, end: 9 }])
      assert.equal(await store.open(KEY, 10, range), null);
    await store.remove(KEY);
    await store.remove(KEY);
    assert.equal(await store.open(KEY, 1), null);
  });
}

test("S3: a missing bucket and a store that is away are faults, whose texts hold no secret", async () => {
  const wrong = [
    s3Url.replace("/parley-files", "/not-there"),
    s3Url.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:9"),
  ];
  for (const url of wrong) {
    const store = storage(url);
    const file = await spool(folder, "kept", pieces(Buffer.from("x")), MIB);
    const error: unknown = await store.put(KEY, file).catch((reason: unknown) => reason);
    assert.ok(error instanceof StorageFault, String(error));
    assert.doesNotMatch(`${error.message} ${error.stack}`, /S3RVER|127\.0\.0\.1:/);
    // The spooled file is still there, to be tried again or discarded.
    assert.equal(await readFile(file.path, "utf8"), "x");
    await discard(file);
  }
});

test("the spool counts the bytes that really come, and keeps nothing of a body that is too long or breaks off", async () => {
  const spoolFolder = path.join(folder, "uploads", "spool");
  await assert.rejects(spool(folder, "big", pieces(Buffer.alloc(101)), 100), TooLarge);
  const broken = async function* () {
    yield Buffer.from("abc");
    throw new Error("line cut");
  };
  await assert.rejects(spool(folder, "cut", broken(), 100), /line cut/);
  assert.deepEqual(await readdir(spoolFolder), []);
  const whole = await spool(folder, "fits", pieces(Buffer.alloc(100)), 100);
  assert.deepEqual([whole.size, (await stat(whole.path)).mode & 0o777], [100, 0o600]);
  assert.equal((await stat(spoolFolder)).mode & 0o777, 0o700);
  await discard(whole);
});

test("a twentieth of the disk, 1 GB at most, is left to PostgreSQL: more is refused, and a half-written file is removed", async () => {
  const GIB = 1024 * MIB;
  const spoolFolder = path.join(folder, "uploads", "spool");
  const left = (total: number, ...free: number[]) =>
    spool(folder, "f", pieces(Buffer.alloc(20 * MIB)), GIB, {
      roomOf: async () => ({
        total,
        free: free.length > 1 ? (free.shift() ?? 0) : (free[0] ?? 0),
      }),
    });
  await assert.rejects(left(2 * GIB, 0.05 * 2 * GIB - 1), DiskFull);
  await assert.rejects(left(1_000 * GIB, GIB - 1), DiskFull);
  await assert.rejects(left(1_000 * GIB, 2 * GIB, GIB - 1), DiskFull, "full in the middle");
  assert.deepEqual(await readdir(spoolFolder), []);
  await discard(await left(2 * GIB, 0.05 * 2 * GIB));
  await discard(await left(1_000 * GIB, GIB));
});

test("files that a dead process left in the spool are removed after an hour", async () => {
  const spoolFolder = path.join(folder, "uploads", "spool");
  const now = new Date("2026-05-01T12:00:00Z");
  const ages = { young: 59, old: 61 };
  for (const [name, minutes] of Object.entries(ages)) {
    await writeFile(path.join(spoolFolder, name), "x");
    const at = new Date(now.getTime() - minutes * 60_000);
    await utimes(path.join(spoolFolder, name), at, at);
  }
  assert.equal(await sweepSpool(folder, now), 1);
  assert.deepEqual(await readdir(spoolFolder), ["young"]);
  assert.equal(await sweepSpool(path.join(folder, "nowhere"), now), 0);
});

test("doctor tests S3 with a small file, and whether the disk of the data folder has room", async () => {
  const ids = createIds(systemClock);
  const ask = (url: string | null) => {
    const config = { dataDir: folder, ...(url !== null && { s3: readS3Address(url) }) } as Config;
    return storageFault({ config, providerHttp: createProviderHttp(), clock: systemClock, ids });
  };
  assert.equal(await ask(null), null);
  const most = { dataDir: folder, diskReserve: 999_999_999_999_999 } as Config;
  const asked = { providerHttp: createProviderHttp(), clock: systemClock, ids };
  assert.match(
    (await storageFault({ ...asked, config: most })) ?? "",
    /^PARLEY_DATA_DIR: too little of the disk .*PARLEY_DISK_RESERVE/,
  );
  assert.equal(await ask(s3Url), null);
  assert.equal(
    await ask(s3Url.replace("/parley-files", "/not-there")),
    "S3_URL: the object store answered 404 (NoSuchBucket)",
  );
  const left = await readdir(objects, { recursive: true });
  assert.deepEqual(
    left.filter((name) => name.includes("check/0")),
    [],
  );
});

const addresses: [text: string, endpoint: string | null][] = [
  ["s3://k:s@minio:9000/files?tls=off", "http://minio:9000"],
  ["s3://k:s@minio:443/files?tls=off", "http://minio:443"],
  [
    "s3://k:s@s3.eu-central-1.amazonaws.com/my-files?region=eu-central-1",
    "https://s3.eu-central-1.amazonaws.com",
  ],
  ["s3://k:s@[::1]:9000/files/", "https://[::1]:9000"],
  ["s3://k@minio/files", null],
  ["s3://k:s@minio/", null],
  ["s3://k:s@minio/a/b", null],
  ["s3://k:s@minio/UPPER", null],
  ["s3://k:s@minio/files?tls=no", null],
  ["s3://k:s@minio/files?regoin=x", null],
  ["s3://k:%zz@minio/files", null],
  ["https://k:s@minio/files", null],
];
test("the address of a store is read strictly", () => {
  for (const [text, endpoint] of addresses)
    assert.equal(readS3Address(text)?.endpoint ?? null, endpoint, text);
  const read = readS3Address("s3://AKIA%2F1:a%2Fb%2Bc%3D@h/b-1");
  assert.deepEqual([read?.accessKeyId, read?.secretAccessKey], ["AKIA/1", "a/b+c="]);
});
