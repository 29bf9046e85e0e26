import { listChannels } from "../../channels/list-channels.ts";
import { allBotNames } from "../../bots/record/live-bot.ts";
import { deskNumbers } from "../../desk/read-desk.ts";
import { labelsOf } from "../../desk/labels.ts";
import { AppError } from "../../errors.ts";
import { presentOwnView } from "../../inbox/desk-view.ts";
import { withTag } from "../../lib/version-tag.ts";
import { presentSavedReply } from "../../inbox/saved-reply.ts";
import { savedRepliesOf } from "../../inbox/write-saved-reply.ts";
import { viewsOf } from "../../inbox/write-view.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import type { Member } from "../../workspaces/member.ts";
import { unreadNotices } from "../../workspaces/member-notice.ts";
import { memberSettings, saveSettings } from "../../workspaces/member-settings.ts";
import type { MemberJson } from "../../wire/desk-shapes.ts";
import { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

/** What every page asks for first, and the member's own settings. */
export const bootstrapFaces = {
  bootstrap: inbox.bootstrap,
  saveSettings: inbox.saveSettings,
} as const;

export const bootstrapHandlers: Handlers<typeof bootstrapFaces> = {
  async bootstrap(context, { caller }) {
    const { workspaceId, memberId } = caller;
    const [workspace, members, channels, settings, unread, numbers, labels, views, replies, bots] =
      await Promise.all([
        findWorkspace(context, workspaceId),
        listMembers(context.db, workspaceId),
        listChannels(context, workspaceId),
        memberSettings(context, caller),
        unreadNotices(context, caller),
        deskNumbers(context.db, [workspaceId]),
        labelsOf(context.db, workspaceId),
        viewsOf(context.db, workspaceId, memberId),
        savedRepliesOf(context.db, workspaceId, memberId),
        allBotNames(context.db, workspaceId),
      ]);
    const member = members.find(({ id }) => id === memberId);
    if (!workspace || !member) throw new AppError("UNAUTHENTICATED");
    const { id, name, kind, timeZone, country, locale } = workspace;
    return {
      member: presentMember(member),
      settings,
      workspace: { id, name, kind, timeZone, country, locale },
      members: members.map(presentMember),
      channels: channels
        .filter(({ status }) => status !== "disconnected")
        .map((one) => ({
          id: one.id,
          type: one.type,
          name: one.name,
          status: one.status,
          sandbox: one.sandbox,
        })),
      labels: labels.map(({ name: label, color }) => ({ name: label, color })),
      views: views.map((view) => withTag(presentOwnView(view))),
      savedReplies: replies.map((reply) => withTag(presentSavedReply(reply))),
      bots,
      unreadNotices: unread,
      change: numbers.get(workspaceId) ?? 0,
      now: context.clock.now().toISOString(),
    };
  },

  saveSettings: (context, { caller, body }) =>
    saveSettings(caller.actor, context, caller.workspaceId, body),
};

/** A member as the pages show it. */
export function presentMember(member: Member): MemberJson {
  const { id, name, email, role, disabledAt, availability } = member;
  return { id, name, email, role, disabled: disabledAt !== null, availability };
}
