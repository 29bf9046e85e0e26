import type { Context } from "../context.ts";
import { aiDocumentExample } from "../wire/bot.ts";
import type { StoredBotDocument } from "./record/bot-store.ts";
import { insertBot, insertVersion, writeBot } from "./record/bot-store.ts";

/** A live bot with version 1, as its document says. Gives its id. */
export async function makeLiveBot(
  { db, ids, clock }: Pick<Context, "db" | "ids" | "clock">,
  workspaceId: string,
  document: StoredBotDocument = aiDocumentExample,
): Promise<string> {
  const id = ids.next();
  const at = clock.now();
  const { kind } = document;
  const own = kind === "flow" || kind === "external" ? kind : "ai";
  const bot = { workspaceId, id, name: "Shop assistant", kind: own, draft: document } as const;
  await db.transaction(async (tx) => {
    await insertBot(tx, { ...bot, createdAt: at });
    const version = { number: 1, document, publishedBy: "cli", publishedAt: at } as const;
    await insertVersion(tx, bot, { ...version, note: null, untested: false });
    await writeBot(tx, { ...bot, status: "live", version: 1, updatedAt: at });
  });
  return id;
}
