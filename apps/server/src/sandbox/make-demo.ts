import { DEMO, type Actor } from "../actor.ts";
import { randomBytes } from "node:crypto";
import { createKey } from "../api-keys/create-key.ts";
import { createBroadcast } from "../broadcasts/record/create-broadcast.ts";
import type { Channel } from "../channels/channel.ts";
import { findChannel } from "../channels/list-channels.ts";
import { createContact } from "../contacts/record/create-contact.ts";
import type { Context } from "../context.ts";
import { acceptMessage } from "../messages/accept/accept-message.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { createSegment } from "../segments/create-segment.ts";
import { listTemplates } from "../templates/list-templates.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { createMember } from "../workspaces/create-member.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { addSandboxChannel, addSandboxWeb } from "./add-sandbox-channel.ts";
import { DEMO_TALKS, demoContacts, demoPhone } from "./demo-data.ts";
import { makeDemoBot } from "./demo-bot.ts";
import type { DemoDesk } from "./demo-desk.ts";
import { workTheInbox } from "./demo-inbox.ts";
import { CHANNEL_TALKS, WEB_TALK } from "./demo-talks.ts";
import type { DemoFacts } from "./demo.ts";
import { receiverContext, RECEIVER_NOWHERE } from "./receiver-endpoint.ts";
import { sayAsVisitor } from "./say-as-visitor.ts";
import { conversationOfCustomer } from "../conversations/find-conversation.ts";
import { SANDBOX_TYPES, type SandboxType } from "../wire/words.ts";

const CONTACTS = 200;

/** Fills the demo's workspace with the same operations as everything else. Returns the facts to print. */
export async function makeDemo(
  context: Context,
  workspace: Pick<Workspace, "id">,
  desk: DemoDesk,
  publicUrl: string,
): Promise<DemoFacts> {
  const password = randomBytes(9).toString("base64url");
  const owner = await createMember(DEMO, context, workspace.id, {
    email: "owner@demo.example",
    name: "Demo Owner",
    role: "owner",
    password,
    // It signs in already where there are other workspaces with a demo.
    existingLogin: true,
  });
  const actor: Actor = { kind: "member", memberId: owner.id, role: owner.role };
  const key = await createKey(DEMO, context, workspace.id, { name: "Demo key" });
  const lines = new Map<SandboxType, string>();
  for (const type of SANDBOX_TYPES)
    lines.set(type, (await addSandboxChannel(DEMO, context, workspace.id, { type })).id);
  const channel = await findChannel(context, workspace.id, lines.get("WHATSAPP") ?? "");
  await Promise.all(
    demoContacts(CONTACTS).map((contact) => createContact(DEMO, context, workspace.id, contact)),
  );
  await desk.served([...lines.values()]);
  await Promise.all(
    CHANNEL_TALKS.map((talk) => talkOn(actor, context, workspace.id, lines, talk, desk)),
  );
  const web = await addSandboxWeb(DEMO, context, workspace.id, "Web chat");
  await talkOnTheWeb(actor, context, workspace.id, web.id);
  // WhatsApp comes last: a reply in the newest conversation, as in the first guide, then goes through every status of a
  // message.
  await storeTalks(context, workspace.id, channel);
  await desk.remember(channel.id);
  await syncTemplates(DEMO, context, workspace.id, channel.id);
  await answerTalks(actor, context, workspace.id, channel);
  await workTheInbox(actor, context, workspace.id, channel.id);
  await makeCampaign(context, workspace.id, channel);
  await makeDemoBot(context, workspace.id);
  if (context.config.demo !== false)
    await createEndpoint(DEMO, receiverContext(context), workspace.id, {
      url: RECEIVER_NOWHERE,
      events: ["message.status", "message.received", "message.created", "broadcast.status"],
    });
  const conversationId =
    (await conversationOfCustomer(context.db, workspace.id, channel.id, demoPhone(0))) ?? "";
  return {
    workspaceId: workspace.id,
    address: publicUrl,
    email: owner.email,
    password,
    bearer: key.bearer,
    conversationId,
    tryPage: web.page,
    receiverUrl: context.sandbox.receiverUrl,
  };
}

