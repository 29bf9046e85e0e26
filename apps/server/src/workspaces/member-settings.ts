import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { ContactOrder } from "../wire/words.ts";
import { write } from "../write.ts";
import { memberOf, type MemberKey } from "./member-notice.ts";
import { selectSettings, writeSettings } from "./member-store.ts";

/** How a member wants the interface. */
export interface OwnSettings {
  /** Null: the browser's. */
  readonly locale: "en" | "ar" | null;
  /** Null: the system's. */
  readonly theme: "light" | "dark" | null;
  readonly sendKey: "enter" | "mod-enter";
  /** Which messages ring. */
  readonly sound: "mine" | "mine-and-unassigned" | "all" | "off";
  /** Whether single keys are shortcuts. */
  readonly keys: boolean;
  readonly density: "comfortable" | "compact";
  /** Whether the next conversation opens after Resolve. */
  readonly nextAfterResolve: boolean;
  /** Whether Tab in an empty reply puts the suggested one into it. */
  readonly tabTakesSuggestion: boolean;
  /** The columns of the list of contacts after the name; null: the usual ones. */
  readonly contactColumns: readonly string[] | null;
  readonly contactSort: ContactOrder;
}

/** The settings of a member who has chosen nothing. */
const DEFAULTS: OwnSettings = {
  locale: null,
  theme: null,
  sendKey: "enter",
  sound: "mine-and-unassigned",
  keys: true,
  density: "comfortable",
  // As in most shared inboxes: who resolves one conversation works through a list.
  nextAfterResolve: true,
  tabTakesSuggestion: true,
  contactColumns: null,
  contactSort: "newest",
};

/** The settings to change. The others stay. */
export type SettingsChanges = { readonly [K in keyof OwnSettings]?: OwnSettings[K] | undefined };

/** A member's settings. Throws NOT_FOUND. */
export async function memberSettings(
  context: Pick<Context, "db">,
  { workspaceId, memberId }: MemberKey,
): Promise<OwnSettings> {
  const stored = await selectSettings(context.db, workspaceId, memberId);
  if (stored === null) throw new AppError("NOT_FOUND");
  return { ...DEFAULTS, ...stored };
}

/**
 * Saves the acting member's choices and returns all settings. Throws FORBIDDEN for an actor that is no member,
 * NOT_FOUND.
 */
export const saveSettings = write(
  "member.save_settings",
  async (
    actor,
    context: Pick<Context, "db">,
    workspaceId: string,
    changes: SettingsChanges,
  ): Promise<OwnSettings> => {
    const stored = await writeSettings(context.db, workspaceId, memberOf(actor), changes);
    if (stored === null) throw new AppError("NOT_FOUND");
    return { ...DEFAULTS, ...stored };
  },
);
