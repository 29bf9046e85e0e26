import type { Context } from "../context.ts";
import { windowStart } from "../conversations/reply-window.ts";
import { SAMPLE_TEMPLATES } from "./demo-data.ts";
import type { RunningLine } from "./line.ts";
import { knownTemplates, type KnownTemplate } from "../templates/list-templates.ts";
import { selectCustomers, selectPastMessages, selectStoppedPhones } from "./sandbox-store.ts";

/**
 * Gives a restarted platform what it knew before: templates, customers, when they wrote, and who blocked us. Shows the
 * latest messages on the phones. A platform that never had a template gets the samples.
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
    const known = await knownTemplates(context.db, workspaceId, id);
    for (const template of known.length === 0 ? SAMPLE_TEMPLATES : known.map(asTheirs))
      platform.addTemplate(template);
  }
  for (const customer of await selectCustomers(context.db, workspaceId, id)) {
    const { windowExpiresAt, ...rest } = customer;
    platform.restore({ ...rest, wroteAt: windowStart(type, windowExpiresAt) });
  }
  if (log.read({ limit: 1 }).length > 0) return;
  for (const past of (await selectPastMessages(context.db, workspaceId, id)).toReversed()) {
    const { customer, direction, text, at } = past;
    const by = direction === "inbound" ? "customer" : "business";
    // Telegram's message ids belong to a chat, and its phones show only the number.
    const messageId = type === "TELEGRAM" ? (past.messageId.split(":")[1] ?? "") : past.messageId;
    log.add(customer, { kind: "message", by, messageId, text, type: past.type }, at);
  }
}

function asTheirs(row: KnownTemplate) {
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
