import type { FastifyInstance } from "fastify";
import { exportRecipients } from "../../broadcasts/report/export-recipients.ts";
import type { Context } from "../../context.ts";
import { RECIPIENT_STATUSES } from "../../wire/words.ts";
import { sendPieces } from "../edge/send-pieces.ts";
import { recipientsFile } from "./contract/campaigns.ts";
import { serveMember } from "./serve-member.ts";

/** Serves a campaign's recipients as a file, page by page as the browser reads it. */
export function registerRecipientsFile(fastify: FastifyInstance, context: Context): void {
  serveMember(fastify, context, recipientsFile, async ({ caller, params, query, reply }) => {
    const { reason } = query;
    const rows = exportRecipients(caller.actor, context, caller.workspaceId, params["id"] ?? "", {
      status: RECIPIENT_STATUSES.find((one) => one === query["status"]),
      reason: typeof reason === "string" ? reason : undefined,
      mark: true,
    });
    return sendPieces(reply, { name: "recipients.csv", mediaType: "text/csv" }, rows);
  });
}
