import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawWebhook } from "../../channels/adapter.ts";
import { findContactIdsByPhone } from "../../contacts/find-by-phone.ts";
import { setConsent } from "../../contacts/set-consent.ts";
import { consentWord } from "../../contacts/stop-words.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { settleMessages } from "../../messages/settle-messages.ts";
import { settleOtpReceipts } from "../../otp/settle-receipts.ts";
import { smsAccountById } from "../../sms/find-provider.ts";
import type { InboundSms, SmsAccount, SmsReceipt } from "../../sms/provider.ts";
import { smsProviderFor } from "../../sms/registry.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";

const BODY_LIMIT = 256 * 1024;

interface SmsHookRoute {
  Params: { providerId: string };
}

/**
 * `/hooks/sms/{providerId}` (contract §3): delivery receipts and inbound SMS of the workspace's gateway. The signature
 * is checked over PARLEY_PUBLIC_URL and the path and query as called, before anything is read. 404: no such account,
 * 401: not signed by it, 503: come again.
 */
export function registerSmsHooks(fastify: FastifyInstance, context: Context): void {
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: BODY_LIMIT },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.post<SmsHookRoute>(
      "/hooks/sms/:providerId",
      { bodyLimit: BODY_LIMIT },
      async (request, reply) => {
        try {
          return await takeCall(context, request, reply);
        } catch (error) {
          const { providerId } = request.params;
          context.log.error(
            { error: String(error), providerId },
            "a gateway's call must come again",
          );
          return answer(reply.header("retry-after", "10"), 503, "try again later");
        }
      },
    );
    done();
  });
}

async function takeCall(
  context: Context,
  request: FastifyRequest<SmsHookRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const account = await smsAccountById(context, request.params.providerId);
  if (!account) return answer(reply, 404, "no such SMS account");
  const provider = smsProviderFor(account.provider);
  const raw = readRaw(request);
  if (!provider.verify(raw, `${context.config.publicUrl}${request.url}`, account)) {
    return answer(reply, 401, "the signature is not right");
  }
  const { receipts, inbound } = provider.parse(raw);
  if (receipts.length > 0 || inbound.length > 0) {
    await context.db.transaction(async (tx) => {
      const events = await settleReceipts(context, tx, account, receipts);
      for (const one of inbound) events.push(...(await applyConsent(context, tx, account, one)));
      await emitEvents(context, tx, events);
    });
  }
  // What Twilio takes for "nothing to say".
  return reply.code(200).type("text/xml; charset=utf-8").send("<Response/>");
}

/** A receipt is about a passcode or about a campaign's message. */
async function settleReceipts(
  context: Context,
  tx: Tx,
  account: SmsAccount,
  receipts: readonly SmsReceipt[],
): Promise<NewEvent[]> {
  const { events, others } = await settleOtpReceipts(context, tx, account, receipts);
  const settlements = others.map((receipt) => ({
    workspaceId: account.workspaceId,
    messageId: receipt.correlationId,
    channelId: null,
    providerMessageId: receipt.externalMessageId,
    status: receipt.status,
    at: receipt.occurredAt ?? context.clock.now(),
    errorCode: receipt.errorCode,
    errorMessage: receipt.errorDetail ?? receipt.smsCode,
    ...(receipt.scope && { scope: receipt.scope }),
  }));
  return [...events, ...(await settleMessages(context, tx, settlements))];
}

/** There is no SMS inbox; a stop word counts all the same, for every contact with that number. */
async function applyConsent(
  context: Context,
  tx: Tx,
  account: SmsAccount,
  inbound: InboundSms,
): Promise<NewEvent[]> {
  const word = consentWord(inbound.text);
  if (word === null) return [];
  const { workspaceId } = account;
  const contacts = await findContactIdsByPhone(tx, workspaceId, inbound.from);
  const at = context.clock.now();
  return setConsent(
    context,
    tx,
    contacts.map((contactId) => ({
      workspaceId,
      contactId,
      optedOut: word === "stop",
      source: "stop_word",
      at,
    })),
  );
}

function readRaw(request: FastifyRequest): RawWebhook {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  // From the address itself: the server's own query parser is switched off.
  const at = request.url.indexOf("?");
  const query = Object.fromEntries(new URLSearchParams(at < 0 ? "" : request.url.slice(at + 1)));
  return { body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0), headers, query };
}

function answer(reply: FastifyReply, status: number, words: string): FastifyReply {
  return reply
    .code(status)
    .headers({ "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" })
    .send(words);
}
