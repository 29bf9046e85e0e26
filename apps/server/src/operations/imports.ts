import {
  importExample,
  ImportJson,
  importLookExample,
  ImportPageJson,
  ImportReportJson,
  importWish,
  LookJson,
} from "../wire/import.ts";
import { ID } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { RATES } from "./rates.ts";
import { ADMINS } from "./roles.ts";

const importId = anyId("The import.");

/** Contacts from a file: examined, started, watched. The upload and the refused rows are files (`http/v1/files.ts`). */
export const importOperations = {
  listImports: operation("import_file.list", {
    says: "List the newest hundred imports, newest first",
    at: "GET /imports",
    input: pageInput("`nextCursor` of the page before: the id of its last import.", ID),
    answer: ImportPageJson,
    example: { input: {}, answer: { items: [], nextCursor: null } },
    errors: [],
    roles: ADMINS,
    scope: "contacts:write",
    bots: false,
    trace: null,
    doors: ["v1"],
  }),
  readImport: operation("import_file.show", {
    says: "One import: how far it is, and why rows were refused",
    at: "GET /imports/{id}",
    input: { id: importId },
    answer: ImportReportJson,
    example: { input: { id: ID }, answer: { ...importExample, refusals: [] } },
    errors: ["NOT_FOUND"],
    roles: ADMINS,
    scope: "contacts:write",
    bots: false,
    trace: null,
    doors: ["app", "v1"],
  }),
  lookAtImport: operation("import_file.look", {
    says: "Look at an uploaded file: its columns, and what an import would do",
    more: "Stores nothing. `columns` proposes a field for each column; give the mapping that you want as `map` and look again, then start with the same.",
    at: "POST /imports/{id}/look",
    input: { id: importId, ...importWish },
    answer: LookJson,
    example: { input: { id: ID }, answer: importLookExample },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: ADMINS,
    scope: "contacts:write",
    bots: false,
    trace: null,
    doors: ["app", "v1"],
    rate: RATES.reports,
  }),
  startImport: operation("import_file.start", {
    says: "Start the import of an uploaded file",
    more: "It goes on in the background, with the rights of the key: `GET /v1/imports/{id}` shows how far it is.",
    at: "POST /imports/{id}/start",
    input: { id: importId, ...importWish },
    answer: ImportJson,
    example: { input: { id: ID }, answer: { ...importExample, state: "waiting" } },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: ADMINS,
    scope: "contacts:write",
    bots: false,
    trace: "audit",
    status: 202,
    doors: ["app", "v1"],
    rate: RATES.imports,
  }),
  cancelImport: operation("import_file.cancel", {
    says: "Cancel an import, or remove a file that was not started",
    more: "The batch that runs is finished first. Rows that were imported stay.",
    at: "POST /imports/{id}/cancel",
    input: { id: importId },
    answer: ImportJson,
    example: {
      input: { id: ID },
      answer: { ...importExample, state: "cancelled", finishedAt: importExample.createdAt },
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: ADMINS,
    scope: "contacts:write",
    bots: false,
    trace: "audit",
    doors: ["app", "v1"],
  }),
} as const;
