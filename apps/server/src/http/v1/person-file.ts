import type { FastifyInstance } from "fastify";
import { keyActor } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { personDocument } from "../../persons/export-person.ts";
import { PersonDocumentJson, personDocumentExample } from "../../wire/person.ts";
import { sendPieces } from "../edge/send-pieces.ts";
import { serveOpen } from "../edge/serve.ts";
import { keyDoor } from "./key-door.ts";
import type { RouteFace } from "./route.ts";

export const personExportRoute: RouteFace = {
  method: "GET",
  path: "/contacts/{id}/export",
  heavy: true,
  scope: "contacts:export",
  operationId: "exportPerson",
  summary: "Everything that is stored of one person, as one JSON document",
  description:
    "For a person who asks what you know of them: the contact and those that were merged into it, consent, conversations with messages, notes and drafts, campaigns, passcodes, the audit, and which events named the person. A merged contact means the one that it became. A stored file is named by its `mediaId`: `GET /v1/media/{id}/content` gives its bytes. It is written while it is read; the audit names the key.",
  success: {
    status: 200,
    schema: PersonDocumentJson,
    example: personDocumentExample,
  },
  errors: ["NOT_FOUND"],
};

/** Serves the export of one person. Needs a scope of its own. */
export function registerPersonFile(fastify: FastifyInstance, context: Context): void {
  const door = keyDoor(context);
  serveOpen(fastify, context, door, personExportRoute, async ({ principal, params, reply }) => {
    const id = params["id"] ?? "";
    const pieces = personDocument(keyActor(principal), context, principal.workspaceId, id);
    return sendPieces(reply, { name: "person.json", mediaType: "application/json" }, pieces);
  });
}
