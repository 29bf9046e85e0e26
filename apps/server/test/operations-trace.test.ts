import { addOwnWord, removeOwnWord } from "../src/contacts/consent/own-words.ts";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { generateSync } from "otplib";
import { actorName, DEMO, MEMBER_ROLES, OPERATOR, type Actor } from "../src/actor.ts";
import type { Broadcast } from "../src/broadcasts/record/broadcast.ts";
import { createBroadcast } from "../src/broadcasts/record/create-broadcast.ts";
import { startBroadcast } from "../src/broadcasts/record/start-broadcast.ts";
import { replaceDraft } from "../src/broadcasts/record/update-broadcast.ts";
import { setChannelPace } from "../src/broadcasts/send/set-channel-pace.ts";
import { sendOtp } from "../src/otp/send-otp.ts";
import { createKey } from "../src/api-keys/create-key.ts";
import { revokeKey } from "../src/api-keys/revoke-key.ts";
import { setKeySends } from "../src/api-keys/set-key-sends.ts";
import type { App } from "../src/app.ts";
import { connectAccount } from "../src/channels/connect-account.ts";
import { disconnectChannel } from "../src/channels/disconnect-channel.ts";
import { testChannel } from "../src/channels/test-channel.ts";
import { updateCredentials } from "../src/channels/update-credentials.ts";
import { defineAttribute, removeAttribute } from "../src/contacts/attributes/define-attribute.ts";
import { changeNumberConsent } from "../src/contacts/consent/change-consent.ts";
import { mergeContacts } from "../src/contacts/identity/merge-contacts.ts";
import { inspectImport } from "../src/contacts/import/inspect-import.ts";
import { runImport } from "../src/contacts/import/run-import.ts";
import { createContact } from "../src/contacts/record/create-contact.ts";
import { exportContacts } from "../src/contacts/record/export-contacts.ts";
import { updateContact } from "../src/contacts/record/update-contact.ts";
import { markSeen } from "../src/desk/mark-seen.ts";
import { updateConversation } from "../src/conversations/update-conversation.ts";
import { startErasure } from "../src/persons/start-erasure.ts";
import { createSegment } from "../src/segments/create-segment.ts";
import { deleteSegment } from "../src/segments/delete-segment.ts";
import { moveBulkJob } from "../src/segments/run-bulk-jobs.ts";
import { startBulkJob } from "../src/segments/start-bulk-job.ts";
import { updateSegment } from "../src/segments/update-segment.ts";
import { copySavedReplyFiles } from "../src/inbox/saved-reply-files.ts";
import { uploadImport } from "../src/imports/upload-import.ts";
import { uploadKnowledge } from "../src/knowledge/add-sources.ts";
import { removeMember } from "../src/conversations/remove-member.ts";
import { sql, type Sql } from "../src/db/sql.ts";
import { saveDraft } from "../src/inbox/save-draft.ts";
import { sendReply } from "../src/inbox/send-reply.ts";
import { sendTemplate, startConversation } from "../src/inbox/send-template.ts";
import {
  createSavedReply,
  deleteSavedReply,
  updateSavedReply,
} from "../src/inbox/write-saved-reply.ts";
import { createView, deleteView, updateView } from "../src/inbox/write-view.ts";
import { suggestReply } from "../src/inbox/suggest-reply.ts";
import { useSuggestion } from "../src/inbox/use-suggestion.ts";
import { uploadMedia } from "../src/media/upload-media.ts";
import { AppError } from "../src/errors.ts";
import { acceptMessage } from "../src/messages/accept/accept-message.ts";
import { POLICIES, type HandPolicies, type Operation } from "../src/policies.ts";
import { deleteWorkspace } from "../src/removal/delete-workspace.ts";
import { addSandboxChannel } from "../src/sandbox/add-sandbox-channel.ts";
import {
  actAsCustomer,
  clearChannelFaults,
  playCustomer,
  setChannelFault,
} from "../src/sandbox/play-phone.ts";
import { startSandboxKeeper } from "../src/sandbox/sandbox-keeper.ts";
import { proposeSecret } from "../src/logins/two-factor.ts";
import { discardProvider, setProvider } from "../src/sms/set-provider.ts";
import { testProvider } from "../src/sms/test-provider.ts";
import { syncTemplates } from "../src/templates/sync-templates.ts";
import { createEndpoint } from "../src/webhooks/create-endpoint.ts";
import { disableEndpoint } from "../src/webhooks/disable-endpoint.ts";
import { enableEndpoint } from "../src/webhooks/enable-endpoint.ts";
import { redeliver } from "../src/webhooks/redeliver.ts";
import { rotateSecret } from "../src/webhooks/rotate-secret.ts";
import { sendTestEvent } from "../src/webhooks/send-test-event.ts";
import { updateEndpoint } from "../src/webhooks/update-endpoint.ts";
import { makeResetLink, resetPassword, updateMember } from "../src/workspaces/change-member.ts";
import { markNoticesRead, notifyMembers } from "../src/workspaces/member-notice.ts";
import { saveSettings } from "../src/workspaces/member-settings.ts";
import {
  acceptInvitation,
  inviteMember,
  withdrawInvitation,
} from "../src/workspaces/invite-member.ts";
import { askRemoval } from "../src/removal/ask-removal.ts";
import { askForReset, makeMailedReset } from "../src/sessions/reset-by-mail.ts";
import { listMembers } from "../src/workspaces/list-members.ts";
import { saveProfile, setAvailability } from "../src/workspaces/save-profile.ts";
import { setDisabled } from "../src/conversations/disable-member.ts";
import { endMemberSessions, useResetLink } from "../src/sessions/manage-member.ts";
import { recordRefusal } from "../src/workspaces/prove-person.ts";
import { createMember } from "../src/workspaces/create-member.ts";
import { changeOwnPassword } from "../src/sessions/change-password.ts";
import { endSessions } from "../src/sessions/end-session.ts";
import {
  renewRecoveryCodes,
  resetTwoFactor,
  switchOffTwoFactor,
  switchOnTwoFactor,
} from "../src/sessions/switch-two-factor.ts";
import { proveSession } from "../src/sessions/prove-session.ts";
import type { SignedIn } from "../src/sessions/session.ts";
import { openByCode, signInMember } from "../src/sessions/sign-in-member.ts";
import { createWorkspace, setUpWorkspace } from "../src/workspaces/create-workspace.ts";
import { updateWorkspace } from "../src/workspaces/update-workspace.ts";
import { Desk, json, startMessaging, type Messaging } from "./messaging.ts";

