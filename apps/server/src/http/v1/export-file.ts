import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { keyActor } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { exportLines } from "../../segments/contact-exports.ts";
import { serveOpen } from "../edge/serve.ts";
import { keyDoor } from "./key-door.ts";
import type { RouteFace } from "./route.ts";

export const exportContentRoute: RouteFace = {
  method: "GET",
  path: "/exports/{id}/content",
  scope: "contacts:export",
  operationId: "downloadExport",
  summary: "The contacts of an export as a file",
  description:
    "CSV with a header (RFC 4180) or one JSON object in each line, newest contact first. An import reads it back. It is written while it is read, in pieces that give way to requests.",
  success: {
    status: 200,
    schema: { type: "string" },
    mediaType: "text/csv",
    example: "id,name,phone\r\n",
  },
  errors: ["NOT_FOUND"],
};

/** Serves the file of an export. Needs a scope of its own. */
export function registerExportFile(fastify: FastifyInstance, context: Context): void {
  const door = keyDoor(context);
  serveOpen(fastify, context, door, exportContentRoute, async ({ principal, params, reply }) => {
    const { workspaceId } = principal;
    const id = params["id"] ?? "";
    const { format, lines } = await exportLines(keyActor(principal), context, workspaceId, id);
    return reply
      .type(format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8")
      .header("content-disposition", `attachment; filename="contacts.${format}"`)
      .send(Readable.from(lines));
  });
}
