import { AppError } from "../../errors.ts";
import { operationsAt } from "../../operations/all.ts";
import { answerDeclared } from "../bound.ts";
import type { Route } from "../edge/route.ts";
import { faceOf } from "./contract/declared.ts";
import type { AppFace } from "./contract/face.ts";
import { tellingWho } from "./last-change.ts";
import type { Caller } from "./member-door.ts";

/** The routes of declared operations at the dashboard's door. */
export const declaredPageCalls: readonly Route<Caller, AppFace>[] = operationsAt("app").map(
  ([name, operation]) => ({
    ...faceOf(operation),
    async handler(call) {
      const { context, principal: caller, params } = call;
      if (caller.kind !== "member") throw new AppError("UNAUTHENTICATED");
      return tellingWho(context, caller, params, () =>
        answerDeclared(name, caller.workspaceId, call),
      );
    },
  }),
);
