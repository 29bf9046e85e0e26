import { accountOfHook, type LoadedAccount } from "../channels/load-accounts.ts";
import { WEB_MAX_FILE_BYTES, WEB_TYPES } from "../channels/adapters/web/files.ts";
import { DEFAULT_MAX_FILE_BYTES } from "../channels/web-form.ts";
import { logoAddress } from "../channels/web-logo.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { preferredLanguage } from "../lib/language.ts";
import { selectVisitor, type VisitorRow } from "./visitor-store.ts";
import { readToken, type Visitor } from "./visitor-token.ts";

/** The open web channel of that id. Throws NOT_FOUND. */
export async function findChatChannel(
  context: Pick<Context, "db" | "sealer" | "log">,
  channelId: string,
): Promise<LoadedAccount> {
  const account = await accountOfHook(context, "WEB", channelId);
  if (account === null) throw new AppError("NOT_FOUND", { explanation: "no such web channel" });
  return account;
}

/** A visitor whose token holds, on its channel. */
export interface Guest {
  readonly account: LoadedAccount;
  readonly visitor: Visitor;
  readonly row: VisitorRow | null;
}

/**
 * What an authentic token of the channel says, before its version is checked. Null: there is none, or it was
 * forged or changed, belongs to another channel, has expired, or was ended for the whole channel.
 */
export function readVisitor(
  context: Pick<Context, "sealer" | "clock">,
  account: LoadedAccount,
  token: string | undefined,
): Visitor | null {
  const visitor = token === undefined ? null : readToken(context, account.channelId, token);
  return visitor !== null && visitor.channelVersion === channelVersion(account) ? visitor : null;
}

/** The visitor whose token this is, with what is stored. Throws INVALID_TOKEN. */
export async function admitVisitor(
  context: Pick<Context, "db" | "sealer" | "clock">,
  account: LoadedAccount,
  token: string | undefined,
): Promise<Guest> {
  const visitor = readVisitor(context, account, token);
  if (visitor === null) throw new AppError("INVALID_TOKEN");
  const row = await selectVisitor(context.db, { ...account, visitorId: visitor.visitorId });
  if ((row?.version ?? 0) !== visitor.version) throw new AppError("INVALID_TOKEN");
  return { account, visitor, row };
}

/** Part of every visitor token of the channel. A new value ends all tokens (`web-channel.ts`). */
export const channelVersion = (account: Pick<LoadedAccount, "settings">): string =>
  account.settings["tokenVersion"] ?? "";

/**
 * What the widget shows of its channel. `asked`: the browser's languages, best first. The channel's own name is for the
 * team and never among it.
 */
export function chatSettings(
  { config }: Pick<Context, "config">,
  account: LoadedAccount,
  asked: string | undefined,
): {
  /** The title of the window; empty: it has none. */
  readonly name: string;
  readonly logo: string | null;
  readonly greeting: string | null;
  /** When the window asks who the visitor is. */
  readonly askWhen: "before" | "after";
  readonly color: string | null;
  /** Null: nobody chose a side. The window then stands where a line of its language ends. */
  readonly position: "left" | "right" | null;
  readonly locale: "en" | "ar";
  readonly maxFileBytes: number;
  readonly fileTypes: readonly string[];
} {
  const { settings } = account;
  const set = settings["locale"] ?? "auto";
  return {
    name: settings["title"] ?? "",
    logo: logoAddress(config, account.channelId, settings["logo"]),
    greeting: settings["greeting"] ?? null,
    askWhen: settings["askWhen"] === "before" ? "before" : "after",
    color: settings["color"] ?? null,
    position: sideOf(settings["position"]),
    locale: (set === "auto" ? preferredLanguage(asked) : set) === "ar" ? "ar" : "en",
    maxFileBytes: maxFileBytes(account),
    fileTypes: WEB_TYPES,
  };
}

/** What the window may ask its visitor, in the order of its fields. */
export const ASKABLE = ["name", "email"] as const;
export type Askable = (typeof ASKABLE)[number];

/** What the channel's window still asks this visitor: nothing of a proven user, and nothing twice. */
export function openQuestions(
  { settings }: Pick<LoadedAccount, "settings">,
  proven: boolean,
  profile: Readonly<Partial<Record<Askable, string>>>,
): Askable[] {
  const wanted = (settings["ask"] ?? "").split(" ");
  return proven
    ? []
    : ASKABLE.filter((field) => wanted.includes(field) && profile[field] === undefined);
}

const sideOf = (text: string | null | undefined): "left" | "right" | null =>
  text === "left" || text === "right" ? text : null;

/** The largest file that a visitor may send: as set for the channel, and at most what an agent may send. */
export function maxFileBytes({ settings }: Pick<LoadedAccount, "settings">): number {
  return Math.min(Number(settings["maxFileBytes"] ?? DEFAULT_MAX_FILE_BYTES), WEB_MAX_FILE_BYTES);
}
