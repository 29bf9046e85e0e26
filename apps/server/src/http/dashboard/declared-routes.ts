import { AppError } from "../../errors.ts";
import { operationsAt } from "../../operations/all.ts";
import { doingOf } from "../bound.ts";
import type { Route } from "../edge/route.ts";
import { faceOf } from "./contract/declared.ts";
import type { AppFace } from "./contract/face.ts";
import type { Caller } from "./member-door.ts";

/** The routes of declared operations at the dashboard's door. */
export const declaredPageCalls: readonly Route<Caller, AppFace>[] = operationsAt("app").map(
  ([name, operation]) => ({
    ...faceOf(operation),
    async handler({ context, actor, principal, params, query, body }) {
      if (principal.kind !== "member") throw new AppError("UNAUTHENTICATED");
      const input = { ...asObject(query), ...asObject(body), ...params };
      return JSON.stringify(await doingOf(name).run(actor, context, principal.workspaceId, input));
    },
  }),
);

const asObject = (value: unknown): object => (typeof value === "object" && value ? value : {});
