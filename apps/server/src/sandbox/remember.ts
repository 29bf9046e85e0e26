import type { Context } from "../context.ts";
import { SAMPLE_TEMPLATES } from "./demo-data.ts";
import type { RunningLine } from "./line.ts";
import {
  selectCustomers,
  selectKnownTemplates,
  selectPastMessages,
  selectStoppedPhones,
} from "./sandbox-store.ts";

/** The reply window of each platform, to tell when a customer wrote from when the window ends. */
const WINDOW_HOURS = {
  WHATSAPP: 24,
  MESSENGER: 24,
  INSTAGRAM: 24,
  TELEGRAM: 0,
  TIKTOK: 48,
  SMS: 0,
};

/**
 * Tells a platform that started anew what it knew before: templates, customers and when they wrote, who blocked us, and
 * shows the latest messages on the phones. A platform that never had a template gets the samples.
 */
export async function remember(
  context: Pick<Context, "db">,
  line: Pick<RunningLine, "id" | "workspaceId" | "type" | "platform" | "log">,
): Promise<void> {
  const { platform, workspaceId, id, type, log } = line;
  if (type === "SMS") {
    for (const externalId of await selectStoppedPhones(context.db, workspaceId))
      platform.restore({ externalId, name: null, wroteAt: null, replies: 0, blocked: true });
    return;
  }
  if (platform.addTemplate) {
    const known = await selectKnownTemplates(context.db, workspaceId, id);
    for (const template of known.length === 0 ? SAMPLE_TEMPLATES : known.map(asTheirs))
      platform.addTemplate(template);
  }
  for (const customer of await selectCustomers(context.db, workspaceId, id)) {
    const { windowExpiresAt, ...rest } = customer;
    const wroteAt =
      windowExpiresAt && new Date(windowExpiresAt.getTime() - WINDOW_HOURS[type] * 3_600_000);
    platform.restore({ ...rest, wroteAt });
  }
  if (log.read({ limit: 1 }).length > 0) return;
  for (const past of (await selectPastMessages(context.db, workspaceId, id)).toReversed()) {
    const { customer, direction, text, at } = past;
    const by = direction === "inbound" ? "customer" : "business";
    // Telegram's ids are of a chat, and its phones show the number alone.
    const messageId = type === "TELEGRAM" ? (past.messageId.split(":")[1] ?? "") : past.messageId;
    log.add(customer, { kind: "message", by, messageId, text, type: past.type }, at);
  }
}

function asTheirs(row: Awaited<ReturnType<typeof selectKnownTemplates>>[number]) {
  return {
    id: row.metaId,
    name: row.name,
    language: row.language,
    category: row.category ?? "UTILITY",
    status: row.status,
    parameter_format: row.parameterFormat,
    components: row.components,
  };
}
