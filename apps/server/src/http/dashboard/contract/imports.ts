import { Type } from "typebox";
import { ImportJson } from "../../../wire/import.ts";
import { count, NO_NUL, nullableText, oneOf } from "../../../wire/schema.ts";
import { ADMINS, face } from "./face.ts";

/** Contacts from a file, as pages list them. `operations/imports.ts` declares the other calls. */
export const imports = {
  /** The newest hundred, those of the command line too. */
  listImports: face({
    method: "GET",
    path: "/imports",
    who: ADMINS,
    answer: Type.Object({
      imports: Type.Array(ImportJson),
      maxBytes: count("The largest file."),
      country: nullableText("The workspace's: whose code local numbers get."),
    }),
  }),
} as const;

/** Uploads a file of contacts: the body is its bytes. Served apart, because its body is not JSON. */
export const importUpload = face({
  method: "POST",
  path: "/imports",
  who: ADMINS,
  status: 201,
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255, ...NO_NUL }) }),
  answer: ImportJson,
});

/**
 * Downloads the refused rows in the file's own form, with line and reason; the reason is in the language that is
 * asked for, else in English. Served apart, because the answer is a file.
 */
export const refusedRows = face({
  method: "GET",
  heavy: true,
  path: "/imports/{id}/refused",
  who: ADMINS,
  query: Type.Object({ lang: Type.Optional(oneOf(["en", "ar"], "Of the reasons.")) }),
  answer: Type.Unknown(),
});
