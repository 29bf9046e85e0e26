import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isOpen, nextOpening } from "../../hours/hours.ts";
import { readHours } from "../../hours/read-hours.ts";
import { isId } from "../../lib/ids.ts";
import { botOperations } from "../../operations/bots.ts";
import { CHANNEL_TYPES } from "../../wire/words.ts";
import { perform } from "../../write.ts";
import { openingIn } from "../hand-over/hand-over-words.ts";
import { selectBot } from "../record/bot-store.ts";
import { faultsOf, readDocument } from "../record/document-faults.ts";
import { triggerOf } from "../record/live-bot.ts";
import { previewFlow } from "./preview-flow.ts";

/** The customer's first name in a preview. */
const CUSTOMER = { en: "Sara", ar: "سارة" } as const;

/**
 * What a flow would say and do when a customer writes this: its draft, or the document that is given. Nothing is stored,
 * sent or metered. Throws NOT_FOUND; NOT_ALLOWED_IN_STATE for another kind of bot; VALIDATION_FAILED for what is no document.
 */
export const previewBot = perform(
  botOperations.previewBot,
  async (
    _actor,
    context: Context,
    workspaceId,
    { id, document, said, language, channel },
    { keep },
  ) => {
    const bot = isId(id) ? await selectBot(context.db, workspaceId, id) : null;
    if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
    if (document) readDocument(document);
    const shown = document ?? bot.draft;
    if (shown["kind"] !== "flow" || bot.kind !== "flow")
      throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "only a flow has a preview" });
    const hours = await readHours(context.db, workspaceId);
    const now = context.clock.now().getTime();
    const open = isOpen(hours, now);
    const opensAt = open ? null : nextOpening(hours, now);
    const locale = language ?? "en";
    const preview = previewFlow(shown, said, {
      locale,
      channelType: channel ?? channelOf(shown),
      firstName: CUSTOMER[locale],
      tags: [],
      segments: [],
      open,
      nextOpening: opensAt === null ? "" : openingIn(locale, hours.zone, opensAt),
      closed: open ? null : { zone: hours.zone, opensAt },
    });
    const answer = { ...preview, faults: faultsOf(shown) };
    return context.db.transaction((tx) => keep(tx, answer));
  },
);

/** The first kind of channel that the trigger names. */
const channelOf = (document: Readonly<Record<string, unknown>>): string =>
  CHANNEL_TYPES.find((type) => triggerOf(document).channels.includes(type)) ?? "WHATSAPP";
