import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { invalid } from "../errors.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { NIL_ID } from "../lib/ids.ts";
import { channelOperations } from "../operations/channels.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import type { ChannelForm, ChannelRecordJson } from "../wire/channel.ts";
import { CHANNEL_TYPES, type ChannelType } from "../wire/words.ts";
import { keeping, perform } from "../write.ts";
import type { Channel } from "./channel.ts";
import { accountFields } from "./account-form.ts";
import { changeAccount } from "./change-account.ts";
import { connectAccount } from "./connect-account.ts";
import { disconnectChannel } from "./disconnect-channel.ts";
import { findChannel, listChannels, selectSecretEnds, selectSecretTimes } from "./list-channels.ts";
import { presentChannel } from "./present-channel.ts";
import { adapterFor } from "./registry.ts";
import { testChannel, type ChannelTest } from "./test-channel.ts";
import { connectWeb } from "./web-channel.ts";

type PlatformContext = Parameters<typeof connectAccount>[1];
type ReadContext = Pick<Context, "db" | "clock" | "config">;

/** A page of channels. Throws VALIDATION_FAILED for a cursor that no page gave. */
export const listChannelsByProgram = perform(
  channelOperations.listChannels,
  async (_actor, context: ReadContext, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const after = cursorOf(cursor) ?? NIL_ID;
    const [all, ends] = await Promise.all([
      listChannels(context, workspaceId),
      selectSecretEnds(context.db, workspaceId),
    ]);
    const rows = all.filter((one) => one.id > after);
    const { items, last } = cutPage(rows, limit);
    return {
      items: items.map((one) => presentChannel(context, one, ends.get(one.id) ?? null)),
      nextCursor: last?.id ?? null,
    };
  },
);

/** One channel. Throws NOT_FOUND. */
export const readChannelByProgram = perform(
  channelOperations.readChannel,
  (_actor, context: ReadContext, workspaceId, { id }) => readPresented(context, workspaceId, id),
);

/** One channel as the doors show it. Throws NOT_FOUND. */
export async function readPresented(
  context: ReadContext,
  workspaceId: string,
  id: string,
): Promise<ChannelRecordJson> {
  const channel = await findChannel(context, workspaceId, id);
  const times = await selectSecretTimes(context.db, workspaceId, id);
  return presentChannel(context, channel, times?.endAt ?? null);
}

/** What each type of channel needs. */
export const listChannelTypes = perform(
  channelOperations.listChannelTypes,
  async (_actor, _context: object, _workspaceId, { type }) => ({
    items: (type === undefined ? CHANNEL_TYPES : [type]).map(formOf),
  }),
);

/** What a channel of a type needs. The server generates the rest. */
export const formOf = (type: ChannelType): ChannelForm => ({
  type,
  defaultApiUrl: adapterFor(type).defaultApiUrl,
  fields: accountFields(type).filter(
    ({ name }) => !["tokenVersion", "identitySecret", "logo"].includes(name),
  ),
});

interface Entered {
  readonly type: ChannelType;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly apiUrl?: string | undefined;
}

/** A channel that was connected. */
export interface Connected {
  readonly channel: Channel;
  /** Of web chat: signs the ids of users. */
  readonly identitySecret: string | null;
}

/**
 * Connects an account as a person or a program enters it. `within` runs where `connectAccount` says. Errors: as
 * `connectAccount`.
 */
async function connectEntered(
  actor: Actor,
  context: PlatformContext,
  workspaceId: string,
  { type, name, fields, apiUrl }: Entered,
  within?: (tx: Tx, made: Connected) => Promise<void>,
): Promise<Connected> {
  if (type !== "WEB") {
    const account = { type, name, fields, apiUrl };
    const channel = await connectAccount(actor, context, workspaceId, account, (tx, stored) =>
      Promise.resolve(within?.(tx, { channel: stored, identitySecret: null })),
    );
    return { channel, identitySecret: null };
  }
  const known = formOf(type).fields.map((one) => one.name);
  for (const given of Object.keys(fields))
    if (!known.includes(given)) throw invalid(given, "is no field of this channel");
  const { allowedOrigins = "", ...look } = fields;
  const origins = allowedOrigins.split(/\s+/).filter((origin) => origin !== "");
  const input = { ...look, name, origins };
  const made = await connectWeb(actor, context, workspaceId, input, within);
  return { channel: made, identitySecret: made.identitySecret ?? null };
}

/**
 * Connects an account. Of a type that is set up at its platform the answer is kept after that: a repeat after a crash in
 * between connects the same account again, which keeps its id. Errors: as `connectAccount`.
 */
export const connectByProgram = perform(
  channelOperations.connectChannel,
  (actor, context: PlatformContext, workspaceId, input, { keep }) =>
    keeping(
      keep,
      async ({ channel, identitySecret }: Connected, tx) => {
        const times = await selectSecretTimes(tx, workspaceId, channel.id);
        return { ...presentChannel(context, channel, times?.endAt ?? null), identitySecret };
      },
      (within) => connectEntered(actor, context, workspaceId, input, within),
    ),
);

/** Changes a channel. Errors: as `changeAccount`. */
export const changeByProgram = perform(
  channelOperations.changeChannel,
  async (actor, context: PlatformContext, workspaceId, { id, name, fields = {}, apiUrl }) => {
    await changeAccount(actor, context, workspaceId, id, {
      ...fields,
      ...(name !== undefined && { name }),
      ...(apiUrl !== undefined && { apiUrl }),
    });
    return readPresented(context, workspaceId, id);
  },
);

/** Asks the platform about a channel. The answer is kept afterwards: a repeat asks again. Errors: as `testChannel`. */
export const testByProgram = perform(
  channelOperations.testChannel,
  async (actor, context: PlatformContext, workspaceId, { id }, { keep }) => {
    const tested = await testChannel(actor, context, workspaceId, id);
    const answer = await presentTest(context, workspaceId, tested);
    return context.db.transaction((tx) => keep(tx, answer));
  },
);

/** The result of a test as the doors show it. */
export async function presentTest(
  context: ReadContext,
  workspaceId: string,
  { channel, fault }: ChannelTest,
) {
  return {
    channel: await readPresented(context, workspaceId, channel.id),
    fault: fault && {
      field: fault.field,
      orField: fault.orField,
      reason: `${fault.code}: ${fault.detail}`,
    },
  };
}

/** Disconnects a channel. Its secrets are deleted. Throws NOT_FOUND. */
export const disconnectByProgram = perform(
  channelOperations.disconnectChannel,
  async (actor, context: PlatformContext, workspaceId, { id }, { keep }) => {
    const channel = await disconnectChannel(actor, context, workspaceId, id);
    const answer = presentChannel(context, channel, null);
    return context.db.transaction((tx) => keep(tx, answer));
  },
);
