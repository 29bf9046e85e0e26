import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { KEY } from "../../test/actors.ts";
import { OPERATOR, type Actor } from "../actor.ts";
import { createContact } from "../contacts/record/create-contact.ts";
import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { uploadMedia } from "../media/upload-media.ts";
import { createMember } from "../workspaces/create-member.ts";
import { updateWorkspace } from "../workspaces/update-workspace.ts";
import { sendReply } from "./send-reply.ts";
import { sendTemplate, startConversation } from "./send-template.ts";
import { addTemplate } from "./template.fixture.ts";
import { suggestReply } from "./suggest-reply.ts";
import { useSuggestion } from "./use-suggestion.ts";

// A phone that lost the answer sends again, perhaps while the first try is still being stored. For each way in which a member
// sends, the first try is stored before each query of the second one in turn.

let m: Messaging;
before(async () => void (m = await startMessaging()));
after(() => m[Symbol.asyncDispose]());

interface Ground {
  readonly desk: Desk;
  readonly member: Actor & { readonly memberId: string };
  readonly clientId: string;
  /** Another number for each try. */
  readonly from: string;
}
type Send = (context: Context) => Promise<unknown>;

/** The ways to send. Each prepares one message, and gives what sends it. */
const WAYS: Readonly<Record<string, (ground: Ground) => Promise<Send>>> = {
  async "a reply"({ desk, member, clientId, from }) {
    const id = await desk.hears(from);
    return (context) => sendReply(member, context, desk.workspaceId, id, { clientId, text: "Yes" });
  },
  async "a reply with a file"({ desk, member, clientId, from }) {
    const w = desk.workspaceId;
    const id = await desk.hears(from);
    const body = Readable.from([Buffer.from("%PDF-1.4 offer")]);
    const { id: file } = await uploadMedia(member, m.t.app, w, { fileName: "offer.pdf", body });
    return (context) => sendReply(member, context, w, id, { clientId, media: [file] });
  },
  async "the last message of the plan"({ desk, member, clientId, from }) {
    const w = desk.workspaceId;
    const id = await desk.hears(from);
    const [row] = await m.t.app.db.query<{ n: number }>(
      sql`select count(*)::int as n from message where workspace_id = ${w} and direction = 'outbound'`,
    );
    await updateWorkspace(OPERATOR, m.t.app, w, { limits: { messages: (row?.n ?? 0) + 1 } });
    return (context) => sendReply(member, context, w, id, { clientId, text: "Yes" });
  },
  async "a failed reply again"({ desk, member, clientId, from }) {
    const w = desk.workspaceId;
    const id = await desk.hears(from);
    const failed = await sendReply(member, m.t.app, w, id, {
      clientId: m.t.app.ids.next(),
      text: "Yes",
    });
    await m.t.app.db.query(
      sql`update message set status = 'failed' where workspace_id = ${w} and id = ${failed.id}`,
    );
    return (context) =>
      sendReply(member, context, w, id, { clientId, text: "Yes", resendOf: failed.id });
  },
  async "a template"({ desk, member, clientId, from }) {
    const w = desk.workspaceId;
    const id = await desk.hears(from);
    const templateId = await addTemplate(m, desk, "UTILITY");
    return (context) =>
      sendTemplate(member, context, w, id, { clientId, templateId, variables: [] });
  },
  async "a first message"({ desk, member, clientId, from: phone }) {
    const w = desk.workspaceId;
    const { channelId } = desk.account;
    const templateId = await addTemplate(m, desk, "UTILITY");
    const { id } = await createContact(OPERATOR, m.t.app, w, { phone });
    const sent = { clientId, channelId, templateId, variables: [] };
    return (context) => startConversation(member, context, w, id, sent);
  },
  async "a suggested reply"({ desk, member, clientId, from }) {
    const w = desk.workspaceId;
    const id = await desk.hears(from);
    const suggestion = await suggestReply(KEY, m.t.app, w, { id, text: "Yes" });
    return (context) => useSuggestion(member, context, w, suggestion.id, { clientId, text: "Yes" });
  },
};

for (const [way, prepare] of Object.entries(WAYS))
  test(`${way} that is sent again while it is being stored is one message, at whatever moment`, async () => {
    const { app } = m.t;
    const desk = await Desk.open(m);
    const input = { email: "sara@example.com", name: "Sara", role: "agent" } as const;
    const { id: memberId } = await createMember(OPERATOR, app, desk.workspaceId, input);
    const member = { kind: "member", memberId, role: "agent" } as const;
    for (let moment = 0, last = false; !last; moment++) {
      const from = `2010000006${String(moment).padStart(2, "0")}`;
      const send = await prepare({ desk, member, clientId: app.ids.next(), from });
      let asked = 0;
      let first: unknown;
      const query: Db["query"] = async (statement) => {
        if (asked++ === moment) first = await send(app);
        return app.db.query(statement);
      };
      const second = await send({ ...app, db: { ...app.db, query } });
      last = first === undefined;
      assert.deepEqual(second, first ?? second, `before query ${moment}`);
      assert.ok(moment < 30 && (moment >= 2 || !last), `${moment} queries`);
    }
  });
