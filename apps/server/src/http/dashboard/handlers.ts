import type { Static, TObject } from "typebox";
import type { Shown } from "../../wire/schema.ts";
import type { Call, Route } from "../edge/route.ts";
import type { AppFace } from "./contract/face.ts";
import type { Caller, MemberCaller } from "./member-door.ts";

type Given<F, Key extends string> = F extends { readonly [K in Key]: infer S extends TObject }
  ? Static<S>
  : unknown;
/** Only faces for anybody are called by visitors. */
type CallerOf<F extends AppFace> = F["who"] extends "anybody" ? Caller : MemberCaller;

/** Answers one face; what it gives is sent as JSON. */
export type Handler<F extends AppFace> = (
  call: Call<CallerOf<F>, Given<F, "query">, Given<F, "body">>,
) => Promise<Shown<F["answer"]>>;
export type Handlers<T extends Readonly<Record<string, AppFace>>> = {
  readonly [N in keyof T]: Handler<T[N]>;
};

/** A handler whatever its face: a method, so that those of different inputs fit. The edge hands it what its face lets through. */
interface AnyHandler {
  answer(call: Call<Caller>): Promise<unknown>;
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
      routes.push({ ...face, handler: async (call) => JSON.stringify(await handler.answer(call)) });
  }
  return routes;
}
