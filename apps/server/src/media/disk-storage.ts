import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { uploadsFolder } from "./spool.ts";
import type { MediaStorage } from "./storage.ts";

/** Files in the data folder: mode 0600 in folders of 0700, complete under their name or not there at all. */
export function createDiskStorage(dataDir: string): MediaStorage {
  const placeOf = (key: string) => path.join(uploadsFolder(dataDir), ...key.split("/"));
  return {
    async put(key, file) {
      const place = placeOf(key);
      const folder = path.dirname(place);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Its bytes are on the disk (the spool saw to that); the name is, once its folder is.
      await rename(file.path, place);
      const handle = await open(folder, "r");
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    async open(key, range) {
      let handle;
      try {
        handle = await open(placeOf(key), "r");
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
      return createReadStream("", { fd: handle, ...range });
    },
    async remove(key) {
      await rm(placeOf(key), { force: true });
    },
  };
}
