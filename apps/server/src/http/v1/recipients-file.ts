import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import { keyActor } from "../../api-keys/api-key.ts";
import { exportRecipients } from "../../broadcasts/report/export-recipients.ts";
import type { Context } from "../../context.ts";
import { sendPieces } from "../edge/send-pieces.ts";
import { serveOpen } from "../edge/serve.ts";
import { statesIn, type RecipientsFileQuery } from "./broadcasts.ts";
import { keyDoor } from "./key-door.ts";
import { recipientsDownload } from "./routes.ts";

/** `GET /v1/broadcasts/{id}/recipients.csv`: every recipient, page by page as the program reads it. */
export function registerRecipientsDownload(fastify: FastifyInstance, context: Context): void {
  serveOpen(
    fastify,
    context,
    keyDoor(context),
    recipientsDownload,
    async ({ principal, params, query: given, reply }) => {
      const query: Static<typeof RecipientsFileQuery> = given;
      const { workspaceId } = principal;
      const id = params["id"] ?? "";
      const filter = { status: statesIn(query), reason: query.reason };
      const rows = exportRecipients(keyActor(principal), context, workspaceId, id, filter);
      return sendPieces(reply, { name: "recipients.csv", mediaType: "text/csv" }, rows);
    },
  );
}
