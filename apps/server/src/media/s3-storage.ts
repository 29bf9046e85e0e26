import { createReadStream } from "node:fs";
import { AwsV4Signer } from "aws4fetch";
import type { Context } from "../context.ts";
import { HttpFailure, type HttpRequest } from "../lib/http.ts";
import type { S3Settings } from "../lib/s3-address.ts";
import { discard } from "./spool.ts";
import { StorageFault, type MediaStorage } from "./storage.ts";

/** Of writing one file; inside the lease of a fetch. */
const WRITE_MS = 120_000;
/** Of reading one: who looks at a film takes its time, and asks for the rest when it is cut. */
const READ_MS = 900_000;
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Files in a bucket. Every call is signed with the hash of what it sends; the store checks the bytes against it. */
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
    const timeoutMs = method === "GET" ? READ_MS : WRITE_MS;
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
      const { status } = await reach(providerHttp.request({ ...request, headers, body }));
      if (status !== 200) throw new StorageFault(`the object store answered ${status}`);
      await discard(file);
    },
    async open(key, range) {
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const answer = await reach(providerHttp.stream(await signed("GET", key, { headers })));
      if (answer.status === (range ? 206 : 200)) return answer.body;
      // Ended, so that its connection does not wait for a reader.
      for await (const _ of answer.body) break;
      if (answer.status === 404) return null;
      throw new StorageFault(`the object store answered ${answer.status}`);
    },
    async remove(key) {
      const { status } = await reach(providerHttp.request(await signed("DELETE", key)));
      if (status !== 204 && status !== 200 && status !== 404)
        throw new StorageFault(`the object store answered ${status}`);
    },
  };
}

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HttpFailure)
      throw new StorageFault(`the object store gave no answer (${error.kind})`);
    throw error;
  }
}
