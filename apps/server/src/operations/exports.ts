import { Type } from "typebox";
import {
  contactExportExample,
  ContactExportJson,
  EXPORT_FIELDS,
  EXPORT_FORMATS,
} from "../wire/contact-export.ts";
import { definitionExample, DefinitionInput } from "../wire/segment.ts";
import { ID, oneOf } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { RATES } from "./rates.ts";
import { ADMINS } from "./roles.ts";

/** Contacts as a file. The file itself is served by `http/v1/export-file.ts`. */
export const contactExports = {
  createExport: operation("contact_export.create", {
    says: "Choose contacts to read as a file",
    more: "All contacts, those of a saved segment, or those that fit a definition. The file is written while `GET /v1/exports/{id}/content` is read, so it has the contacts of that moment; the audit then names the key, how many there were and the filter.",
    at: "POST /exports",
    input: {
      segmentId: Type.Optional(anyId("A saved segment. It goes without `definition`.")),
      definition: Type.Optional(DefinitionInput),
      fields: Type.Optional(
        Type.Array(oneOf(EXPORT_FIELDS, "A member of a contact."), {
          minItems: 1,
          maxItems: EXPORT_FIELDS.length,
          uniqueItems: true,
          description: "The members of a contact, in this order. Without it: all.",
          examples: [["id", "name", "phone"]],
        }),
      ),
      format: Type.Optional(oneOf(EXPORT_FORMATS, "`csv` when not given.", "csv")),
    },
    answer: ContactExportJson,
    example: {
      input: { definition: definitionExample, fields: ["id", "name", "phone"] },
      answer: contactExportExample,
    },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    scope: "contacts:export",
    bots: false,
    trace: "author",
    status: 201,
    doors: ["v1"],
    rate: RATES.exports,
  }),
  readExport: operation("contact_export.show", {
    says: "One export",
    at: "GET /exports/{id}",
    input: { id: anyId("The export.") },
    answer: ContactExportJson,
    example: {
      input: { id: ID },
      answer: contactExportExample,
      after: "contact_export.create",
    },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    scope: "contacts:export",
    bots: false,
    trace: null,
    doors: ["v1"],
  }),
} as const;
