import {
  ContactChangeInput,
  contactChangeExample,
  contactJobExample,
  ContactJobFilter,
  ContactJobJson,
  ContactJobPageJson,
} from "../wire/contact-job.ts";
import { ID, oneOf } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS } from "./roles.ts";

const id = anyId("The change.");
const rights = { roles: ADMINS, scope: "contacts:write", bots: false } as const;
const errors = ["NOT_FOUND"] as const;

/** Changes to many contacts, which go on in the background. */
export const contactJobs = {
  startContactJob: operation("contact_job.start", {
    says: "Change many contacts in the background",
    more: "For the contacts that exist now; whether one fits is checked just before it is changed. `delete` needs the scope `contacts:erase` too, `opt_in` the scope `contacts:consent`. The customer's own STOP is not undone.",
    at: "POST /contact-jobs",
    input: { filter: ContactJobFilter, change: ContactChangeInput },
    answer: ContactJobJson,
    example: { input: contactChangeExample, answer: contactJobExample },
    errors: [...errors, "MISSING_SCOPE:contacts:erase", "MISSING_SCOPE:contacts:consent"],
    status: 202,
    ...rights,
    trace: "audit",
    doors: ["v1"],
  }),
  listContactJobs: operation("contact_job.list", {
    says: "List changes to many contacts, newest first",
    at: "GET /contact-jobs",
    input: pageInput("`nextCursor` of the page before: the id of its last change.", ID),
    answer: ContactJobPageJson,
    example: {
      input: {},
      answer: { items: [contactJobExample], nextCursor: null },
      after: "contact_job.start",
    },
    errors: [],
    ...rights,
    trace: null,
    doors: ["app", "v1"],
  }),
  readContactJob: operation("contact_job.show", {
    says: "One change to many contacts, and how far it is",
    at: "GET /contact-jobs/{id}",
    input: { id },
    answer: ContactJobJson,
    example: { input: { id: ID }, answer: contactJobExample, after: "contact_job.start" },
    errors,
    ...rights,
    trace: null,
    doors: ["v1"],
  }),
  moveContactJob: operation("contact_job.move", {
    says: "Pause, resume or cancel a change to many contacts",
    more: "The changes that were made stay.",
    at: "POST /contact-jobs/{id}/moves",
    input: { id, move: oneOf(["pause", "resume", "cancel"], "What to do.", "pause") },
    answer: ContactJobJson,
    example: {
      input: { id: ID, move: "pause" },
      answer: { ...contactJobExample, state: "paused" },
      after: "contact_job.start",
    },
    errors: [...errors, "NOT_ALLOWED_IN_STATE"],
    ...rights,
    trace: "audit",
    doors: ["app", "v1"],
  }),
} as const;
