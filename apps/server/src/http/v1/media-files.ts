import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { keyActor } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { findMedia } from "../../media/open-media.ts";
import { presentFile } from "../../media/store-from-address.ts";
import { uploadMedia } from "../../media/upload-media.ts";
import { NO_NUL } from "../../wire/schema.ts";
import { serveJsonOrFile, serveOpen } from "../edge/serve.ts";
import { uploader } from "../edge/serve-upload.ts";
import { nameOfDisposition } from "../media/content-disposition.ts";
import { answerFile } from "../media/media.ts";
import { declaredKeyRoutes } from "./declared-routes.ts";
import { keyDoor } from "./key-door.ts";
import type { Route, RouteFace } from "./route.ts";

const found = declaredKeyRoutes.find(({ operationId }) => operationId === "storeMedia");
if (!found) throw new Error("no declared route stores media");

/** The declared route, which takes an address. It is served here, beside the bytes at the same address. */
export const mediaAddressRoute: Route = found;

/** The same with the bytes of a file as its body. */
export const mediaUploadRoute: RouteFace = {
  ...mediaAddressRoute,
  description: `With \`Content-Type: application/json\` the body names an address; with any other, the body is the file, and \`name\` or \`Content-Disposition\` names it. Its bytes decide what it is; the \`Content-Type\` helps where they do not show it. ${mediaAddressRoute.description ?? ""}`,
  query: Type.Object({
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        ...NO_NUL,
        description:
          "Of a file that is the body: its name for the customer. Without it, the `filename` of `Content-Disposition`.",
        examples: ["parcel.png"],
      }),
    ),
  }),
  file: {
    mediaType: "application/octet-stream",
    about: "An address as JSON, or the bytes of the file.",
    example: "the bytes",
  },
  errors: [...mediaAddressRoute.errors, "ATTACHMENT_REFUSED", "STORAGE_FULL"],
};

export const mediaContentRoute: RouteFace = {
  method: "GET",
  path: "/media/{id}/content",
  scope: "messages:read",
  operationId: "downloadMedia",
  summary: "The bytes of a file",
  description:
    "Its `Content-Type` is what the bytes are. `Range` and `If-None-Match` hold. 503 `MEDIA_PENDING` while it is fetched from its platform.",
  success: {
    status: 200,
    schema: { type: "string", format: "binary" },
    mediaType: "application/octet-stream",
    example: "the bytes",
  },
  errors: ["NOT_FOUND", "MEDIA_PENDING"],
};

/** Serves what of media is bytes: uploads beside addresses, and the files themselves. Each in a scope of its own. */
export async function registerMediaFiles(
  fastify: FastifyInstance,
  context: Context,
): Promise<void> {
  const door = keyDoor(context);
  const store = uploader(context, door, mediaUploadRoute, async (call, body) => {
    const { principal, query, request } = call;
    const named = query["name"] ?? nameOfDisposition(request.headers["content-disposition"]);
    if (typeof named !== "string")
      throw invalid(
        "name",
        "must be given in the query: the name of the file that is the body, as ?name=receipt.pdf",
      );
    const mimeType = request.headers["content-type"] ?? "application/octet-stream";
    const given = { fileName: named, mimeType, body };
    const media = await uploadMedia(
      keyActor(principal),
      context,
      principal.workspaceId,
      given,
    ).catch((error: unknown) => {
      throw refusalOf(error);
    });
    return presentFile(context, media);
  });
  await fastify.register(async (scope) =>
    serveJsonOrFile(scope, context, door, mediaAddressRoute, mediaUploadRoute, store),
  );
  await fastify.register(async (scope) =>
    serveOpen(scope, context, door, mediaContentRoute, async (call) => {
      const { principal, params, request, reply } = call;
      const id = params["id"] ?? "";
      const media = isId(id) ? await findMedia(context, principal.workspaceId, id) : null;
      return answerFile(context, request, reply, media, "private, no-cache");
    }),
  );
}

/** The refusal of the bytes has a code of its own here. */
const refusalOf = (error: unknown): unknown =>
  error instanceof AppError && error.facts.details?.some(({ path }) => path === "body")
    ? new AppError("ATTACHMENT_REFUSED", error.facts)
    : error;
