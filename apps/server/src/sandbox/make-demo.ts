import { randomBytes } from "node:crypto";
import { createKey } from "../api-keys/create-key.ts";
import { createBroadcast } from "../broadcasts/create-broadcast.ts";
import type { Channel } from "../channels/channel.ts";
import { updateCredentials } from "../channels/update-credentials.ts";
import { createContact } from "../contacts/create-contact.ts";
import type { Context } from "../context.ts";
import { acceptMessage } from "../messages/accept-message.ts";
import { receiveEvents } from "../messages/receive-events.ts";
import { createSegment } from "../segments/create-segment.ts";
import { listTemplates } from "../templates/list-templates.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { createMember } from "../workspaces/create-member.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { addSandboxChannel, NOWHERE } from "./add-sandbox-channel.ts";
import { DEMO_TALKS, demoContacts, demoPhone } from "./demo-data.ts";
import type { DemoFacts } from "./demo.ts";
import { receiverContext, RECEIVER_NOWHERE } from "./receiver-endpoint.ts";
import { selectConversation } from "./sandbox-store.ts";
import type { Sandbox } from "./sandbox.ts";

const CONTACTS = 200;

/** Makes the demo workspace through the same operations as everything else, and gives what is printed about it. */
export async function makeDemo(
  context: Context,
  sandbox: Sandbox,
  publicUrl: string,
  /** Runs once the templates are read, before anything is to be sent. */
  afterSync?: (context: Context, channel: Channel) => Promise<void>,
): Promise<DemoFacts> {
  const workspace = await createWorkspace(context, {
    name: "Parley demo",
    plan: "starter",
    actor: "demo",
  });
  const password = randomBytes(9).toString("base64url");
  const owner = await createMember(context, workspace.id, {
    email: "owner@demo.example",
    name: "Demo Owner",
    role: "owner",
    password,
    actor: "demo",
  });
  const key = await createKey(context, workspace.id, { name: "Demo key" });
  const channel = await addSandboxChannel(context, workspace.id, { type: "WHATSAPP" });
  await sandbox.refresh();
  await syncTemplates(context, workspace.id, channel.id);
  await afterSync?.(context, channel);
  await Promise.all(
    demoContacts(CONTACTS).map((contact) => createContact(context, workspace.id, contact)),
  );
  await makeTalks(context, workspace.id, channel, sandbox);
  await makeCampaign(context, workspace.id, channel);
  if (context.config.demo !== false)
    await createEndpoint(receiverContext(context), workspace.id, {
      url: RECEIVER_NOWHERE,
      events: ["message.status", "message.received", "message.created", "broadcast.status"],
    });
  const conversationId =
    (await selectConversation(context.db, workspace.id, channel.id, demoPhone(0))) ?? "";
  return {
    workspaceId: workspace.id,
    address: publicUrl,
    email: owner.email,
    password,
    bearer: key.bearer,
    conversationId,
    receiverUrl: context.sandbox.receiverUrl,
  };
}

/** Takes the channel off this process's emulator, which is about to stop, so that the server's takes it over. */
export async function leaveUnserved(context: Context, channel: Channel): Promise<void> {
  await updateCredentials(context, channel.workspaceId, channel.id, { apiUrl: NOWHERE });
}

async function makeTalks(
  context: Context,
  workspaceId: string,
  channel: Channel,
  sandbox: Sandbox,
): Promise<void> {
  const now = context.clock.now().getTime();
  const names = demoContacts(CONTACTS).map((contact) => contact.name ?? "");
  const account = { workspaceId, channelId: channel.id, channelType: channel.type };
  const items = DEMO_TALKS.flatMap((talk) =>
    talk.inbound.map(([minutes, text]) => ({
      account,
      event: {
        kind: "message" as const,
        accountExternalId: channel.externalId,
        externalMessageId: sandbox.emulator.newMessageId(demoPhone(talk.contact)),
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
  for (const { contact, reply } of DEMO_TALKS) {
    if (reply === undefined) continue;
    const phone = demoPhone(contact);
    const conversationId = await selectConversation(context.db, workspaceId, channel.id, phone);
    if (conversationId !== null)
      await acceptMessage(context, workspaceId, {
        conversationId,
        text: reply,
        source: "dashboard",
      });
  }
}

async function makeCampaign(
  context: Context,
  workspaceId: string,
  channel: Channel,
): Promise<void> {
  const vip = await createSegment(context, workspaceId, {
    name: "VIP customers",
    definition: { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] },
  });
  await createSegment(context, workspaceId, {
    name: "Arabic speakers",
    definition: {
      match: "all",
      rules: [{ field: "attribute.language", op: "eq", value: "ar" }],
    },
  });
  const templates = await listTemplates(context, workspaceId);
  const offer = templates.find((one) => one.name === "season_offer" && one.language === "en_US");
  if (!offer) return;
  await createBroadcast(context, workspaceId, {
    name: "Season offer for VIPs",
    kind: "WHATSAPP_TEMPLATE",
    channelId: channel.id,
    templateId: offer.id,
    variables: { "1": "{{first_name}}" },
    segmentId: vip.id,
  });
}
