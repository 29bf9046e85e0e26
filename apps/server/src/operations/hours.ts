import { HoursInput, hoursInputExample, HoursJson, hoursExample } from "../wire/hours.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

/** When a workspace is open. */
export const hoursOperations = {
  readHours: operation("hours.show", {
    says: "Show the business hours",
    at: "GET /hours",
    input: {},
    answer: HoursJson,
    example: { input: {}, answer: hoursExample, after: "hours.save" },
    errors: [],
    roles: EVERYONE,
    scope: null,
    bots: true,
    trace: null,
    doors: ["app"],
  }),
  saveHours: operation("hours.save", {
    says: "Save the business hours",
    at: "PUT /hours",
    input: HoursInput,
    answer: HoursJson,
    example: { input: hoursInputExample, answer: hoursExample },
    errors: [],
    roles: ADMINS,
    scope: null,
    bots: false,
    trace: "audit",
    doors: ["app"],
  }),
} as const;
