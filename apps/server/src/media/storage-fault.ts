import type { Context } from "../context.ts";
import { discard, spool } from "./spool.ts";
import { storageOf } from "./storage-of.ts";

/**
 * Whether the object store takes, gives back and removes a file, asked with a small one; null: it does, or files are
 * in the data folder. Else a sentence for the operator.
 */
export async function storageFault(
  context: Pick<Context, "config" | "providerHttp" | "clock" | "ids">,
): Promise<string | null> {
  if (context.config.s3 === undefined) return null;
  const storage = storageOf(context);
  const key = `check/${context.ids.next()}`;
  const file = await spool(context.config.dataDir, "check", once("check"), 100);
  try {
    await storage.put(key, file);
    const body = await storage.open(key, file.size);
    let read = "";
    for await (const chunk of body ?? []) read += Buffer.from(chunk).toString();
    await storage.remove(key);
    return read === "check" ? null : "S3_URL: the store does not give back what it was given";
  } catch (error) {
    return `S3_URL: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await discard(file);
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
