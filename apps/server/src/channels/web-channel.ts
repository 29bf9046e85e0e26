import { type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { invalid } from "../errors.ts";
import type { Channel } from "./channel.ts";
import { connectAccount } from "./connect-account.ts";
import { findChannel } from "./list-channels.ts";
import { updateCredentials } from "./update-credentials.ts";
import { readLogo } from "./web-logo.ts";
import { allowedOrigins, newIdentitySecret, newTokenVersion } from "./web-form.ts";

/** The settings of a web channel. A setting that is left out stays, or gets its default at a connect. */
export interface WebLook {
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly ask?: string | undefined;
  readonly askWhen?: string | undefined;
  readonly greeting?: string | undefined;
  readonly color?: string | undefined;
  readonly position?: string | undefined;
  readonly locale?: string | undefined;
  readonly maxFileBytes?: string | undefined;
}

export interface WebChannel extends Channel {
  /** The code that goes into the pages of the site. */
  readonly scriptTag: string;
  /** Signs the ids of the site's users. Shown when it is created, and never again. */
  readonly identitySecret?: string;
}

type WebContext = Parameters<typeof connectAccount>[1];

/**
 * Creates a chat for a site (docs/web-chat.md). No origins: any page may show it. `within` runs in the transaction that
 * stores it. Errors: as `connectAccount`.
 */
export async function connectWeb(
  actor: Actor,
  context: WebContext,
  workspaceId: string,
  input: WebLook & {
    readonly name: string;
    readonly origins: readonly string[];
    readonly sandbox?: boolean;
  },
  within?: (tx: Tx, made: { channel: Channel; identitySecret: string }) => Promise<void>,
): Promise<WebChannel> {
  const { origins, ...look } = input;
  const identitySecret = newIdentitySecret();
  const account = {
    type: "WEB",
    ...look,
    allowedOrigins: allowedOrigins(origins),
    identitySecret,
  } as const;
  const channel = await connectAccount(actor, context, workspaceId, account, (tx, stored) =>
    Promise.resolve(within?.(tx, { channel: stored, identitySecret })),
  );
  return { ...channel, scriptTag: scriptTag(context, channel.id), identitySecret };
}

/**
 * Changes a web channel. `origins`: the whole new list; empty for any page. A new identity secret ends the former
 * one's proofs at once. New visitor tokens make every browser a new visitor (proven users find their conversation
 * again). Errors: as `updateCredentials`.
 */
export async function updateWeb(
  actor: Actor,
  context: WebContext,
  workspaceId: string,
  channelId: string,
  changes: WebLook & {
    readonly origins?: readonly string[] | undefined;
    /** The picture in the head of the window; null removes it. */
    readonly logo?: Buffer | null | undefined;
    readonly rotateIdentitySecret?: boolean | undefined;
    readonly rotateVisitorTokens?: boolean | undefined;
  },
): Promise<WebChannel> {
  const before = await findChannel(context, workspaceId, channelId);
  if (before.type !== "WEB") throw invalid("channelId", "is no web channel");
  const { origins, logo: picture, rotateIdentitySecret, rotateVisitorTokens, ...look } = changes;
  const logo = picture === undefined || picture === null ? picture : readLogo(picture);
  const identitySecret = rotateIdentitySecret === true ? newIdentitySecret() : undefined;
  const replaced = {
    ...Object.fromEntries(Object.entries(look).filter(([, value]) => value !== undefined)),
    ...(origins !== undefined && { allowedOrigins: allowedOrigins(origins) }),
    ...(identitySecret !== undefined && { identitySecret }),
    ...(rotateVisitorTokens === true && { tokenVersion: newTokenVersion() }),
    ...(logo !== undefined && { logo: logo?.digest ?? "" }),
  };
  const channel = await updateCredentials(actor, context, workspaceId, channelId, replaced, logo);
  return {
    ...channel,
    scriptTag: scriptTag(context, channel.id),
    ...(identitySecret !== undefined && { identitySecret }),
  };
}

/** The code that goes into the pages of a site that shows the chat. */
export const scriptTag = ({ config }: Pick<Context, "config">, channelId: string): string =>
  `<script src="${config.publicUrl}/chat/widget.js" data-channel="${channelId}" async></script>`;