/** What a scenario calls its operation on: a workspace of its own with a WhatsApp channel. */
interface Stage {
  readonly app: App;
  readonly desk: Desk;
  /** The workspace's id. */
  readonly w: string;
}

/** The one entry of the audit that the call leaves. */
interface Entry {
  readonly action: string;
  readonly subject: string;
}

const uploadPeople = (actor: Actor, app: App, w: string) =>
  uploadImport(actor, app, w, {
    fileName: "people.csv",
    body: Readable.from([Buffer.from("name,phone\nSara,96555501234\n")]),
  });

/** A statement that reads the `author` of the record that the call wrote. */
type Author = Sql;

type Scenario<Name extends keyof HandPolicies> = (
  actor: Actor,
  stage: Stage,
) => Promise<HandPolicies[Name]["trace"] extends "audit" ? Entry : Author>;

/**
 * Each calls its operation once; what it needs beside is made by the operator. Declared operations have an example of
 * their own, which `every-door.test.ts` calls.
 */
const SCENARIOS: { readonly [Name in keyof HandPolicies]: Scenario<Name> } = {
  "workspace.create": async (actor, { app }) => {
    const { id } = await createWorkspace(actor, app, { name: "New" });
    return { action: "workspace.created", subject: id };
  },
  "workspace.set_up": async (actor, { app }) => {
    await app.db.query(
      sql`truncate session, sign_in_step, member, login, recovery_code, password_reset`,
    );
    const owner = { name: "Mona", email: "first@example.com", password: "long enough" };
    const { workspace } = await setUpWorkspace(actor, app, { name: "New" }, owner);
    await app.db.query(
      sql`delete from audit_entry where workspace_id = ${workspace.id} and action = 'member.created'`,
    );
    return { action: "workspace.created", subject: workspace.id };
  },
  "workspace.update": async (actor, { app, w }) => {
    await updateWorkspace(actor, app, w, { name: "Other" });
    return { action: "workspace.updated", subject: w };
  },
  "workspace.ask_removal": async (actor, { app, w }) => {
    await askRemoval(actor, app, w, "A");
    return { action: "workspace.removal_asked", subject: w };
  },
  "login.ask_for_reset": async (actor, { app }) => {
    const asked = { email: "mona@example.com", locale: "en", network: "n" } as const;
    await askForReset(actor, app, asked);
    return sql`select author from letter order by id desc limit 1`;
  },
  "login.mail_reset": async (actor, { app, w }) => {
    const signedIn = await signedInMona(app, w);
    const [member] = await listMembers(app.db, w);
    await makeMailedReset(actor, app, member?.email ?? "");
    return { action: "login.reset_mailed", subject: signedIn.memberId };
  },
  "member.save_profile": async (actor, { app, w }) => {
    const memberId = await becomeMember(actor, app, w);
    await saveProfile(actor, app, w, { name: "Mona B." });
    return { action: "member.updated", subject: memberId };
  },
  "member.set_availability": async (actor, { app, w }) => {
    const memberId = await becomeMember(actor, app, w);
    await setAvailability(actor, app, w, "away");
    return sql`select 'member:' || id as author from member
      where workspace_id = ${w} and id = ${memberId} and availability = 'away'`;
  },
  "workspace.delete": async (actor, { app, desk, w }) => {
    await disconnectChannel(OPERATOR, app, w, desk.account.channelId);
    // The audit goes with the workspace, so the deletion is broken off.
    const breakOff = ({ step }: { readonly step: string }) => {
      if (step === "rows") throw new Error("broken off");
    };
    await deleteWorkspace(actor, app, w, "A", breakOff).catch((error: unknown) => {
      if (!String(error).includes("broken off")) throw error;
    });
    return { action: "workspace.deletion_started", subject: w };
  },
  "member.create": async (actor, { app, w }) => {
    const { id } = await createMember(actor, app, w, MONA);
    return { action: "member.created", subject: id };
  },
  "member.update": async (actor, { app, w }) => {
    const { id } = await createMember(OPERATOR, app, w, MONA);
    await updateMember(actor, app, w, id, { name: "Mona" });
    return { action: "member.updated", subject: id };
  },
  "member.disable": async (actor, { app, w }) => {
    const { id } = await createMember(OPERATOR, app, w, MONA);
    await setDisabled(actor, app, { workspaceId: w, memberId: id, disabled: true });
    return { action: "member.disabled", subject: id };
  },
  "member.end_sessions": async (actor, { app, w }) => {
    const { id } = await createMember(OPERATOR, app, w, MONA);
    await endMemberSessions(actor, app, w, id);
    return { action: "member.sessions_ended", subject: id };
  },
  "member.make_reset_link": async (actor, { app, w }) => {
    const { id } = await createMember(OPERATOR, app, w, { ...MONA, email: "own@example.com" });
    await makeResetLink(actor, app, w, id);
    return { action: "member.reset_link_made", subject: id };
  },
  "login.use_reset": async (actor, { app, w }) => {
    const { id } = await createMember(OPERATOR, app, w, {
      ...MONA,
      email: "new@example.com",
      existingLogin: true,
    });
    const { secret } = await makeResetLink(OPERATOR, app, w, id);
    await useResetLink(actor, app, { secret, password: "long enough", network: "127.0.0.1" });
    return { action: "login.password_changed", subject: id };
  },
  "invitation.create": async (actor, { app, w }) => {
    const { id } = await inviteMember(actor, app, w, { email: MONA.email, role: "agent" });
    return { action: "invitation.created", subject: id };
  },
  "invitation.withdraw": async (actor, { app, w }) => {
    const { id } = await inviteMember(OPERATOR, app, w, { email: MONA.email, role: "agent" });
    await withdrawInvitation(actor, app, w, id);
    return { action: "invitation.withdrawn", subject: id };
  },
  "invitation.accept": async (actor, { app, w }) => {
    const asked = { email: "joining@example.com", role: "agent" } as const;
    const { secret } = await inviteMember(OPERATOR, app, w, asked);
    const joining = { name: "Mona", password: "long enough", network: "n" };
    const { id } = await acceptInvitation(actor, app, secret, joining);
    return { action: "member.created", subject: id };
  },
  "member.save_settings": async (actor, { app, w }) => {
    const { id } = await createMember(OPERATOR, app, w, MONA);
    const memberId = actor.kind === "member" ? actor.memberId : id;
    await app.db.query(sql`update member set id = ${memberId} where workspace_id = ${w}`);
    await saveSettings(actor, app, w, { theme: "dark" });
    return sql`select 'member:' || id as author from member where settings ->> 'theme' = 'dark'`;
  },
  "member.remove": async (actor, { app, w }) => {
    const { id } = await createMember(OPERATOR, app, w, MONA);
    await removeMember(actor, app, w, id);
    return { action: "member.removed", subject: id };
  },
  "member.reset_password": async (actor, { app, w }) => {
    const email = `${app.ids.next()}@example.com`;
    const { id } = await createMember(OPERATOR, app, w, { ...MONA, email });
    await resetPassword(actor, app, w, id, "long enough");
    return { action: "member.password_reset", subject: id };
  },
  "login.refuse": async (actor, { app, w }) => {
    // In no other workspace: there it would be recorded too.
    const email = `${app.ids.next()}@example.com`;
    const { id, loginId } = await createMember(OPERATOR, app, w, { ...MONA, email });
    await recordRefusal(actor, app, { loginId, by: "password", last: false });
    return { action: "session.refused", subject: id };
  },
  "session.open": async (actor, { app, w }) => {
    const member = await createMember(OPERATOR, app, w, MONA);
    await signInMember(actor, app, member, { ip: "192.0.2.1", agent: "test" });
    return { action: "session.opened", subject: member.id };
  },
  "session.open_by_code": async (actor, { app, w }) => {
    const { signedIn, recoveryCode } = await securedMona(app, w);
    const { workspaceId, memberId: id, loginId } = signedIn;
    const from = { ip: "192.0.2.1", agent: "test" };
    const { token } = await signInMember(OPERATOR, app, { workspaceId, id, loginId }, from);
    const given = { token, given: { recoveryCode }, network: "192.0.2.1", from };
    await openByCode(actor, app, { workspaceId, id, loginId }, given);
    return { action: "session.opened", subject: id };
  },
  "login.switch_on_two_factor": async (actor, { app, w }) => {
    const { signedIn } = await securedMona(app, w, actor);
    return { action: "login.two_factor_on", subject: signedIn.memberId };
  },
  "login.switch_off_two_factor": async (actor, { app, w }) => {
    const { signedIn, recoveryCode } = await securedMona(app, w);
    await switchOffTwoFactor(actor, app, signedIn, { recoveryCode });
    return { action: "login.two_factor_off", subject: signedIn.memberId };
  },
  "login.renew_recovery_codes": async (actor, { app, w }) => {
    const { signedIn } = await securedMona(app, w);
    await renewRecoveryCodes(actor, app, signedIn);
    return { action: "login.recovery_codes_made", subject: signedIn.memberId };
  },
  "member.reset_two_factor": async (actor, { app, w }) => {
    const { signedIn } = await securedMona(app, w);
    await resetTwoFactor(actor, app, w, signedIn.memberId);
    return { action: "member.two_factor_reset", subject: signedIn.memberId };
  },
  "session.prove": async (actor, { app, w }) => {
    const signedIn = await signedInMona(app, w);
    await proveSession(actor, app, signedIn, { password: PASSWORD, network: "192.0.2.1" });
    return { action: "session.proven", subject: signedIn.memberId };
  },
  "session.end": async (actor, { app, w }) => {
    const { workspaceId, id, loginId } = await createMember(OPERATOR, app, w, MONA);
    await signInMember(
      OPERATOR,
      app,
      { workspaceId, id, loginId },
      { ip: "192.0.2.1", agent: "test" },
    );
    await endSessions(actor, app, { workspaceId, memberId: id }, { but: app.ids.next() });
    return { action: "session.ended", subject: id };
  },
  "login.change_password": async (actor, { app, w }) => {
    const signedIn = await signedInMona(app, w);
    await changeOwnPassword(actor, app, signedIn, {
      old: PASSWORD,
      fresh: "longer than that",
      network: "192.0.2.1",
    });
    return { action: "login.password_changed", subject: signedIn.memberId };
  },
  "api_key.create": async (actor, { app, w }) => {
    const { id } = await createKey(actor, app, w);
    return { action: "api_key.created", subject: id };
  },
  "api_key.set_sends": async (actor, { app, w }) => {
    const { id } = await createKey(OPERATOR, app, w);
    await setKeySends(actor, app, w, id, "free");
    // As it is already: no second entry.
    await setKeySends(actor, app, w, id, "free");
    return { action: "api_key.updated", subject: id };
  },
  "api_key.revoke": async (actor, { app, w }) => {
    const { id } = await createKey(OPERATOR, app, w);
    await revokeKey(actor, app, w, id);
    return { action: "api_key.revoked", subject: id };
  },
  "endpoint.create": async (actor, { app, w }) => {
    const { id } = await createEndpoint(actor, app, w, { url: URL });
    return { action: "endpoint.created", subject: id };
  },
  "endpoint.update": async (actor, { app, w }) => {
    const id = await endpoint({ app, w });
    await updateEndpoint(actor, app, w, id, { events: ["message.received"] });
    return { action: "endpoint.updated", subject: id };
  },
  "endpoint.enable": async (actor, { app, w }) => {
    const id = await endpoint({ app, w });
    await enableEndpoint(actor, app, w, id);
    return { action: "endpoint.enabled", subject: id };
  },
  "endpoint.disable": async (actor, { app, w }) => {
    const id = await endpoint({ app, w });
    await disableEndpoint(actor, app, w, id);
    return { action: "endpoint.disabled", subject: id };
  },
  "endpoint.rotate_secret": async (actor, { app, w }) => {
    const id = await endpoint({ app, w });
    await rotateSecret(actor, app, w, id);
    return { action: "endpoint.secret_rotated", subject: id };
  },
  "endpoint.test": async (actor, { app, w }) => {
    const id = await endpoint({ app, w });
    await sendTestEvent(actor, app, w, id);
    return { action: "endpoint.tested", subject: id };
  },
  "endpoint.redeliver": async (actor, { app, w }) => {
    const id = await endpoint({ app, w });
    const { eventId } = await sendTestEvent(OPERATOR, app, w, id);
    await redeliver(actor, app, w, id, { eventId });
    return { action: "endpoint.redelivered", subject: id };
  },
  "channel.connect": async (actor, { app, w }) => {
    const { id } = await connectAccount(actor, app, w, {
      type: "WEB",
      name: "Chat",
      allowedOrigins: "",
      identitySecret: "0123456789abcdef0123456789abcdef",
    });
    return { action: "channel.connected", subject: id };
  },
  "channel.update": async (actor, { app, desk, w }) => {
    const { channelId } = desk.account;
    await updateCredentials(actor, app, w, channelId, { accessToken: "another" });
    return { action: "channel.updated", subject: channelId };
  },
  "channel.test": async (actor, { app, desk, w }) => {
    const { channelId } = desk.account;
    await testChannel(actor, app, w, channelId);
    return { action: "channel.tested", subject: channelId };
  },
  "channel.disconnect": async (actor, { app, desk, w }) => {
    const { channelId } = desk.account;
    await disconnectChannel(actor, app, w, channelId);
    return { action: "channel.disconnected", subject: channelId };
  },
  "sms_provider.set": async (actor, { app, w }) => {
    const { id } = await setProvider(actor, app, w, TWILIO);
    return { action: "sms_provider.set", subject: id };
  },
  "sms_provider.discard": async (actor, { app, w }) => {
    const { id, updatedAt } = await setProvider(OPERATOR, app, w, TWILIO);
    await app.db.query(sql`update sms_provider set verified_at = ${updatedAt} where id = ${id}`);
    await setProvider(OPERATOR, app, w, TWILIO);
    await discardProvider(actor, app, w);
    return { action: "sms_provider.discarded", subject: id };
  },
  "sms_provider.test": async (actor, { app, w }) => {
    const { id } = await setProvider(OPERATOR, app, w, TWILIO);
    const gateway = { request: async () => json(201, { sid: "SM1", status: "queued" }) };
    const context = { ...app, providerHttp: gateway, guardedHttp: gateway };
    const { sent } = await testProvider(actor, context, w, "+96555501234");
    assert.equal(sent, true);
    return { action: "sms_provider.tested", subject: id };
  },
  "template.sync": async (actor, { app, desk, w }) => {
    const { channelId } = desk.account;
    await syncTemplates(actor, app, w, channelId);
    return { action: "template.synced", subject: channelId };
  },
  "contact.create": async (actor, { app, w }) => {
    const { id } = await createContact(actor, app, w, SARA);
    return sql`select author from contact where workspace_id = ${w} and id = ${id}`;
  },
  "contact.update": async (actor, { app, w }) => {
    const { id } = await createContact(OPERATOR, app, w, SARA);
    await updateContact(actor, app, w, id, { notes: "called" });
    return sql`select 'member:' || ref as author from contact_change
      where workspace_id = ${w} and contact_id = ${id} and source = 'dashboard'`;
  },
  "contact.merge": async (actor, { app, w }) => {
    const { id } = await createContact(OPERATOR, app, w, SARA);
    const other = await createContact(OPERATOR, app, w, SARA);
    await mergeContacts(actor, app, w, id, other.id);
    return { action: "contact.merged", subject: id };
  },
  "export.record": async (actor, { app, w }) => {
    for await (const _ of exportContacts(actor, app, w));
    return { action: "contacts.exported", subject: w };
  },
  "contact.erase": async (actor, { app, w }) => {
    const { id } = await createContact(OPERATOR, app, w, SARA);
    await startErasure(actor, app, w, id);
    return { action: "contact.erasure_started", subject: id };
  },
  "contact.import": async (actor, { app, w }) => {
    async function* open() {
      yield Buffer.from("name,phone\nSara,96555501234\n");
    }
    const file = { ...(await inspectImport(open())), name: "people.csv", open };
    const { id } = await runImport(actor, app, w, file, { format: "csv" });
    return { action: "contacts.import_started", subject: id };
  },
  "knowledge.upload": async (actor, { app, w }) => {
    const body = Readable.from([Buffer.from("We open at nine.")]);
    const { id } = await uploadKnowledge(actor, app, w, { fileName: "hours.txt", body });
    return { action: "knowledge.added", subject: id };
  },
  "import_file.upload": async (actor, { app, w }) => {
    const { id } = await uploadPeople(actor, app, w);
    return sql`select author from import_file where workspace_id = ${w} and id = ${id}`;
  },
  "consent.change": async (actor, { app, w }) => {
    await changeNumberConsent(actor, app, w, { phone: SARA.phone, optedOut: true });
    return sql`select 'member:' || detail as author from consent_entry
      where workspace_id = ${w} and phone = ${SARA.phone} and source = 'dashboard'`;
  },
  "attribute.define": async (actor, { app, w }) => {
    await defineAttribute(actor, app, w, { key: "city", type: "text" });
    return { action: "attribute.defined", subject: "city" };
  },
  "attribute.remove": async (actor, { app, w }) => {
    await defineAttribute(OPERATOR, app, w, { key: "city", type: "text" });
    await removeAttribute(actor, app, w, "city");
    return { action: "attribute.removed", subject: "city" };
  },
  "segment.create": async (actor, { app, w }) => {
    const { id } = await createSegment(actor, app, w, VIP);
    return { action: "segment.created", subject: id };
  },
  "segment.update": async (actor, { app, w }) => {
    const { id } = await createSegment(OPERATOR, app, w, VIP);
    await updateSegment(actor, app, w, id, { name: "Friends" });
    return { action: "segment.updated", subject: id };
  },
  "segment.delete": async (actor, { app, w }) => {
    const { id } = await createSegment(OPERATOR, app, w, VIP);
    await deleteSegment(actor, app, w, id);
    return { action: "segment.deleted", subject: id };
  },
  "bulk_change.start": async (actor, { app, w }) => {
    const contact = await createContact(OPERATOR, app, w, SARA);
    const { id } = await startBulkJob(actor, app, w, { ids: [contact.id] }, TAG);
    return { action: "contacts.bulk_started", subject: id };
  },
  "bulk_change.move": async (actor, { app, w }) => {
    const contact = await createContact(OPERATOR, app, w, SARA);
    const { id } = await startBulkJob(OPERATOR, app, w, { ids: [contact.id] }, TAG);
    await moveBulkJob(actor, app, w, id, "cancel");
    return { action: "contacts.bulk_cancelled", subject: id };
  },
  "conversation.update": async (actor, { app, desk, w }) => {
    const id = await desk.hears(SARA.phone);
    await updateConversation(actor, app, w, id, { status: "resolved" });
    return { action: "conversation.resolved", subject: id };
  },
  "conversation.see": async (actor, { app, desk, w }) => {
    await markSeen(actor, app, w, await desk.hears(SARA.phone), 1);
    return sql`select 'member:' || member_id as author from desk_read where workspace_id = ${w}`;
  },
  "consent_word.add": async (actor, { app, w }) => {
    await addOwnWord(actor, app, w, { text: "Basta!", wish: "stop" });
    return { action: "consent_word.added", subject: "basta" };
  },
  "consent_word.remove": async (actor, { app, w }) => {
    await addOwnWord(OPERATOR, app, w, { text: "Basta!", wish: "stop" });
    await removeOwnWord(actor, app, w, "basta");
    return { action: "consent_word.removed", subject: "basta" };
  },
  "reply.send": async (actor, { app, desk, w }) => {
    const conversationId = await desk.hears("201000000001");
    const clientId = app.ids.next();
    const { id } = await sendReply(actor, app, w, conversationId, { clientId, text: "hi" });
    return sql`select author from message where id = ${id}`;
  },
  "draft.save": async (actor, { app, desk, w }) => {
    const draft = { mode: "reply", text: "Dear", media: [] } as const;
    await saveDraft(actor, app, w, await desk.hears("201000000001"), draft);
    return sql`select 'member:' || member_id as author from draft where workspace_id = ${w}`;
  },
  "member_notice.read": async (actor, { app, w }) => {
    const memberId = actor.kind === "member" ? actor.memberId : "";
    const notice = { memberId, kind: "system", subject: "S", body: "", ref: null } as const;
    await app.db.transaction((tx) =>
      notifyMembers(app, tx, w, [{ ...notice, conversationId: null }]),
    );
    await markNoticesRead(actor, app, w);
    return sql`select 'member:' || member_id as author from member_notice
      where workspace_id = ${w} and read_at is not null`;
  },
  "suggestion.use": async (actor, { app, desk, w }) => {
    const given = { id: await desk.hears("201000000001"), text: "hi" };
    const { id } = await suggestReply(OPERATOR, app, w, given);
    const used = { clientId: app.ids.next(), text: "hi" };
    await useSuggestion(actor, app, w, id, used);
    return sql`select settled_by as author from suggestion where id = ${id} and state = 'used'`;
  },
  "template.send": async (actor, stage) => {
    const { app, desk, w } = stage;
    const conversationId = await desk.hears("201000000001");
    const template = { templateId: await storedTemplate(stage), variables: ["Mona"] };
    const sent = { ...template, clientId: app.ids.next() };
    const { id } = await sendTemplate(actor, app, w, conversationId, sent);
    return sql`select author from message where id = ${id}`;
  },
  "conversation.start": async (actor, stage) => {
    const { app, desk, w } = stage;
    const contact = await createContact(OPERATOR, app, w, { phone: "201000000002" });
    const template = { templateId: await storedTemplate(stage), variables: ["Mona"] };
    const sent = { ...template, clientId: app.ids.next(), channelId: desk.account.channelId };
    const { message } = await startConversation(actor, app, w, contact.id, sent);
    return sql`select author from message where id = ${message.id}`;
  },
  "saved_reply.create": async (actor, { app, w }) => {
    const { id } = await createSavedReply(actor, app, w, { ...SAVED, shared: false });
    return { action: "saved_reply.created", subject: id };
  },
  "saved_reply.update": async (actor, { app, w }) => {
    const { id } = await createSavedReply(OPERATOR, app, w, { ...SAVED, shared: true });
    await updateSavedReply(actor, app, w, id, { title: "Hello" });
    return { action: "saved_reply.updated", subject: id };
  },
  "saved_reply.delete": async (actor, { app, w }) => {
    const { id } = await createSavedReply(OPERATOR, app, w, { ...SAVED, shared: true });
    await deleteSavedReply(actor, app, w, id);
    return { action: "saved_reply.deleted", subject: id };
  },
  "saved_reply.attach": async (actor, { app, w }) => {
    async function* bytes() {
      yield Buffer.from("hello");
    }
    const file = await uploadMedia(OPERATOR, app, w, { fileName: "a.txt", body: bytes() });
    const input = { ...SAVED, media: [file.id], shared: true };
    const { id } = await createSavedReply(OPERATOR, app, w, input);
    const [copy] = await copySavedReplyFiles(actor, app, w, id);
    return sql`select author from media where workspace_id = ${w} and id = ${copy?.id}`;
  },
  "desk_view.create": async (actor, { app, w }) => {
    const { id } = await createView(actor, app, w, { ...VIEW, shared: false });
    return { action: "desk_view.created", subject: id };
  },
  "desk_view.update": async (actor, { app, w }) => {
    const { id } = await createView(OPERATOR, app, w, { ...VIEW, shared: true });
    await updateView(actor, app, w, id, { name: "Other" });
    return { action: "desk_view.updated", subject: id };
  },
  "desk_view.delete": async (actor, { app, w }) => {
    const { id } = await createView(OPERATOR, app, w, { ...VIEW, shared: true });
    await deleteView(actor, app, w, id);
    return { action: "desk_view.deleted", subject: id };
  },
  "otp.send": async (actor, { app, w }) => {
    await setProvider(OPERATOR, app, w, TWILIO);
    const gateway = { request: async () => json(201, { sid: "SM1", status: "queued" }) };
    const context = { ...app, providerHttp: gateway, guardedHttp: gateway };
    await testProvider(OPERATOR, context, w, "+96555501234");
    const otp = { mobile: "96555501234", message: "1234", lang: "E" } as const;
    const { requestId } = await sendOtp(actor, context, w, otp);
    return sql`select author from otp_record where workspace_id = ${w} and id = ${requestId}`;
  },
  "broadcast.replace": async (actor, stage) => {
    const { id } = await campaign(OPERATOR, stage);
    await replaceDraft(actor, stage.app, stage.w, id, { name: "Other", kind: "SMS", body: "Hi" });
    return { action: "broadcast.updated", subject: id };
  },
  "broadcast.start": async (actor, stage) => {
    const { id } = await campaign(OPERATOR, stage);
    await startBroadcast(actor, stage.app, stage.w, id);
    return { action: "broadcast.started", subject: id };
  },
  "channel.set_pace": async (actor, { app, desk, w }) => {
    const { channelId } = desk.account;
    await setChannelPace(actor, app, w, channelId, 600);
    return { action: "channel.paced", subject: channelId };
  },
  "message.send": async (actor, { app, desk, w }) => {
    const conversationId = await desk.hears("96555501234");
    const { id } = await acceptMessage(actor, app, w, { conversationId, text: "hi" });
    return sql`select author from message where workspace_id = ${w} and id = ${id}`;
  },
  "media.upload": async (actor, { app, w }) => {
    async function* bytes() {
      yield Buffer.from("hello");
    }
    const { id } = await uploadMedia(actor, app, w, { fileName: "a.txt", body: bytes() });
    return sql`select author from media where workspace_id = ${w} and id = ${id}`;
  },
  "sandbox.add_channel": async (actor, { app, w }) => {
    const { id } = await addSandboxChannel(actor, app, w, { type: "TELEGRAM" });
    return { action: "channel.connected", subject: id };
  },
  "sandbox.say": (actor, stage) =>
    withPhone(stage, async (id) => {
      await playCustomer(actor, stage.app, stage.w, id, { text: "hello" });
      return { action: "sandbox.said", subject: id };
    }),
  "sandbox.act": (actor, stage) =>
    withPhone(
      stage,
      async (id) => {
        const action = { action: "locate", latitude: 29.38, longitude: 47.99 } as const;
        await actAsCustomer(actor, stage.app, stage.w, id, { customer: "700001234", action });
        return { action: "sandbox.said", subject: id };
      },
      "TELEGRAM",
    ),
  "sandbox.set_fault": (actor, stage) =>
    withPhone(stage, async (id) => {
      await setChannelFault(actor, stage.app, stage.w, id, { kind: "rejected", next: 1 });
      return { action: "sandbox.fault_set", subject: id };
    }),
  "sandbox.clear_faults": (actor, stage) =>
    withPhone(stage, async (id) => {
      await clearChannelFaults(actor, stage.app, stage.w, id);
      return { action: "sandbox.faults_cleared", subject: id };
    }),
};

