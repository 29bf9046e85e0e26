import type { Context } from "../context.ts";
import type { StreamingHttp } from "../lib/http.ts";
import { discard, roomFault, spool } from "./spool.ts";
import type { MediaStorage } from "./storage.ts";
import { storageOf } from "./storage-of.ts";

/** The time of each call: an operator waits for it. */
const CALL_MS = 5_000;
const CHECK = "check";

/**
 * Looks whether the disk of the data folder has room for files, and tests with a small file whether the object store
 * takes, gives back and removes files. Null: all is well. Otherwise a sentence for the operator. A store that hangs is
 * reported after five seconds.
 */
export async function storageFault(
  context: Pick<Context, "config" | "providerHttp" | "clock" | "ids">,
): Promise<string | null> {
  const { dataDir, s3 } = context.config;
  // Files on their way to an object store lie there too.
  const full = await roomFault(dataDir, context.config);
  if (full !== null || s3 === undefined) return full;
  const storage = storageOf({ ...context, providerHttp: impatient(context.providerHttp) });
  const key = `check/${context.ids.next()}`;
  const file = await spool(dataDir, "check", once(CHECK), 100);
  try {
    await storage.put(key, file);
    const unread = await faultOfReading(storage, key).catch(wordsOf);
    // Removed even when it could not be read, so that nothing of ours stays in the bucket.
    const unremoved = await storage.remove(key).then(() => null, wordsOf);
    return unread ?? unremoved;
  } catch (error) {
    return wordsOf(error);
  } finally {
    await discard(file);
  }
}

async function faultOfReading(storage: MediaStorage, key: string): Promise<string | null> {
  let read = "";
  for await (const chunk of (await storage.open(key, CHECK.length)) ?? [])
    read += Buffer.from(chunk).toString();
  return read === CHECK ? null : "S3_URL: the store does not give back what it was given";
}

const wordsOf = (error: unknown): string =>
  `S3_URL: ${error instanceof Error ? error.message : String(error)}`;

function impatient(http: StreamingHttp): StreamingHttp {
  return {
    request: (call) => http.request({ ...call, timeoutMs: CALL_MS }),
    stream: (call) => http.stream({ ...call, timeoutMs: CALL_MS }),
  };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
