import { createReadStream } from "node:fs";
import { AwsV4Signer } from "aws4fetch";
import type { Context } from "../context.ts";
import { HttpFailure, type HttpRequest, type HttpResponse } from "../lib/http.ts";
import type { S3Settings } from "../lib/s3-address.ts";
import { discard } from "./spool.ts";
import { exactly, lengthOf, StorageFault, type MediaStorage } from "./storage.ts";

/** The time for writing one file. It fits into the lease of a fetch. */
const WRITE_MS = 120_000;
/** The time for reading one file. A viewer of a film takes long, and asks for the rest when the stream is cut. */
const READ_MS = 900_000;
/** The time until an answer begins, and for removing a file. No reader waits longer for a store that hangs. */
const ANSWER_MS = 20_000;
/** How much of a refusal is read. */
const REFUSAL_BYTES = 4_096;
/** The SHA-256 of no bytes. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Keeps files in a bucket. Every call is signed with the hash of what it sends, and the store checks the bytes against
 * it.
 */
export function createS3Storage(
  settings: S3Settings,
  { providerHttp, clock }: Pick<Context, "providerHttp" | "clock">,
): MediaStorage {
  const { accessKeyId, secretAccessKey, region } = settings;

  async function signed(
    method: "GET" | "PUT" | "DELETE",
    key: string,
    given: { readonly sha256?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<HttpRequest> {
    const signer = new AwsV4Signer({
      method,
      url: `${settings.endpoint}/${settings.bucket}/${key}`,
      headers: { ...given.headers, "x-amz-content-sha256": given.sha256 ?? EMPTY },
      accessKeyId,
      secretAccessKey,
      service: "s3",
      region,
      datetime: clock
        .now()
        .toISOString()
        .replaceAll(/[:-]|\.\d{3}/g, ""),
    });
    const { url, headers } = await signer.sign();
    const timeoutMs = { GET: READ_MS, PUT: WRITE_MS, DELETE: ANSWER_MS }[method];
    return { method, url: url.href, headers: Object.fromEntries(headers), timeoutMs };
  }

  return {
    async put(key, file) {
      const request = await signed("PUT", key, {
        sha256: file.sha256,
        headers: { "content-type": "application/octet-stream" },
      });
      const headers = { ...request.headers, "content-length": String(file.size) };
      const body = createReadStream(file.path);
      const answer = await reach(providerHttp.request({ ...request, headers, body }));
      if (answer.status !== 200) throw refusal(answer);
      await discard(file);
    },
    async open(key, size, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), ANSWER_MS);
      try {
        const request = { ...(await signed("GET", key, { headers })), signal: late.signal };
        const answer = await reach(providerHttp.stream(request));
        const ofSize = isOfSize(answer, size);
        if (answer.status === (range ? 206 : 200) && ofSize)
          return exactly(lengthOf(size, range), answer.body);
        const refused = { ...answer, body: await readRefusal(answer.body) };
        if (isNotThere(refused) || !ofSize) return null;
        throw refusal(refused);
      } finally {
        clearTimeout(timer);
      }
    },
    async remove(key) {
      const answer = await reach(providerHttp.request(await signed("DELETE", key)));
      if (answer.status !== 204 && answer.status !== 200 && !isNotThere(answer))
        throw refusal(answer);
    },
  };
}

/**
 * Whether the store says that the file is not there. A missing bucket says nothing about the file, which may lie in the
 * bucket that was meant.
 */
const isNotThere = (answer: Omit<HttpResponse, "partial">): boolean =>
  answer.status === 404 && codeOf(answer) !== "NoSuchBucket";

/**
 * Whether the object has `size` bytes, as far as the answer tells. Our ranges lie inside the file, so 416 means another
 * length.
 */
function isOfSize({ status, headers }: Pick<HttpResponse, "status" | "headers">, size: number) {
  if (status !== 200 && status !== 206) return status !== 416;
  const told = status === 200 ? headers["content-length"] : headers["content-range"];
  const [, has = String(size)] = /(?:^|\/)(\d+)$/.exec(told ?? "") ?? [];
  return Number(has) === size;
}

/**
 * The store's own code (`RequestTimeTooSkewed`). A wrong clock, secret and right are all 403, and only the code tells
 * them apart.
 */
const codeOf = ({ body }: Pick<HttpResponse, "body">): string | undefined =>
  /<Code>(\w{1,60})<\/Code>/.exec(body.toString("latin1"))?.[1];

/**
 * Describes the refusal. When the region is wrong, AWS names the right one: in a header of a redirect, or in the text
 * of a refusal.
 */
function refusal({ status, headers, body }: Omit<HttpResponse, "partial">): StorageFault {
  const code = codeOf({ body });
  const region =
    headers["x-amz-bucket-region"] ?? /<Region>([^<]*)</.exec(body.toString("latin1"))?.[1] ?? "";
  const told = [
    ...(code === undefined ? [] : [code]),
    ...(/^[a-z0-9-]{1,40}$/.test(region) ? [`the bucket is in region ${region}`] : []),
  ].join(", ");
  return new StorageFault(`the object store answered ${status}${told && ` (${told})`}`);
}

/**
 * Reads the beginning of a refusal, and then ends the connection. When the answer breaks off, the bytes so far are
 * used.
 */
async function readRefusal(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= REFUSAL_BYTES) break;
    }
  } catch {
    // The answer broke off.
  }
  return Buffer.concat(chunks);
}

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HttpFailure)
      // Only our own time limit aborts.
      throw new StorageFault(
        `the object store gave no answer (${error.kind === "aborted" ? "timeout" : error.kind})`,
      );
    throw error;
  }
}
