import { Type } from "typebox";
import { SourceJson } from "../../../wire/knowledge.ts";
import { NO_NUL } from "../../../wire/schema.ts";
import { ADMINS, face } from "./face.ts";

/** Uploads a file that bots may answer from: the body is its bytes. Served apart, because its body is not JSON. */
export const knowledgeUpload = face({
  method: "POST",
  path: "/knowledge/files",
  who: ADMINS,
  status: 201,
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255, ...NO_NUL }) }),
  answer: SourceJson,
});
