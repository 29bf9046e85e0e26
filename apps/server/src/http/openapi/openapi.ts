import { STATUS_CODES } from "node:http";
import type { TSchema } from "typebox";
import { AppError, tooLarge, type ErrorCode, type ErrorFacts } from "../../errors.ts";
import { mayLackBody } from "../edge/face.ts";
import { errorAnswer, statusOf } from "../edge/errors.ts";
import { webhooks } from "./openapi-webhooks.ts";
import { exportContentRoute } from "../v1/export-file.ts";
import { personExportRoute } from "../v1/person-file.ts";
import { importUploadRoute, refusedRowsRoute } from "../v1/import-files.ts";
import { mediaContentRoute, mediaUploadRoute } from "../v1/media-files.ts";
import type { RouteFace } from "../v1/route.ts";
import { declaredKeyRoutes } from "../v1/declared-routes.ts";
import { eventStream, recipientsDownload, routes } from "../v1/routes.ts";
import * as wire from "../../wire/all.ts";
import { ID, nameOf, ref } from "../../wire/schema.ts";
import { API_VERSION, SCOPES, type Scope } from "../../wire/words.ts";

const shapes: readonly TSchema[] = [
  wire.ContactJson, wire.NewContactDocumented, wire.ListedContactJson, wire.ContactPageJson, wire.SegmentJson, wire.NewMessage, wire.MessageAcceptedJson, wire.NewOtp, wire.SmsResultJson, wire.TemplateJson,
  wire.BroadcastJson, wire.BroadcastDetailsJson, wire.BroadcastReasonJson, wire.ChannelUsageJson, wire.UsageSummaryJson, wire.ErrorJson, wire.PlanLimitErrorJson, wire.MessageJson, wire.AttachmentJson, wire.ConversationJson, wire.EventJson,
  wire.ContactPatch, wire.ConversationPageJson, wire.MessagePageJson, wire.RecipientJson, wire.RecipientPageJson, wire.EventPageJson,
]; // oxfmt-ignore

type Json = Record<string, unknown>;

/** The named shapes of declared operations: bodies, answers, and what is within them. */
function declaredShapes(): TSchema[] {
  const found = new Map<string, TSchema>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isNamed(value)) found.set(nameOf(value), value);
    for (const member of Object.values(value)) look(member);
  };
  for (const { body, success } of [...declaredKeyRoutes, ...FILES]) look([body, success.schema]);
  return [...found.values()];
}

const isNamed = (value: object): value is TSchema => "$id" in value;

/** A schema as the document holds it: a named one is a reference to its description. */
const referring = (schema: unknown): unknown =>
  typeof schema === "object" && schema !== null && isNamed(schema) ? ref(schema) : within(schema);

/** The same for what is within a schema. */
function within(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(referring);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, referring(member)]),
  );
}

/** What holds for every operation, for a reader who has only this document. */
const DESCRIPTION = `Every request carries \`Authorization: Bearer PUBLIC_KEY:SECRET\`; the key acts as its whole workspace.
Errors are JSON with \`statusCode\`, \`error\` and \`message\`, a stable code to switch on. Beside what an operation lists, any
address can answer 404 \`ROUTE_NOT_FOUND\`, 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`, and what is no readable HTTP request
400 \`MALFORMED_REQUEST\`, 408 \`REQUEST_TIMEOUT\` or 431 \`HEADERS_TOO_LARGE\`. Times are ISO 8601 in UTC. New members, codes
and kinds of events may come: let what you do not know pass.`;

/** The document as the committed `openapi.json` holds it. */
export function openapiText(): string {
  return `${JSON.stringify(openapiDocument(), null, 2)}\n`;
}

