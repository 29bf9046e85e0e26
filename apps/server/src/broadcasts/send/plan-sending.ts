import type {
  ChannelAccount,
  OutboundMessage,
  SendOutcome,
  TemplateContent,
} from "../../channels/adapter.ts";
import type { Context } from "../../context.ts";
import { openChannels, openGateway } from "../../sending/call-provider.ts";
import { awaitTurn } from "../../sms/gateway-turns.ts";
import type { SmsAccount } from "../../sms/provider.ts";
import { smsProviderFor } from "../../sms/registry.ts";
import { countSegments } from "../../sms/segments.ts";
import { findTemplate } from "../../templates/list-templates.ts";
import {
  templateContent,
  templateFaults,
  type FilledParts,
  type StoredTemplate,
} from "../../templates/template.ts";
import { filledBody } from "../../templates/template-needs.ts";
import type { ChannelType } from "../../wire/words.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { armsOf } from "../audience/split.ts";
import type { HeaderRef } from "../text/header-store.ts";
import { findHeaderMedia } from "../text/header-media.ts";
import type { Rendered } from "../text/rendering.ts";

/** What one recipient gets, in the forms that the provider and the inbox use. */
export interface Filled {
  readonly outbound: OutboundMessage["content"];
  /** What the inbox shows: a template's body filled in. */
  readonly text: string;
  readonly template: TemplateContent | null;
  /** SMS: the parts of the text as the gateway is sent it, a credit each. */
  readonly parts?: number;
}

/** The file of a header, which must be at the platform before a message names it. */
export interface HeaderFile {
  /** The campaign as one variant has it. */
  readonly broadcast: Broadcast;
  readonly account: ChannelAccount;
}

/** How a campaign sends now: through what, and which texts. Read again for every batch. */
export interface SendPlan {
  /**
   * `variant`: the index of the recipient's, in a campaign that has variants. `header`: the file at the platform; without
   * it the words are the same, and the message cannot be sent.
   */
  fill(content: Rendered, variant: number | null, header?: HeaderRef | null): Filled;
  readonly channelType: ChannelType | "SMS";
  /** Since when the channel has the secrets with which it sends. */
  readonly secretsSince: Date | null;
  /** One call to the provider. Never throws, whatever the provider does. */
  readonly send: (message: OutboundMessage) => Promise<SendOutcome>;
  /** Messages a minute that the gateway accepts, if it blocks faster senders. */
  readonly most?: number;
  /** The gateway account of an SMS campaign. */
  readonly sms?: SmsAccount;
  /** By variant: the file of its header, if it has one. */
  readonly headers?: readonly (HeaderFile | null)[];
  /** The header's file at the platform, if the recipient's template has one. Set by `uploadHeaders`. */
  readonly headerOf?: (variant: number | null) => HeaderRef | null;
}

/** Why it cannot send. `gone`: permanently, so a campaign that waits for its audience fails; else it pauses. */
export interface NoPlan {
  readonly stop: string;
  readonly gone: boolean;
}

/**
 * How a campaign sends now, with all its variants through the same account. When one of them cannot be sent, the
 * campaign is not sent, because the remaining recipients would no longer be a fair comparison. It makes no call: the
 * files of headers are uploaded by `uploadHeaders`, before the calls.
 */
export async function planBroadcast(
  context: Context,
  broadcast: Broadcast,
): Promise<SendPlan | NoPlan> {
  const plans: SendPlan[] = [];
  for (const arm of armsOf(broadcast)) {
    const plan = await planArm(context, arm);
    if ("stop" in plan) return plan;
    plans.push(plan);
  }
  const [lead, ...others] = plans;
  if (lead === undefined) throw new Error("a campaign has at least one variant");
  if (others.length === 0) return lead;
  return {
    ...lead,
    fill: (content, variant, header) =>
      (plans[variant ?? 0] ?? lead).fill(content, variant, header),
    headers: plans.flatMap((plan) => plan.headers ?? [null]),
  };
}

/** The same for one variant. */
async function planArm(context: Context, broadcast: Broadcast): Promise<SendPlan | NoPlan> {
  const { workspaceId, channelId } = broadcast;
  if (channelId === null) return planSms(context, workspaceId);
  const channel = (await openChannels(context, [{ workspaceId, channelId }]))(channelId);
  if ("code" in channel) return { stop: channel.code, gone: channel.gone };
  const { account, send } = channel;
  const way = { send, channelType: account.type, secretsSince: account.secretsSince };
  if (broadcast.kind !== "WHATSAPP_TEMPLATE") return { ...way, fill: fillText };
  const template = await findTemplate(context.db, workspaceId, broadcast.templateId ?? "");
  if (template?.status !== "APPROVED") return { stop: "TEMPLATE_NOT_APPROVED", gone: true };
  const media = await findHeaderMedia(context, broadcast);
  const [fault] = templateFaults(template, {
    body: broadcast.variables.length,
    header: broadcast.headerText === null ? (media?.kind ?? null) : "text",
    buttons: broadcast.buttonTexts.map((button) => button.index),
  });
  if (fault) return { stop: `TEMPLATE_CHANGED: ${fault.path} ${fault.message}`, gone: true };
  const fileName = media?.fileName ?? "file";
  return {
    ...way,
    fill: (content, _variant, header) =>
      fillTemplate(template, content, header ? { id: header.ref, fileName } : null),
    headers: [media && { broadcast, account }],
  };
}

/** Through the workspace's own gateway, which must have been verified with a test send. */
async function planSms(context: Context, workspaceId: string): Promise<SendPlan | NoPlan> {
  const gateway = await openGateway(context, workspaceId);
  if (gateway === null) return { stop: "SMS_PROVIDER_NOT_VERIFIED", gone: true };
  const { account } = gateway;
  const provider = smsProviderFor(account.provider);
  const segmentsOf = (text: string) => countSegments(provider.clean?.(text) ?? text);
  return {
    fill(content) {
      const filled = fillText(content);
      return { ...filled, parts: segmentsOf(filled.text).segments };
    },
    channelType: "SMS",
    secretsSince: null,
    sms: account,
    // As a pace and not only by waiting: a claimed recipient waits in line and would be sent to after a pause too.
    ...(provider.gapMs !== undefined && { most: Math.floor(60_000 / provider.gapMs) }),
    send: async ({ id, to, content }) => {
      await awaitTurn(account.providerId, provider.gapMs);
      const text = content.kind === "text" ? content.text : "";
      const lang = segmentsOf(text).encoding === "UCS-2" ? "A" : "E";
      return gateway.send({ id, to, text, lang });
    },
  };
}

function fillText(content: Rendered): Filled {
  const text = "text" in content ? content.text : "";
  return { outbound: { kind: "text", text }, text, template: null };
}

function fillTemplate(
  stored: StoredTemplate,
  content: Rendered,
  headerMedia: FilledParts["headerMedia"],
): Filled {
  const none = { parameters: [], headerText: null, buttons: [] };
  const { parameters, headerText, buttons } = "parameters" in content ? content : none;
  const template = templateContent(stored, { body: parameters, headerText, headerMedia, buttons });
  const text = filledBody(stored.components, parameters);
  return { outbound: { kind: "template", template }, text, template };
}
