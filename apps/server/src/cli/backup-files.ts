import { PassThrough } from "node:stream";
import { once } from "node:events";
import type { OpenContext } from "../open-context.ts";
import type { Tx } from "../db/database.ts";
import { NIL_ID, isId } from "../lib/ids.ts";
import { storageKey, type MediaKey } from "../media/media.ts";
import { nextStoredFiles, openMedia } from "../media/open-media.ts";
import { discard, spool, type SpooledFile } from "../media/spool.ts";
import { storageOf } from "../media/storage-of.ts";

/** Bytes of a file per line: a multiple of three, so that the base64 of the lines has no padding between them. */
const PER_LINE = 48 * 1024;
const PAGE = 500;

/** A file in a backup, by the id under which its bytes lie. */
export interface FileMark extends MediaKey {
  readonly sha256: string;
}

/**
 * The files of the data folder as lines: a mark for each file, then its bytes in base64. A file that was removed since
 * the snapshot is left out; the next sweep would have removed it anyway. A file that was cut is left out too, because
 * no restore would take it.
 */
export async function* readFiles(app: OpenContext, tx: Tx): AsyncGenerator<string> {
  for (let after: MediaKey = { workspaceId: NIL_ID, id: NIL_ID }; ;) {
    const page = await nextStoredFiles(tx, after, PAGE);
    for (const { workspaceId, bytesId, size, sha256 } of page) {
      const body = await openMedia(app, { workspaceId, bytesId, size });
      if (body === null) continue;
      yield `${JSON.stringify({ file: { workspaceId, id: bytesId, sha256 } })}\n`;
      let rest = Buffer.alloc(0);
      for await (const chunk of body) {
        rest = Buffer.concat([rest, chunk]);
        for (; rest.length >= PER_LINE; rest = rest.subarray(PER_LINE))
          yield `${rest.subarray(0, PER_LINE).toString("base64")}\n`;
      }
      if (rest.length > 0) yield `${rest.toString("base64")}\n`;
    }
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    after = last;
  }
}

/**
 * Whether the mark has ids of ours, which name a place below the uploads. A backup that somebody else made could name
 * any place.
 */
const hasPlace = ({ workspaceId, id }: MediaKey): boolean => isId(workspaceId) && isId(id);

/** Removes the files that a failed restore has written. */
export async function removeFiles(app: OpenContext, marks: readonly FileMark[]): Promise<void> {
  for (const mark of marks.filter(hasPlace)) await storageOf(app).remove(storageKey(mark));
}

/** Writes one file of a backup to where files are kept, line by line. */
export class FileWriter {
  readonly #app: OpenContext;
  readonly #mark: FileMark;
  readonly #body = new PassThrough();
  readonly #spooled: Promise<SpooledFile>;
  constructor(app: OpenContext, mark: FileMark) {
    if (!hasPlace(mark)) throw new Error("the backup is damaged: a file has no id");
    this.#app = app;
    this.#mark = mark;
    const { dataDir } = app.config;
    this.#spooled = spool(dataDir, `${mark.id}.restore`, this.#body, Number.MAX_SAFE_INTEGER);
    // `write` and `end` report a failure. Until then nobody listens.
    this.#spooled.catch(() => {});
  }

  /** Takes the next line of the file, and waits while the disk is behind. Throws once it takes no more (a full disk). */
  async write(line: string): Promise<void> {
    if (this.#body.write(Buffer.from(line, "base64"))) return;
    await Promise.race([once(this.#body, "drain"), this.#spooled]);
  }

  /** Ends a file of a backup that broke off. Nothing of it stays. */
  async abandon(): Promise<void> {
    this.#body.destroy();
    await this.#spooled.then(discard, () => {});
  }

  /** Finishes the file. Throws when its bytes are not those of the backup. */
  async end(): Promise<void> {
    this.#body.end();
    const file = await this.#spooled;
    if (file.sha256 === this.#mark.sha256)
      return storageOf(this.#app).put(storageKey(this.#mark), file);
    await discard(file);
    throw new Error(`the backup is damaged: file ${this.#mark.id} is not what it was`);
  }
}