/** Stores what customers wrote on WhatsApp, with its own times, as the hook would store it. */
async function storeTalks(context: Context, workspaceId: string, channel: Channel): Promise<void> {
  const now = context.clock.now().getTime();
  // One more than are imported: who cannot be reached writes first.
  const names = demoContacts(CONTACTS + 1).map((contact) => contact.name ?? "");
  const account = { workspaceId, channelId: channel.id, channelType: channel.type };
  const items = DEMO_TALKS.toReversed().flatMap((talk) =>
    talk.inbound.map(([minutes, text]) => ({
      account,
      event: {
        kind: "message" as const,
        accountExternalId: channel.externalId,
        externalMessageId: `wamid.${randomBytes(24).toString("base64url")}`,
        from: {
          externalId: demoPhone(talk.contact),
          phone: demoPhone(talk.contact),
          name: names[talk.contact] ?? null,
        },
        occurredAt: new Date(now - minutes * 60_000),
        content: { type: "text", text, attachments: [] },
        opensWindow: true,
      },
    })),
  );
  await receiveEvents(context, items);
}

async function answerTalks(
  owner: Actor,
  context: Context,
  workspaceId: string,
  channel: Channel,
): Promise<void> {
  for (const { contact, reply } of DEMO_TALKS) {
    if (reply === undefined) continue;
    const phone = demoPhone(contact);
    const conversationId = await conversationOfCustomer(context.db, workspaceId, channel.id, phone);
    await answer(owner, context, workspaceId, conversationId, reply);
  }
}

/** Writes a few lines on another channel, received like every customer's. */
async function talkOn(
  owner: Actor,
  context: Context,
  workspaceId: string,
  lines: ReadonlyMap<SandboxType, string>,
  talk: (typeof CHANNEL_TALKS)[number],
  desk: DemoDesk,
): Promise<void> {
  const { type, from, name, texts, reply } = talk;
  let conversationId: string | null = null;
  for (const text of texts)
    conversationId = await desk.say(lines.get(type) ?? "", { from, name, text });
  if (reply !== undefined) await answer(owner, context, workspaceId, conversationId, reply);
}

async function talkOnTheWeb(
  owner: Actor,
  context: Context,
  workspaceId: string,
  channelId: string,
): Promise<void> {
  const { from, name, texts, reply } = WEB_TALK;
  let conversationId: string | null = null;
  for (const text of texts)
    ({ conversationId } = await sayAsVisitor(context, channelId, { from, name, text }));
  await answer(owner, context, workspaceId, conversationId, reply);
}

async function answer(
  owner: Actor,
  context: Context,
  workspaceId: string,
  conversationId: string | null,
  text: string,
): Promise<void> {
  if (conversationId === null) return;
  await acceptMessage(owner, context, workspaceId, { conversationId, text });
}

async function makeCampaign(
  context: Context,
  workspaceId: string,
  channel: Channel,
): Promise<void> {
  const vip = await createSegment(DEMO, context, workspaceId, {
    name: "VIP customers",
    definition: { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] },
  });
  await createSegment(DEMO, context, workspaceId, {
    name: "Arabic speakers",
    definition: {
      match: "all",
      rules: [{ field: "attribute.language", op: "eq", value: "ar" }],
    },
  });
  const templates = await listTemplates(context, workspaceId);
  const offer = templates.find((one) => one.name === "season_offer" && one.language === "en_US");
  if (!offer) return;
  await createBroadcast(DEMO, context, workspaceId, {
    name: "Season offer for VIPs",
    kind: "WHATSAPP_TEMPLATE",
    channelId: channel.id,
    templateId: offer.id,
    variables: { "1": "{{first_name}}" },
    segmentId: vip.id,
  });
}
