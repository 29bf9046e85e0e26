import { Type } from "typebox";
import {
  caseExample,
  caseInput,
  CaseJson,
  CaseListJson,
  caseRunExample,
  CaseRunJson,
  MOST_CASES,
  REPEAT,
} from "../wire/case.ts";
import { ID, Nothing } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const id = anyId("The bot.");
const caseId = anyId("The case.");
const writing = {
  roles: ADMINS,
  scope: null,
  bots: false,
  trace: "audit",
  doors: ["app"],
} as const;
const reading = { roles: EVERYONE, scope: null, bots: false, trace: null, doors: ["app"] } as const;
const given = { question: caseExample.question, mustHold: ["2 working days"] };
const made = { ...caseExample, decision: null, lang: null };

/** Cases of a bot: what its answers must hold before it is published. */
export const caseOperations = {
  listCases: operation("case.list", {
    says: "List the cases of a bot with how they ended last",
    more: "`passed`, `failed` and `untested` are of the draft as it is now: publishing asks for them.",
    at: "GET /bots/{id}/tests",
    input: { id },
    answer: CaseListJson,
    example: {
      input: { id: ID },
      answer: { items: [made], passed: 0, failed: 0, untested: 1, running: null },
    },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
  addCase: operation("case.add", {
    says: "Add a case: a question with what its answer must hold",
    more: `At least one of mustHold, mustNotHold, sources, decision and lang. At most ${MOST_CASES} cases a bot.`,
    at: "POST /bots/{id}/tests",
    input: {
      id,
      ...caseInput,
      conversationId: Type.Optional(
        anyId("The conversation that the words are from. They are deleted with the customer."),
      ),
      gapId: Type.Optional(
        anyId("The question of a gap that the words are. They are deleted with the customer."),
      ),
    },
    answer: CaseJson,
    example: { input: { id: ID, ...given }, answer: made },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    status: 201,
    ...writing,
  }),
  saveCase: operation("case.write", {
    says: "Replace a case; it has to be run again",
    at: "PUT /bots/{id}/tests/{caseId}",
    input: { id, caseId, ...caseInput },
    answer: CaseJson,
    example: { input: { id: ID, caseId: ID, ...given }, answer: made },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
  }),
  deleteCase: operation("case.delete", {
    says: "Delete a case with its results",
    at: "DELETE /bots/{id}/tests/{caseId}",
    input: { id, caseId },
    answer: Nothing,
    example: { input: { id: ID, caseId: ID }, answer: {} },
    errors: ["NOT_FOUND"],
    ...writing,
  }),
  runCases: operation("case.run", {
    says: "Ask a bot its cases, each several times; workers do it",
    more: "A case passes when every answer is right. It costs what the provider takes, within the caps of money, and no AI reply. The answer is the run as it begins: read it again until it ended.",
    at: "POST /bots/{id}/tests/runs",
    input: {
      id,
      repeat: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10,
          description: `How often each case is asked. ${REPEAT} when absent.`,
          examples: [REPEAT],
        }),
      ),
      only: Type.Optional(
        Type.Array(anyId("A case."), {
          minItems: 1,
          maxItems: MOST_CASES,
          description: "The cases to ask. Absent: all.",
        }),
      ),
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: "The published version that answers. Absent: the draft.",
          examples: [1],
        }),
      ),
    },
    answer: CaseRunJson,
    example: { input: { id: ID }, answer: caseRunExample },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    status: 202,
    ...writing,
  }),
  readCaseRun: operation("case.show_run", {
    says: "A run over cases: its progress, each answer, and the first difference",
    at: "GET /bots/{id}/tests/runs/{runId}",
    input: { id, runId: anyId("The run.") },
    answer: CaseRunJson,
    example: { input: { id: ID, runId: ID }, answer: caseRunExample },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
} as const;
