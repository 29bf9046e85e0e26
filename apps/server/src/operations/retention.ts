import {
  RetentionInput,
  RetentionJson,
  retentionExample,
  RetentionPreviewJson,
  retentionPreviewExample,
} from "../wire/retention.ts";
import { operation } from "./operation.ts";
import { RATES } from "./rates.ts";
import { ADMINS } from "./roles.ts";

const rights = { roles: ADMINS, scope: "retention:write", bots: false } as const;
const example = { messageMonths: 24, fileMonths: 12 };

/** For how long a workspace keeps messages, files and events. */
export const retentionOperations = {
  readRetention: operation("retention.show", {
    says: "Show for how long messages, files and events are kept",
    at: "GET /retention",
    input: {},
    answer: RetentionJson,
    example: { input: {}, answer: retentionExample, after: "retention.change" },
    errors: [],
    trace: null,
    doors: ["app", "v1", "cli"],
    ...rights,
  }),
  previewRetention: operation("retention.preview", {
    says: "Count what a change of the retention would delete today",
    more: "Changes nothing.",
    at: "POST /retention/preview",
    input: RetentionInput,
    answer: RetentionPreviewJson,
    example: { input: example, answer: retentionPreviewExample },
    errors: [],
    trace: null,
    rate: RATES.reports,
    doors: ["app", "v1", "cli"],
    ...rights,
  }),
  changeRetention: operation("retention.change", {
    says: "Change for how long messages, files and events are kept",
    more: "What is deleted cannot be brought back. When something is kept for a shorter time, nothing is deleted for 24 hours; until then the change can be taken back. Ask `POST /retention/preview` first.",
    at: "PATCH /retention",
    input: RetentionInput,
    answer: RetentionJson,
    example: { input: example, answer: retentionExample },
    errors: [],
    trace: "audit",
    doors: ["app", "v1", "cli"],
    ...rights,
  }),
} as const;
