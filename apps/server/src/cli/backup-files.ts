import { PassThrough } from "node:stream";
import { once } from "node:events";
import type { OpenContext } from "../open-context.ts";
import type { Tx } from "../db/database.ts";
import { NIL_ID, isId } from "../lib/ids.ts";
import { storageKey, type MediaKey } from "../media/media.ts";
import { nextStoredFiles, openMedia } from "../media/open-media.ts";
import { discard, spool, type SpooledFile } from "../media/spool.ts";
import { storageOf } from "../media/storage-of.ts";

/** Bytes of a file per line: a multiple of three, so that the lines' base64 has no padding between. */
const PER_LINE = 48 * 1024;
const PAGE = 500;

/** One file of a backup, by the id under which its bytes lie. */
export interface FileMark extends MediaKey {
  readonly sha256: string;
}

/**
 * The files of the data folder as lines: a mark of each and its bytes in base64. One that went away since the snapshot
 * is left out; it would have been gone with the next sweep. So is one that was cut: no restore would take it.
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

/** Ids of ours name a place below the uploads; what a backup was given by somebody else could name any. */
const hasPlace = ({ workspaceId, id }: MediaKey): boolean => isId(workspaceId) && isId(id);

/** Takes back what a restore that failed had written. */
export async function removeFiles(app: OpenContext, marks: readonly FileMark[]): Promise<void> {
  for (const mark of marks.filter(hasPlace)) await storageOf(app).remove(storageKey(mark));
}

/** Writes one file of a backup to where files are kept, as its lines come. */
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
    // Whoever ends it hears of a failure; until then nobody listens.
    this.#spooled.catch(() => {});
  }

  async write(line: string): Promise<void> {
    if (this.#body.write(Buffer.from(line, "base64"))) return;
    // A disk that is full ends the reading: then `end` says so.
    await Promise.race([once(this.#body, "drain"), this.#spooled.catch(() => {})]);
  }

  /** For a backup that went no further: nothing of the file stays. */
  async abandon(): Promise<void> {
    this.#body.destroy();
    await this.#spooled.then(discard, () => {});
  }

  /** Throws when the bytes are not those that were kept. */
  async end(): Promise<void> {
    this.#body.end();
    const file = await this.#spooled;
    if (file.sha256 === this.#mark.sha256)
      return storageOf(this.#app).put(storageKey(this.#mark), file);
    await discard(file);
    throw new Error(`the backup is damaged: file ${this.#mark.id} is not what it was`);
  }
}
