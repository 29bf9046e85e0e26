import { Type } from "typebox";
import {
  ChannelConnectedJson,
  channelExample,
  ChannelPageJson,
  ChannelRecordJson,
  ChannelTestJson,
  ChannelTypesJson,
  PaceJson,
} from "../wire/channel.ts";
import { ID, NO_NUL, oneOf } from "../wire/schema.ts";
import { CHANNEL_TYPES } from "../wire/words.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS } from "./roles.ts";

const id = anyId("The channel.");
const name = Type.String({
  minLength: 1,
  maxLength: 200,
  ...NO_NUL,
  description: "What members call it.",
  examples: [channelExample.name],
});
const fields = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.String({ maxLength: 5_000, ...NO_NUL }),
  {
    maxProperties: 40,
    description:
      "The account's values by the names that `GET /v1/channel-types` lists, secrets too. No answer shows a secret.",
    examples: [{}],
  },
);
const apiUrl = Type.String({
  maxLength: 2_000,
  ...NO_NUL,
  description: "In place of the platform's address: a proxy. It must be public.",
  examples: ["https://proxy.example.com"],
});
const reading = {
  roles: ADMINS,
  scope: "channels:read",
  bots: false,
  trace: null,
  doors: ["v1"],
} as const;
const writing = {
  roles: ADMINS,
  scope: "channels:write",
  bots: false,
  trace: "audit",
  doors: ["v1"],
} as const;
/** What members do by the same call as programs. */
const everywhere = { ...writing, doors: ["app", "v1"] } as const;
const after = "channel.add";

/** Connected accounts. */
export const channelOperations = {
  listChannels: operation("channel.all", {
    says: "List the channels, oldest first",
    more: "`problems` says what is wrong with a channel: refused credentials, calls with a wrong signature, silence.",
    at: "GET /channels",
    input: pageInput("`nextCursor` of the page before: the id of its last channel.", ID),
    answer: ChannelPageJson,
    example: { input: {}, answer: { items: [channelExample], nextCursor: null }, after },
    errors: [],
    ...reading,
  }),
  readChannel: operation("channel.one", {
    says: "One channel",
    at: "GET /channels/{id}",
    input: { id },
    answer: ChannelRecordJson,
    example: { input: { id: ID }, answer: channelExample, after },
    errors: ["NOT_FOUND"],
    ...reading,
  }),
  listChannelTypes: operation("channel.types", {
    says: "What a channel of each type needs",
    at: "GET /channel-types",
    input: { type: Type.Optional(oneOf(CHANNEL_TYPES, "Only this type.", "TELEGRAM")) },
    answer: ChannelTypesJson,
    example: {
      input: { type: "TELEGRAM" },
      answer: {
        items: [
          {
            type: "TELEGRAM",
            defaultApiUrl: "https://api.telegram.org",
            fields: [
              {
                name: "botToken",
                secret: true,
                required: true,
                pattern: "^\\d{1,20}:[A-Za-z0-9_-]{1,256}$",
                changeable: true,
              },
              {
                name: "secretToken",
                secret: true,
                required: false,
                pattern: "^[A-Za-z0-9_-]{1,256}$",
                changeable: true,
              },
              {
                name: "polling",
                secret: false,
                required: false,
                pattern: "^(true|false)$",
                changeable: true,
              },
            ],
          },
        ],
      },
    },
    errors: [],
    ...reading,
  }),
  connectChannel: operation("channel.add", {
    says: "Connect an account",
    more: "The platform is asked about the values first, and then to call us. A value that it refuses is 400 with the field's name, and nothing is stored. The same account again keeps its id and history and gets the new values. A test workspace takes no account: it has channels of the sandbox only. A setup that the platform refuses leaves the channel in `error`; it is tried again within the hour.",
    at: "POST /channels",
    input: {
      type: oneOf(CHANNEL_TYPES, "The platform.", "WEB"),
      name,
      fields,
      apiUrl: Type.Optional(apiUrl),
    },
    answer: ChannelConnectedJson,
    example: {
      input: { type: "WEB", name: "Shop", fields: {} },
      answer: { ...channelExample, identitySecret: "the secret" },
    },
    errors: ["CHANNEL_LIMIT_REACHED", "NOT_ALLOWED_IN_STATE"],
    secret: true,
    status: 201,
    ...everywhere,
  }),
  changeChannel: operation("channel.change", {
    says: "Change a channel: its name, its values, its address",
    more: "A value that is left out stays; an empty value of an optional field is removed. The platform is asked about new values first. Another `apiUrl` needs all secrets again.",
    at: "PATCH /channels/{id}",
    input: {
      id,
      name: Type.Optional(name),
      fields: Type.Optional(fields),
      apiUrl: Type.Optional(apiUrl),
    },
    answer: ChannelRecordJson,
    example: { input: { id: ID, name: "Shop" }, answer: channelExample, after },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...everywhere,
  }),
  testChannel: operation("channel.try", {
    says: "Ask the platform about a channel's values now",
    more: "And set it up there again. Nothing is sent to anybody. `fault` names the value that the platform refuses.",
    at: "POST /channels/{id}/test",
    input: { id },
    answer: ChannelTestJson,
    example: { input: { id: ID }, answer: { channel: channelExample, fault: null }, after },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...everywhere,
  }),
  disconnectChannel: operation("channel.end", {
    says: "Disconnect a channel",
    more: "Its secrets are deleted, its place in the plan is free, and its history stays. The platform is asked to stop calling. The same call twice changes nothing more.",
    at: "POST /channels/{id}/disconnect",
    input: { id },
    answer: ChannelRecordJson,
    example: { input: { id: ID }, answer: { ...channelExample, status: "disconnected" }, after },
    errors: ["NOT_FOUND"],
    proven: true,
    ...everywhere,
  }),
  setChannelPace: operation("channel.put_pace", {
    says: "Bound how fast all campaigns together send on a number",
    more: "It takes effect within a second. Replies are not bound by it.",
    at: "PUT /channels/{id}/pace",
    input: {
      id,
      most: Type.Unsafe<number | null>({
        type: ["integer", "null"],
        minimum: 10,
        maximum: 1_000_000,
        description: "Messages a minute; null: no bound.",
        examples: [600],
      }),
    },
    answer: PaceJson,
    example: { input: { id: ID, most: 600 }, answer: { most: 600, ceiling: null }, after },
    errors: ["NOT_FOUND"],
    ...everywhere,
  }),
} as const;
