import { calls } from "virtual:contract";
import type { Static, TObject } from "typebox";
import type { Api } from "../../../server/src/http/dashboard/contract/api.ts";
import type { Shown } from "../../../server/src/wire/schema.ts";
import { ApiError, errorOf } from "./api-error.ts";
import { withProof } from "./proof.ts";
import { permitCall } from "./role.ts";

export type CallName = keyof Api;

/** The names between the braces of a path. */
type ParamOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamOf<Rest>
  : never;
type PartOf<F, Key extends string> = F extends { readonly [K in Key]: infer S extends TObject }
  ? { readonly [K in Key]: Readonly<Static<S>> }
  : unknown;
type ParamsOf<F extends { readonly path: string }> = [ParamOf<F["path"]>] extends [never]
  ? unknown
  : { readonly params: { readonly [K in ParamOf<F["path"]>]: string } };
/** A part may be left out when all its members are optional. */
type LeaveOut<T> = {
  readonly [K in keyof T as object extends T[K] ? K : never]?: T[K];
} & { readonly [K in keyof T as object extends T[K] ? never : K]: T[K] };

export type InputOf<N extends CallName> = LeaveOut<
  ParamsOf<Api[N]> & PartOf<Api[N], "query"> & PartOf<Api[N], "body">
> & {
  readonly signal?: AbortSignal;
} & (Api[N]["method"] extends "POST" ? { readonly idempotencyKey?: string } : unknown) &
  (Api[N]["method"] extends "GET" ? unknown : { readonly ifMatch?: string | undefined });

/** What a call answers. */
export type AnswerOf<N extends CallName> = Shown<Api[N]["answer"]>;

const PREFIX = "/api/app";

/**
 * Calls the server by the contract's name: a wrong body, a missing parameter or an unknown name does not compile.
 * Throws an `ApiError` for every answer without success, when no answer arrives, and for a page's read that the role does not open. An aborted call throws what
 * `signal` gives. A call that needs a fresh proof asks for the password by itself and goes on. Before a link to a
 * download that needs one, `await call("checkProven")`.
 */
export async function call<N extends CallName>(
  name: N,
  ...[input]: object extends InputOf<N> ? [input?: InputOf<N>] : [input: InputOf<N>]
): Promise<AnswerOf<N>> {
  const [method = "GET", path = ""] = calls[name].split(" ");
  if (method === "GET") permitCall(name);
  const { params, query, body, idempotencyKey, ifMatch, signal } = loosely(input);
  const headers = new Headers({ "x-parley": "1" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  if (ifMatch !== undefined) headers.set("if-match", ifMatch);
  return withProof(() =>
    answerTo<N>(addressOf(path, params, query), { method, headers, body, signal }),
  );
}

async function answerTo<N extends CallName>(
  address: string,
  {
    body,
    signal,
    ...rest
  }: { readonly method: string; readonly headers: Headers } & Pick<Parts, "body" | "signal">,
): Promise<AnswerOf<N>> {
  const response = await fetch(address, {
    ...rest,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new ApiError({ code: "NO_CONNECTION", cause });
  });
  if (!response.ok) throw await errorOf(response);
  return response.json().catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new ApiError({ code: "NO_CONNECTION", cause });
  });
}

interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The `etag` of the version that is changed: 412 VERSION_MISMATCH when there is another. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
/** Every input has these parts or lacks them; the types of each call say which. */
const loosely = (input: Parts | undefined): Parts => input ?? {};

function addressOf(path: string, params: Parts["params"] = {}, query: Parts["query"] = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined) search.set(key, String(value));
  return `${PREFIX}${filled}${search.size > 0 ? `?${search}` : ""}`;
}