/** The OpenAPI 3.1 document, made from the route table. `npm run openapi` writes it to `openapi.json`. */
export function openapiDocument(): Json {
  return plain({
    openapi: "3.1.1",
    info: {
      title: "Parley REST API and webhooks",
      version: API_VERSION,
      summary: "The machine-to-machine surface of a customer-messaging workspace.",
      description: DESCRIPTION,
      license: { name: "AGPL-3.0-or-later", identifier: "AGPL-3.0-or-later" },
    },
    servers: [{ url: "/api" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "PUBLIC_KEY:SECRET",
          description: `Both halves of an API key joined by a colon. A key without scopes has full access; scopes are ${SCOPES.join(", ")}.`,
        },
      },
      headers: headerShapes,
      parameters: { IdempotencyKey: idempotencyKey },
      schemas: Object.fromEntries(
        [...shapes, ...declaredShapes()].map((shape) => [nameOf(shape), within(shape)]),
      ),
    },
  });
}

const integer = (description: string) => ({ description, schema: { type: "integer" } });
const text = (description: string) => ({ description, schema: { type: "string" } });

const headerShapes = {
  "RateLimit-Limit": integer("Requests a key may make in any 60 seconds."),
  "RateLimit-Remaining": integer("How many would pass now."),
  "RateLimit-Reset": integer("Seconds until the oldest counted request stops counting."),
  "RateLimit-Policy": text(
    'The limits of this call, as the IETF\'s draft has them: `"default";q=120;w=60` is 120 in 60 seconds. Some calls have one of their own beside it.',
  ),
  RateLimit: text(
    'What is left of each: `"default";r=119;t=60` is 119 more, and 60 seconds until the oldest counted call stops counting.',
  ),
  "Parley-Version": text("The version of the Parley that answers."),
  "Retry-After": integer("Seconds to wait."),
  "X-Request-Id": text("Names this request in the log."),
  "Parley-Ignored": text(
    "Members of the body that this route does not know and did not read, percent-encoded, separated by commas.",
  ),
  "Parley-Held": text(
    "Members of the body that were not done: `optedOut` when the customer's own STOP is in force.",
  ),
  ETag: text("The version of the record: give it as `If-Match` to change no other version."),
  "Idempotency-Replayed": text("`true` when this is the stored answer of an earlier call."),
};
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description: "Kept 24 hours per key: the same key and body answer the stored response.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "order-1042-confirmed",
};
const ifMatch = {
  name: "If-Match",
  in: "header",
  description:
    "The `ETag` of the record as it was read. 412 `VERSION_MISMATCH` when somebody changed it since; without it the change is made to whatever there is.",
  schema: { type: "string", maxLength: 1000 },
  example: '"hLc0mNqZ3h7C2vSxT1aB9w"',
};
const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  description: "The last id that was read; stands above `after`.",
  schema: { type: "string", pattern: "^[0-9]{1,15}$" },
  example: "18231",
};
/** Headers of every answer to a known key. */
const RATE = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "Parley-Version",
] as const;

const TAGS = {
  contacts: "Your customers: the people who write, and the recipients of campaigns.",
  erasures: "People who are being erased.",
  segments: "Saved audiences.",
  conversations: "Threads of a contact on a channel.",
  messages: "Replies inside conversations.",
  otp: "One-time passcodes by SMS.",
  templates: "WhatsApp templates.",
  "template-messages": "Templates to people who need not have written yet.",
  broadcasts: "Campaigns.",
  "broadcast-estimates": "What a start of a draft would do.",
  "broadcast-previews": "What contacts would get from a draft.",
  media: "Files of messages, and files for messages.",
  members: "The people of the workspace.",
  "saved-replies": "Texts that the team shares.",
  me: "The key itself.",
  notes: "Notes that members and programs write for the team.",
  imports: "Contacts from a file.",
  exports: "Contacts as a file.",
  limits: "What the plan allows.",
  retention: "For how long messages, files and events are kept.",
  audit: "Who changed what.",
  "contact-attributes": "What custom attributes of contacts hold.",
  labels: "Labels of conversations, with their colors.",
  usage: "The monthly meter.",
  channels: "Connected accounts of platforms.",
  "channel-types": "What a channel of each type needs.",
  "webhook-endpoints": "Addresses that events are sent to, and the deliveries.",
  events: "What happened, in order: the feed behind the webhooks.",
};

