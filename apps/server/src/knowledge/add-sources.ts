import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { knowledgeOperations } from "../operations/knowledge.ts";
import type { SourceJson } from "../wire/knowledge.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform, write } from "../write.ts";
import { nextVersion } from "./knowledge-store.ts";
import { presentSource } from "./list-sources.ts";
import { formatOf, MAX_FILE } from "./reading/formats.ts";
import { countRead, insertSource, selectPageAddresses, type SourceDraft } from "./source-store.ts";

type AddContext = Pick<Context, "db" | "ids" | "clock" | "wake">;
/** The most pages of a workspace, and bytes of its files together. */
const MOST_PAGES = 200;
const MOST_BYTES = 500 * 1024 * 1024;

/** Adds pages by their addresses; a worker reads each soon, and again every day. Throws VALIDATION_FAILED. */
export const addPages = perform(
  knowledgeOperations.addPages,
  (actor, context: AddContext, workspaceId, { addresses }, { keep }) =>
    context.db.transaction(async (tx) => {
      await nextVersion(tx, workspaceId, context.clock.now());
      const known = new Set(await selectPageAddresses(tx, workspaceId));
      const fresh = [...new Set(addresses.map(tidyAddress))].filter((one) => !known.has(one));
      if (known.size + fresh.length > MOST_PAGES)
        throw invalid("addresses", `would make more than ${MOST_PAGES} pages of this workspace`);
      const items: SourceJson[] = [];
      for (const address of fresh) {
        const title = address.replace(/^https?:\/\//u, "").slice(0, 200);
        items.push(
          await insertUnread(actor, context, tx, workspaceId, { kind: "page", title, address }),
        );
      }
      return keep(tx, { items });
    }),
);

function tidyAddress(given: string, at: number): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "")
    throw invalid(`addresses.${at}`, "must be an address that begins with https:// or http://");
  url.hash = "";
  return url.href;
}

/** Keeps a file; a worker reads it soon. Throws VALIDATION_FAILED, and NOT_ALLOWED_IN_STATE when files fill their room. */
export const uploadKnowledge = write(
  "knowledge.upload",
  async (
    actor,
    context: AddContext,
    workspaceId: string,
    given: { readonly fileName: string; readonly body: AsyncIterable<Uint8Array> },
  ): Promise<SourceJson> => {
    if (formatOf(given.fileName) === null)
      throw invalid("name", "must end in .txt, .md, .html, .pdf, .docx or .csv");
    const content = await readWhole(given.body);
    if (content.length === 0) throw invalid("file", "is empty");
    return context.db.transaction(async (tx) => {
      await nextVersion(tx, workspaceId, context.clock.now());
      const { bytes } = await countRead(tx, workspaceId);
      if (bytes + content.length > MOST_BYTES)
        throw new AppError("NOT_ALLOWED_IN_STATE", {
          explanation: "the files of the knowledge fill their room; delete one first",
        });
      const title = given.fileName.replace(/\.\w+$/u, "").slice(0, 200) || given.fileName;
      const one = { kind: "file", title, address: given.fileName } as const;
      return insertUnread(actor, context, tx, workspaceId, one, content);
    });
  },
);

async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_FILE) throw invalid("file", `must be at most ${MAX_FILE / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function insertUnread(
  actor: Actor,
  context: AddContext,
  tx: Tx,
  workspaceId: string,
  one: Pick<SourceDraft, "kind" | "title" | "address">,
  content?: Buffer,
): Promise<SourceJson> {
  const at = context.clock.now();
  const draft: SourceDraft = {
    ...one,
    id: context.ids.next(),
    externalId: null,
    texts: {},
    askedAs: [],
    savedReplyId: null,
    etag: null,
    status: "reading",
    reason: null,
    validUntil: null,
  };
  await insertSource(tx, workspaceId, draft, { at, dueAt: at, ...(content && { content }) });
  await audit(actor, context, tx, workspaceId, {
    action: "knowledge.added",
    subject: draft.id,
    facts: { kind: draft.kind },
  });
  tx.afterCommit(() => context.wake.nudge("housekeeping"));
  const row = { ...draft, used: {}, chunks: 0, readAt: null, createdAt: at, updatedAt: at };
  return presentSource({ ...row, languages: [] }, at);
}
