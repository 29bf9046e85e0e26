import { Type, type Static, type TObject, type TProperties, type TSchema } from "typebox";
import type { MemberRole } from "../actor.ts";
import type { ErrorCode } from "../errors.ts";
import type { Shown } from "../wire/schema.ts";
import type { Scope } from "../wire/words.ts";
import type { NamedRate } from "./rates.ts";

/** The dashboard's API (`/api/app`), the API of keys (`/api/v1`), the command line, assistants (`/mcp`). */
export type DoorName = "app" | "v1" | "cli" | "mcp";
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** Method and path, the same below `/api/app` and `/api/v1`: "PUT /labels/{name}". */
type Address = `${Method} /${string}`;
type Trace = "audit" | "contact" | "author";

/** The names between the braces of an address. */
type InPath<At extends string> = At extends `${string}{${infer Name}}${infer Rest}`
  ? Name | InPath<Rest>
  : never;
type MethodOf<At> = At extends `${infer M extends Method} ${string}` ? M : never;
type PathOf<At> = At extends `${Method} ${infer P}` ? P : never;

/** Who may do it. Nothing has a default, so nothing is open by accident. */
type Rights<D extends Doors> = {
  /** The roles of members that may. */
  readonly roles: readonly MemberRole[];
  /** Whether bots may. */
  readonly bots: boolean;
  /** The scope that opens it to keys; null where no key may, so that the API has no such route. */
  readonly scope: Scope | null;
  /** Any of these scopes opens it too. */
  readonly otherScopes?: readonly Scope[];
  readonly doors: D;
};
type Doors = readonly DoorName[];

/**
 * - read: changes nothing
 * - draft: members see it, no customer does
 * - send: a customer sees it, or it changes who is reached; the key's `sends` says who decides
 */
export type ToolClass = "read" | "draft" | "send";

/** How assistants see an operation. */
export interface Tool<Name extends string> {
  /** Its name: "search_contacts". */
  readonly name: string;
  readonly class: ToolClass;
  /** What it does, and more of it, where it does less than the operation. */
  readonly says?: string;
  readonly more?: string;
  /** Members of the input that assistants do not give. */
  readonly without?: readonly Name[];
  /** Members of the input that assistants must give, though others need not. */
  readonly needs?: readonly Name[];
  /** Members of the input that are ids of people or conversations: the key must have read them shortly before. */
  readonly reaches?: readonly Name[];
}

/** What keys reach names the scope that opens it. */
type Opened<D extends Doors> =
  Extract<D[number], "v1" | "mcp"> extends never ? unknown : { readonly scope: Scope };

/** An operation that assistants reach says what its tool is and what it does. */
type AsTool<D extends Doors, I extends TProperties> = "mcp" extends D[number]
  ? { readonly tool: Tool<keyof I & string> }
  : { readonly tool?: never };

/** What asks, though it is a POST because its question is a document. */
type Question =
  | `GET ${string}`
  | `POST ${string}/${"search" | "count" | "sample" | "look" | "preview"}`
  | `POST ${string}-${"estimates" | "previews"}`;

/** A read leaves no trace. A write says where it records its actor. A POST needs a binding that keeps its answer. */
type Effect<At extends Address> = {
  readonly trace: At extends Question ? null : Trace;
};

/** The values of an input; of one without members nothing is known. */
type Given<I extends TProperties> = keyof I extends never
  ? Readonly<Record<string, unknown>>
  : Static<TObject<I>>;