/** Routes whose body or answer is a file. */
const FILES: readonly RouteFace[] = [
  recipientsDownload,
  importUploadRoute,
  refusedRowsRoute,
  exportContentRoute,
  personExportRoute,
  // In the place of the declared one, which takes an address only.
  mediaUploadRoute,
  mediaContentRoute,
];

function paths(): Json {
  const all: Record<string, Json> = {};
  for (const route of [...routes, ...FILES, eventStream]) {
    (all[`/v1${route.path}`] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return all;
}

/** A body of the specification takes members that it does not name; every other one refuses them (contract §5). */
const ignoresMembers = ({ body }: RouteFace): boolean =>
  body !== undefined && !("additionalProperties" in body);
const IGNORES =
  "**A member of the body that this call does not know is ignored: the call succeeds without it, and only the answer's header `Parley-Ignored` names it.**";

function operation(route: RouteFace): Json {
  const parameters = [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(route, name)),
    ...Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: "query",
      ...(route.query?.required?.includes(name) && { required: true }),
      ...("type" in schema && schema.type === "array" && { style: "form", explode: false }),
      ...("description" in schema && { description: schema.description }),
      schema,
      ...("examples" in schema &&
        Array.isArray(schema.examples) && { example: schema.examples[0] }),
    })),
    ...(route.method === "POST" ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(takesVersion(route) ? [ifMatch] : []),
    ...(route === eventStream ? [lastEventId] : []),
  ];
  const { status, schema, mediaType = "application/json" } = route.success;
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [
      route.description,
      ignoresMembers(route) && IGNORES,
      route.rate &&
        `A key may call it ${route.rate.limit} times in ${route.rate.windowMs / 60_000 === 1 ? "a minute" : "an hour"} (limit \`${route.rate.name}\`); beyond it 429 \`RATE_LIMITED\`, with the limit's name in \`details\`. Refused and repeated calls do not count.`,
      `Needs the scope ${scopesOf(route)
        .map((scope) => `\`${scope}\``)
        .join(" or ")}.`,
    ]
      .filter(Boolean)
      .join("\n\n"),
    tags: [tagOf(route)],
    security: [{ apiKey: [] }],
    "x-required-scope": route.scope,
    ...(parameters.length > 0 && { parameters }),
    ...((route.file ?? route.body) && {
      requestBody: {
        required: !mayLackBody(route),
        ...(route.file && { description: route.file.about }),
        content: {
          ...(route.body && {
            "application/json": { schema: ref(route.body), example: route.bodyExample },
          }),
          ...(route.file && {
            [route.file.mediaType]: { schema: { type: "string" }, example: route.file.example },
          }),
        },
      },
    }),
    responses: {
      ...(route.createdWhen && { 201: success(201) }),
      [status]: success(status),
      ...errorResponses(errorsOf(route)),
    },
  };

  function success(of: number): Json {
    return {
      description: describedSuccess(route, of),
      headers: headers([
        ...RATE,
        "X-Request-Id",
        ...(ignoresMembers(route) ? (["Parley-Ignored"] as const) : []),
        ...(route.versioned && route.method !== "DELETE" ? (["ETag"] as const) : []),
        ...(route.holds === true ? (["Parley-Held"] as const) : []),
        ...(route.method === "POST" ? (["Idempotency-Replayed"] as const) : []),
      ]),
      content: { [mediaType]: { schema: referring(schema), example: exampleOf(route, of) } },
      ...linksOf(route),
    };
  }
}

/** The example of a success. Where an answer decides its status, the example of the one is not that of the other. */
function exampleOf(
  { createdWhen, success: { schema, example } }: RouteFace,
  status: number,
): unknown {
  if (!createdWhen || status === 201) return example;
  const [member, value] = createdWhen;
  const properties: unknown = "properties" in schema ? schema.properties : undefined;
  const of = new Map(Object.entries(isObject(properties) ? properties : {})).get(member);
  const values: unknown = isObject(of) && "enum" in of ? of.enum : [];
  const other = Array.isArray(values) ? values.find((one) => one !== value) : undefined;
  return { ...(isObject(example) && example), [member]: other };
}
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** What a status of success means; of two, when each is given. */
function describedSuccess({ createdWhen }: RouteFace, status: number): string {
  const words = STATUS_CODES[status] ?? "OK";
  if (!createdWhen) return words;
  const [member, value] = createdWhen;
  return `${words}: \`${member}\` is ${status === 201 ? "" : "not "}\`${value}\``;
}

