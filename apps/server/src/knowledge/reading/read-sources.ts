import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { cutChunks } from "../cut-chunks.ts";
import { nextVersion } from "../knowledge-store.ts";
import { placeChunks } from "../place-chunks.ts";
import { langOf } from "../source.ts";
import {
  claimDueSource,
  contentOf,
  lockSource,
  storeReading,
  type SourceRow,
} from "../source-store.ts";
import { extractText, type Extraction } from "./extract-text.ts";
import { fetchPage } from "./fetch-page.ts";
import { formatOf } from "./formats.ts";

const LEASE_MS = 3 * 60_000;
/** Pages are read again once a day. */
const AGAIN_MS = 24 * 3_600_000;

type ReadingContext = Pick<Context, "db" | "ids" | "clock" | "guardedHttp">;
type Outcome = Extraction | { readonly ok: "unchanged" };

/** Reads one source that is due: a new file, a page of yesterday. Gives how many it read. */
export async function readDueSource(context: ReadingContext): Promise<number> {
  const now = context.clock.now();
  const due = await claimDueSource(context.db, now, new Date(now.getTime() + LEASE_MS));
  if (!due) return 0;
  const { workspaceId, ...source } = due;
  const { outcome, etag } = await readOne(context, workspaceId, source);
  try {
    await storeOutcome(context, workspaceId, source.id, outcome, etag);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await storeOutcome(
      context,
      workspaceId,
      source.id,
      { ok: false, fault: "knowledge_full" },
      etag,
    );
  }
  return 1;
}

async function readOne(
  context: ReadingContext,
  workspaceId: string,
  source: SourceRow,
): Promise<{ readonly outcome: Outcome; readonly etag: string | null }> {
  if (source.kind === "page") {
    const page = await fetchPage(context, source.address ?? "", source.etag);
    if (page.kind === "unchanged") return { outcome: { ok: "unchanged" }, etag: source.etag };
    if (page.kind === "fault") return { outcome: { ok: false, fault: page.fault }, etag: null };
    return { outcome: await extractText(page.bytes, page.format), etag: page.etag };
  }
  const format = formatOf(source.address ?? "");
  const bytes = await contentOf(context.db, workspaceId, source.id);
  if (format === null || bytes === null)
    return { outcome: { ok: false, fault: "not_text" }, etag: null };
  return { outcome: await extractText(bytes, format), etag: null };
}

/** Stores what was read. A source that could not be read keeps the chunks that it had. */
async function storeOutcome(
  context: ReadingContext,
  workspaceId: string,
  id: string,
  outcome: Outcome,
  etag: string | null,
): Promise<void> {
  const now = context.clock.now();
  await context.db.transaction(async (tx) => {
    const version = await nextVersion(tx, workspaceId, now);
    const source = await lockSource(tx, workspaceId, { id });
    // It was deleted meanwhile.
    if (!source) return;
    const dueAt = source.kind === "page" ? new Date(now.getTime() + AGAIN_MS) : null;
    if (outcome.ok === true) {
      const title = source.kind === "page" && outcome.title !== "" ? outcome.title : source.title;
      const pieces = cutChunks(title, outcome.text).map((piece, place) => ({
        ...piece,
        place,
        lang: langOf(piece.text),
      }));
      await placeChunks(context, tx, workspaceId, { id, askedAs: source.askedAs, pieces }, version);
      await storeReading(tx, workspaceId, id, {
        status: "ready",
        reason: null,
        title,
        etag,
        dueAt,
        readAt: now,
      });
      return;
    }
    const failed = outcome.ok === false;
    await storeReading(tx, workspaceId, id, {
      status: failed ? "failed" : "ready",
      reason: failed ? outcome.fault : null,
      title: source.title,
      etag,
      dueAt,
      readAt: failed ? source.readAt : now,
    });
  });
}