/**
 * A sandbox channel whose platform runs for as long as `use` takes: usually the workspace's SMS account. What the platform tells
 * Parley is taken by a server that answers everything; a platform that finds none would try again for ten seconds.
 */
async function withPhone(
  { app, w }: Stage,
  use: (id: string) => Promise<Entry>,
  type: "SMS" | "TELEGRAM" = "SMS",
): Promise<Entry> {
  const { id } = await addSandboxChannel(OPERATOR, app, w, { type });
  const hooks = createServer((_request, response) => void response.end("{}"));
  await once(hooks.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
  const keeper = await startSandboxKeeper(app, {
    publicUrl: address,
    address,
    delivery: "manual",
    timed: false,
    always: true,
  });
  try {
    return await use(id);
  } finally {
    await keeper.close();
    hooks.close();
  }
}

const URL = "https://127.0.0.1:9999/";
const MONA = { email: "mona@example.com", name: "Mona", role: "agent" } as const;
const SARA = { name: "Sara", phone: "96555501234" };
const TAG = { action: "tag", tags: ["vip"] } as const;
const VIP = {
  name: "VIP",
  definition: { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] },
};
const TWILIO = {
  provider: "twilio",
  accountSid: `AC${"0".repeat(32)}`,
  authToken: "token",
  from: "+15550001111",
};