interface Declared<At extends Address, I extends TProperties, A extends TSchema> {
  /** One sentence: the summary in the API's document, the line in `--help`. */
  readonly says: string;
  /** What else a caller must know. */
  readonly more?: string;
  readonly at: At;
  /** What the caller gives. Names of the path go into the path, the others into the query of a GET or into the body. */
  readonly input: I;
  readonly answer: A;
  /**
   * A call that works, and its answer. `after` names the operation whose example runs first; names of the path that its
   * answer has are taken from there.
   */
  readonly example: {
    readonly input: Given<I>;
    readonly answer: Shown<A>;
    readonly after?: string;
  };
  /** Codes beyond those of every route. */
  readonly errors: readonly ErrorCode[];
  /** The status of a success where it is not 200. */
  readonly status?: 201 | 202;
  /** The status is 201 where this member of the answer has this value, and 200 otherwise. */
  readonly createdWhen?: readonly [member: string, value: string];
  /** The answer is one record, which the API gives with its version (`ETag`); a change takes `If-Match`. */
  readonly versioned?: true | { readonly without: readonly string[] };
  /** The answer holds a secret: where it is kept for a repeat, it is sealed. */
  readonly secret?: true;
  /** At the dashboard: only within ten minutes after the password was given. */
  readonly proven?: true;
  /** At the door of keys: a limit beside the one of all calls. A call that is refused or repeated does not count. */
  readonly rate?: NamedRate;
  /** Open pages read their lists again afterwards. */
  readonly refreshes?: "lists";
}

export type Declaration<
  N extends string = string,
  At extends Address = Address,
  I extends TProperties = TProperties,
  A extends TSchema = TSchema,
  D extends Doors = Doors,
> = Declared<At, I, A> &
  Rights<D> &
  Effect<At> & { readonly name: N; readonly tool?: Tool<string> | undefined };

/**
 * Declares an operation once, for all its doors. `name` is "noun.verb": the policy's name and, with spaces, the words of
 * its command. Rights and trace have no default.
 */
export function operation<
  const N extends `${string}.${string}`,
  const At extends Address,
  const I extends TProperties & Readonly<Record<InPath<At>, TSchema>>,
  A extends TSchema,
  const D extends Doors,
>(
  name: N,
  declared: Declared<At, I, A> &
    Rights<D> &
    Effect<At> &
    Opened<NoInfer<D>> &
    AsTool<NoInfer<D>, NoInfer<I>>,
): Declaration<N, At, I, A, D> {
  return { name, ...declared };
}

/** What an operation is given. */
export type InputOf<O extends Declaration> = Readonly<Given<O["input"]>>;
/** What it answers. */
export type AnswerOf<O extends Declaration> = Shown<O["answer"]>;

type Beside<O extends Declaration> = Omit<O["input"], InPath<O["at"]>>;

/** The route of an operation, as its doors serve it: what is not in the path is the query of a GET, else the body. */
export type RouteOf<O extends Declaration> = {
  readonly method: MethodOf<O["at"]>;
  readonly path: PathOf<O["at"]>;
  readonly answer: O["answer"];
  readonly who: O["roles"];
} & (keyof Beside<O> extends never
  ? unknown
  : MethodOf<O["at"]> extends "GET"
    ? { readonly query: TObject<Beside<O>> }
    : { readonly body: TObject<Beside<O>> });

/** The parts of a route at run time. An unknown member of its query or body is a fault. */
export interface Places {
  readonly method: Method;
  readonly path: string;
  /** The names in the path, in their order. */
  readonly named: readonly string[];
  readonly query?: TObject;
  readonly body?: TObject;
}

/** The place of each part of an operation's input in a request. */
export function placesOf({ at, input }: Pick<Declaration, "at" | "input">): Places {
  const method = METHODS.find((one) => at.startsWith(`${one} `)) ?? "GET";
  const path = at.slice(method.length + 1);
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const beside = Object.entries(input).filter(([name]) => !named.includes(name));
  const rest = Type.Object(Object.fromEntries(beside), { additionalProperties: false });
  if (beside.length === 0) return { method, path, named };
  return { method, path, named, ...(method === "GET" ? { query: rest } : { body: rest }) };
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly Method[];

/** The input of an operation, laid into the places of its route. */
export function laidOut(
  { path, named, query }: Places,
  input: Readonly<Record<string, unknown>>,
): {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
} {
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !named.includes(name)));
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(textOf(input[name])),
    ),
    query: query ? rest : {},
    body: query ? {} : rest,
  };
}

/** A value of a path as text; names of paths are texts and numbers. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
