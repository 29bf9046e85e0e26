import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { botOperations } from "../../operations/bots.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { perform } from "../../write.ts";
import { lockLiving } from "../record/bots.ts";
import { readAi } from "../turn/ai-document.ts";
import { doLookups, lookUpAlone } from "./look-up.ts";

/** A member looks on: as long as a turn leaves for one. */
const WITHIN_MS = 15_000;

/**
 * Makes a look-up of the draft once, for no customer, and says what it gave. Throws NOT_FOUND; NOT_ALLOWED_IN_STATE for another
 * kind of bot or an archived one.
 */
export const testLookup = perform(
  botOperations.testLookup,
  async (actor, context: Context, workspaceId, { id, name, arguments: given }, { keep }) => {
    const bot = await context.db.transaction(async (tx) => {
      const locked = await lockLiving(tx, workspaceId, id);
      if (locked.kind !== "ai")
        throw new AppError("NOT_ALLOWED_IN_STATE", {
          explanation: "only an AI bot has look-ups",
        });
      await audit(actor, context, tx, workspaceId, { action: "bot.tested", subject: id });
      return locked;
    });
    const { lookups = [] } = readAi({ name: bot.name, document: bot.draft });
    const [done] = await doLookups([{ name, arguments: given }], {
      lookUp: lookUpAlone(context, { workspaceId, botId: id }),
      declared: lookups,
      turnId: context.ids.next(),
      done: [],
      left: WITHIN_MS,
    });
    if (!done) throw new AppError("NOT_FOUND", { explanation: "no such look-up" });
    return context.db.transaction((tx) => keep(tx, done));
  },
);