const PASSWORD = "long enough";

/** A member whose address nobody else has, with a password and a session that is not stored. */
async function signedInMona(app: App, w: string): Promise<SignedIn> {
  const email = `${app.ids.next()}@example.com`;
  const member = await createMember(OPERATOR, app, w, { ...MONA, email, password: PASSWORD });
  const { workspaceId, id: memberId, loginId, role } = member;
  return {
    workspaceId,
    memberId,
    loginId,
    role,
    sessionId: app.ids.next(),
    provenAt: app.clock.now(),
    needsTwoFactor: false,
  };
}

/** Makes the acting member one of the workspace's. */
async function becomeMember(actor: Actor, app: App, w: string): Promise<string> {
  const { id } = await createMember(OPERATOR, app, w, MONA);
  const memberId = actor.kind === "member" ? actor.memberId : id;
  await app.db.query(sql`update member set id = ${memberId} where workspace_id = ${w}`);
  return memberId;
}

/** The same with two-factor, which `actor` switched on. */
async function securedMona(app: App, w: string, actor: Actor = OPERATOR) {
  const signedIn = await signedInMona(app, w);
  const email = "mona@example.com";
  const { secret, proposal } = proposeSecret(app, { id: signedIn.loginId, email });
  const code = generateSync({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
  const [recoveryCode = ""] = await switchOnTwoFactor(actor, app, signedIn, { proposal, code });
  return { signedIn, recoveryCode };
}

function campaign(actor: Actor, { app, desk, w }: Stage): Promise<Broadcast> {
  const { channelId } = desk.account;
  return createBroadcast(actor, app, w, { name: "News", kind: "TEXT", channelId, body: "Hi" });
}

const SAVED = { shortcut: "hi", title: "Hi", text: "Hello" };
const VIEW = { name: "Mine", filter: { all: [] } };

/** An approved template of the stage's channel with one variable. */
async function storedTemplate({ app, desk, w }: Stage): Promise<string> {
  const id = app.ids.next();
  const components = JSON.stringify([{ type: "BODY", text: "Hello {{1}}" }]);
  await app.db.query(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
      body_variable_count, last_synced_at)
    values (${w}, ${id}, ${desk.account.channelId}, '77', 'hello', 'en', 'MARKETING', 'APPROVED', ${components}, 1,
      ${app.clock.now()})`);
  return id;
}

async function endpoint({ app, w }: Pick<Stage, "app" | "w">): Promise<string> {
  return (await createEndpoint(OPERATOR, app, w, { url: URL })).id;
}

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

/** A member with the first role that may do it; a key where no member may; the demo where no key may either. */
function actorFor(operation: Operation): Actor {
  const { roles = [], scope } = POLICIES.get(operation) ?? {};
  const [role] = roles;
  const id = m.t.app.ids.next();
  if (role !== undefined) return { kind: "member", memberId: id, role };
  return scope === undefined
    ? DEMO
    : { kind: "key", keyId: id, publicKey: `pk_${id}`, scopes: [scope] };
}

/** Calls an operation of a scenario in a new workspace. */
async function play(operation: keyof typeof SCENARIOS, actor: Actor): Promise<Entry | Author> {
  const desk = await Desk.open(m);
  return SCENARIOS[operation](actor, { app: m.t.app, desk, w: desk.workspaceId });
}

const NAMES = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[];
for (const operation of NAMES) {
  const { trace, roles = [] } = POLICIES.get(operation) ?? {};
  test(`${operation} leaves its actor in the ${trace}`, async () => {
    const { db } = m.t.app;
    const actor = actorFor(operation);
    const earlier = (
      await db.query<{ id: string }>(
        sql`select id from audit_entry where actor = ${actorName(actor)}`,
      )
    ).map(({ id }) => id);
    const left = await play(operation, actor);
    const entries = await db.query(sql`select action, subject from audit_entry
      where actor = ${actorName(actor)} and id <> all(${earlier}::uuid[])`);
    if ("action" in left) return assert.deepEqual(entries, [left]);
    assert.deepEqual(entries, []);
    assert.deepEqual(await db.query(left), [{ author: actorName(actor) }]);
  });
  const refused = MEMBER_ROLES.findLast((role) => !roles.includes(role));
  if (refused !== undefined)
    test(`${operation} refuses an ${refused}`, async () => {
      const actor: Actor = { kind: "member", memberId: m.t.app.ids.next(), role: refused };
      const isForbidden = (error: unknown) =>
        error instanceof AppError && error.code === "FORBIDDEN";
      await assert.rejects(play(operation, actor), isForbidden);
    });
}
