import { Type } from "typebox";
import { count, id, nullableText, NO_NUL, text } from "../../../wire/schema.ts";
import { TemplateJson } from "../../../wire/template.ts";
import { AcrossLine } from "../../../wire/desk-shapes.ts";
import { EVERYONE, face } from "./face.ts";
import { Nothing } from "./inputs.ts";

/** What the composer needs beside the inbox's own faces. */
export const thread = {
  /** A person's conversations, campaigns and consent on all channels, newest first, at most 30. */
  readAcross: face({
    method: "GET",
    path: "/contacts/{id}/across",
    who: EVERYONE,
    answer: Type.Object({ lines: Type.Array(AcrossLine) }),
  }),

  /** The approved templates of the conversation's channel, at most 200. */
  listSendableTemplates: face({
    method: "GET",
    path: "/conversations/{id}/templates",
    who: EVERYONE,
    answer: Type.Object({ templates: Type.Array(TemplateJson) }),
  }),
} as const;

/**
 * The bytes of a file, for whoever is signed in: the links of the dashboard end with the session. Served apart. The
 * address without a session (`url` in the API) is for platforms and programs.
 */
export const memberFile = face({
  method: "GET",
  path: "/files/{id}",
  who: EVERYONE,
  answer: Nothing,
});

/**
 * Uploads a file for a reply: the body is its bytes, `Content-Type` its type. Served apart, because its body is
 * not JSON. A file that no message uses within 24 hours is removed.
 */
export const replyFile = face({
  method: "POST",
  path: "/files",
  who: EVERYONE,
  status: 201,
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255, ...NO_NUL }) }),
  answer: Type.Object({
    id: id("Name it in `media` of a reply."),
    url: text("Where it can be looked at."),
    kind: text("image, audio, video, document or sticker."),
    mimeType: text("What its bytes are."),
    fileName: nullableText("As it was named."),
    size: count("Bytes."),
  }),
});
