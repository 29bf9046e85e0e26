import type { Static, TObject } from "typebox";
import type { Context } from "../../context.ts";
import { sameVersion } from "../../lib/version-tag.ts";
import type { Shown } from "../../wire/schema.ts";
import type { Call, Route } from "../edge/route.ts";
import type { AppFace } from "./contract/face.ts";
import { tellingWho } from "./last-change.ts";
import type { Caller, MemberCaller } from "./member-door.ts";

type Given<F, Key extends string> = F extends { readonly [K in Key]: infer S extends TObject }
  ? Static<S>
  : unknown;
/** The names between the braces of a path. */
type ParamsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsIn<Rest>
  : never;
/** Visitors call only faces for anybody. */
type CallerOf<F extends AppFace> = F["who"] extends "anybody" ? Caller : MemberCaller;

/** A call of one face that was admitted and validated. */
export interface DashboardCall<F extends AppFace = AppFace> extends Pick<
  Call<Caller>,
  "setHeader" | "once" | "begun"
> {
  readonly caller: CallerOf<F>;
  readonly params: { readonly [Name in ParamsIn<F["path"]>]: string };
  readonly query: Given<F, "query">;
  readonly body: Given<F, "body">;
  /**
   * Throws VERSION_MISMATCH unless the record is the version that `If-Match` names. Call it under the record's lock, with
   * what its `etag` was made of.
   */
  readonly match: (current: object) => void;
}

/** Answers one face; the result is sent as JSON. */
export type Handler<F extends AppFace> = (
  context: Context,
  call: DashboardCall<F>,
) => Promise<Shown<F["answer"]>>;
export type Handlers<T extends Readonly<Record<string, AppFace>>> = {
  readonly [N in keyof T]: Handler<T[N]>;
};

/** What the edge lets through, before a face gives it its types. */
interface AnyCall extends Pick<Call<Caller>, "setHeader" | "once" | "begun" | "query" | "body"> {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly match: (current: object) => void;
}
/**
 * A handler of any face: a method, so that handlers with different inputs fit. The edge passes it what its face
 * lets through.
 */
interface AnyHandler {
  answer(context: Context, call: AnyCall): Promise<unknown>;
}

/** One route for each handler. */
export function routesOf<
  const T extends Readonly<Record<string, AppFace>>,
  const N extends keyof T & string,
>(faces: T, handlers: Handlers<Pick<T, N>>): Route<Caller, AppFace>[] {
  const routes: Route<Caller, AppFace>[] = [];
  for (const name in handlers) {
    const face: AppFace | undefined = faces[name];
    const handler: AnyHandler = { answer: handlers[name] };
    if (face)
      routes.push({
        ...face,
        handler: ({ context, principal: caller, ifMatch, ...call }) =>
          tellingWho(context, caller, call.params, async () => {
            const match = (current: object): void => sameVersion(ifMatch, current);
            return JSON.stringify(await handler.answer(context, { ...call, caller, match }));
          }),
      });
  }
  return routes;
}