/** Whether a route changes a record that has a version. */
const takesVersion = ({ versioned, method }: RouteFace): boolean =>
  versioned !== undefined && method !== "GET";

function pathParameter(route: RouteFace, name: string): Json {
  const schema = route.params?.properties[name];
  const own = schema && "description" in schema && "examples" in schema;
  return {
    name,
    in: "path",
    required: true,
    description: own
      ? schema.description
      : `The id of a ${nounOf(route)}. Any other text is simply not found.`,
    schema: own ? schema : { type: "string" },
    example: own && Array.isArray(schema.examples) ? schema.examples[0] : ID,
  };
}

/** The scopes that open a route: any of them. */
const scopesOf = ({ scope, otherScopes = [] }: RouteFace): readonly Scope[] => [
  ...new Set([scope, ...otherScopes]),
];

/**
 * Where an answer leads: the operation that takes its id. Generators and readers find the way from a created
 * record to its state without reading prose.
 */
const LINKS: Readonly<Record<string, readonly Link[]>> = {
  createContact: [
    link("getContact", "id", "$response.body#/id", "Read the contact."),
    link("updateContact", "id", "$response.body#/id", "Change the contact."),
    link("listConversations", "contactId", "$response.body#/id", "The contact's conversations."),
  ],
  getContact: [
    link("updateContact", "id", "$response.body#/id", "Change the contact."),
    link("listConversations", "contactId", "$response.body#/id", "The contact's conversations."),
  ],
  updateContact: [link("getContact", "id", "$response.body#/id", "Read the contact.")],
  listContacts: [
    link("getContact", "id", "$response.body#/items/0/id", "Read the newest contact."),
  ],
  sendMessage: [link("getMessage", "id", "$response.body#/id", "How far the message is.")],
  getMessage: [
    link("getConversation", "id", "$response.body#/conversationId", "The conversation."),
  ],
  getConversation: [
    link("listMessages", "id", "$response.body#/id", "The messages."),
    link("getContact", "id", "$response.body#/contactId", "The customer."),
  ],
  listConversations: [
    link("listConversations", "cursor", "$response.body#/nextCursor", "The next page."),
  ],
  listAllMessages: [
    link("listAllMessages", "cursor", "$response.body#/nextCursor", "The next page."),
  ],
  listMessages: [link("listMessages", "cursor", "$response.body#/nextCursor", "The next page.")],
  startBroadcast: [
    link("getBroadcast", "id", "$response.body#/id", "How far the campaign is."),
    link("listRecipients", "id", "$response.body#/id", "Its recipients."),
  ],
  getBroadcast: [
    link("startBroadcast", "id", "$response.body#/id", "Start or resume it."),
    link("listRecipients", "id", "$response.body#/id", "Its recipients."),
  ],
  listRecipients: [
    link("listRecipients", "cursor", "$response.body#/nextCursor", "The next page."),
  ],
  listEvents: [link("listEvents", "after", "$response.body#/nextAfter", "Read on.")],
};

interface Link {
  readonly name: string;
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly description: string;
}

