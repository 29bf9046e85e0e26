import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { uploadsFolder } from "./spool.ts";
import { exactly, lengthOf, type ByteRange, type MediaStorage } from "./storage.ts";

/**
 * Keeps files in the data folder: mode 0600 in folders of 0700. A file is complete under its name, or not there at all.
 */
export function createDiskStorage(dataDir: string): MediaStorage {
  const placeOf = (key: string) => path.join(uploadsFolder(dataDir), ...key.split("/"));
  return {
    async put(key, file) {
      const place = placeOf(key);
      const folder = path.dirname(place);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The spool has flushed the bytes to the disk. The new name is durable once its folder is flushed too.
      await rename(file.path, place);
      const handle = await open(folder, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async open(key, size, range) {
      const place = placeOf(key);
      try {
        if ((await stat(place)).size !== size) return null;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
      return exactly(lengthOf(size, range), read(place, range));
    },
    async remove(key) {
      await rm(placeOf(key), { force: true });
    },
  };
}

/**
 * The file is opened for the first byte, and closed after the last byte or when the reader stops. So an unread stream
 * holds no file open.
 */
async function* read(place: string, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
  const handle = await open(place, "r");
  try {
    yield* handle.createReadStream({ ...range, autoClose: false });
  } finally {
    await handle.close();
  }
}
