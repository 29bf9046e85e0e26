import { queryOptions } from "@tanstack/react-query";
import { call, type AnswerOf, type InputOf } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";

export type CaseList = AnswerOf<"listCases">;
export type Case = CaseList["items"][number];
export type CaseRun = AnswerOf<"readCaseRun">;
export type CaseDifference = NonNullable<CaseRun["items"][number]["difference"]>;
/** A case as it is sent. */
export type CaseBody = NonNullable<InputOf<"saveCase">["body"]>;

const CASES = "cases";

export const casesQuery = (id: string) =>
  queryOptions({
    queryKey: [CASES, id],
    queryFn: ({ signal }) => call("listCases", { params: { id }, signal }),
    throwOnError: failsPage,
  });

export const caseRunQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: [CASES, id, "run", runId],
    queryFn: ({ signal }) => call("readCaseRun", { params: { id, runId }, signal }),
    throwOnError: failsPage,
  });

/** Reads the cases of a bot again, after a change. */
export const readCasesAgain = (id: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [CASES, id] });

/** The newest sources of the knowledge, for the names of those that a case or a document has. */
export const knownSources = queryOptions({
  queryKey: [CASES, "sources"],
  queryFn: ({ signal }) => call("listKnowledge", { query: { limit: 200 }, signal }),
});