/** The address of a list needs its own id again beside the cursor, so a link carries it over. */
function link(operationId: string, parameter: string, from: string, description: string): Link {
  const carried =
    parameter === "cursor" && ["listMessages", "listRecipients"].includes(operationId)
      ? { id: "$request.path.id" }
      : {};
  return {
    name: operationId,
    operationId,
    parameters: { ...carried, [parameter]: from },
    description,
  };
}

function linksOf({ operationId }: RouteFace): Json {
  const links = LINKS[operationId] ?? [];
  if (links.length === 0) return {};
  return { links: Object.fromEntries(links.map(({ name, ...rest }) => [name, rest])) };
}

/** What the id in a route's address names: "contact" in `/contacts/{id}`. */
const nounOf = (route: RouteFace): string => tagOf(route).replace(/s$/, "");

/** Every answer of a route except success. The contract tests check real answers against this. */
function errorsOf(route: RouteFace): ErrorCode[] {
  const post = route.method === "POST";
  const codes: ErrorCode[] = [
    // Every route refuses a parameter that it does not know.
    "VALIDATION_FAILED",
    ...(route.body || route.bare ? (["MALFORMED_JSON"] as const) : []),
    ...(route.body || route.file ? (["UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...route.errors,
    "MISSING_API_KEY",
    "MALFORMED_API_KEY",
    "INVALID_API_KEY",
    ...scopesOf(route).map((scope): ErrorCode => `MISSING_SCOPE:${scope}`),
    ...(takesVersion(route) ? (["VERSION_MISMATCH"] as const) : []),
    ...(route.method === "GET" ? [] : (["BODY_TOO_LARGE"] as const)),
    ...(post ? (["IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const) : []),
    "RATE_LIMITED",
    "INTERNAL",
    "OVERLOADED",
  ];
  return [...new Set(codes)];
}

/** Facts that complete the examples of some codes. */
const exampleFacts: Partial<Record<ErrorCode, ErrorFacts>> = {
  VALIDATION_FAILED: {
    details: [{ path: "name", message: "must not have more than 200 characters" }],
  },
  BODY_TOO_LARGE: tooLarge(256 * 1024).facts,
  MESSAGE_LIMIT_REACHED: { limit: 500, usage: 500 },
  SUBSCRIPTION_SUSPENDED: { limit: 500, usage: 120 },
  OTP_RATE_LIMITED: { limit: 60, usage: 60 },
  INSUFFICIENT_CREDITS: { limit: 0, usage: 0 },
};

function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, Record<string, { value: unknown }>>();
  for (const code of codes) {
    const error = new AppError(code, exampleFacts[code] ?? {});
    const { status, body } = errorAnswer(error, ID);
    const examples = byStatus.get(status) ?? {};
    examples[code.replaceAll(":", ".")] = { value: JSON.parse(body) };
    byStatus.set(status, examples);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, examples]) => [
        status,
        {
          description: codes.filter((code) => statusOf(code) === status).join(", "),
          headers: headers([
            "X-Request-Id",
            ...(status === 401 ? [] : RATE),
            ...([409, 429, 503].includes(status) || "OTP_RATE_LIMITED" in examples
              ? (["Retry-After"] as const)
              : []),
          ]),
          content: {
            "application/json": {
              schema: ref(status === 402 ? wire.PlanLimitErrorJson : wire.ErrorJson),
              examples,
            },
          },
        },
      ]),
  );
}

function headers(names: readonly (keyof typeof headerShapes)[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function tagOf(route: RouteFace): string {
  return route.path.split("/")[1] ?? "";
}

/** Plain JSON: names become references, and `$id`, which the document expresses by position, is removed. */
function plain(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (key === "$id") return undefined;
      const named = key === "$ref" && typeof member === "string" && !member.startsWith("#");
      return named ? `#/components/schemas/${member}` : member;
    }),
  ) as Json;
}
