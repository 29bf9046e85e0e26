import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { receiveSmsReport } from "../../otp/receive-sms-report.ts";
import { smsAccountById } from "../../sms/find-provider.ts";
import type { SmsAccount } from "../../sms/provider.ts";
import { smsProviderFor } from "../../sms/registry.ts";
import { BodyRoom } from "./body-room.ts";
import { countCalls } from "./count-calls.ts";
import { comeAgain, plainAnswer } from "./plain-answer.ts";
import { rawWebhook } from "./raw-webhook.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

/** Gateways report one message, or a list of a few hundred receipts, and document no size. */
const BODY_LIMIT = 256 * 1024;

interface SmsHookRoute {
  Params: { providerId: string };
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set on the gateways' route once the account is found. */
    smsAccount: SmsAccount | null;
  }
}

/**
 * `/hooks/sms/{providerId}` (contract §3): delivery receipts and inbound SMS of the workspace's gateway. The
 * signature, or the token, is checked over PARLEY_PUBLIC_URL and the path and query as called, before anything is
 * read. The account is looked up before the body comes. 404: no such account, 401: not signed by it, 413: longer
 * than 256 KiB, 503: send it again.
 */
export function registerSmsHooks(
  fastify: FastifyInstance,
  context: Context,
  room: BodyRoom = new BodyRoom(),
): void {
  void fastify.register((scope, _options, done) => {
    room.readBodiesOf(scope);
    countCalls(scope, () => "SMS");
    scope.decorateRequest("smsAccount", null);
    const again = (error: unknown, request: FastifyRequest<SmsHookRoute>, reply: FastifyReply) => {
      const { providerId } = request.params;
      context.log.error(
        { ...describeForLog(error), providerId },
        "a gateway's call must come again",
      );
      return comeAgain(reply);
    };
    scope.route<SmsHookRoute>({
      // Some gateways report in the query of a GET.
      method: ["GET", "POST"],
      url: "/hooks/sms/:providerId",
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const refusal = room.admit(request, reply, request.params.providerId, BODY_LIMIT);
        if (refusal === 413) return plainAnswer(reply, 413, "longer than a gateway's calls are");
        if (refusal === 503) return plainAnswer(reply, 503, "too many calls at once");
        try {
          request.smsAccount = await smsAccountById(context, request.params.providerId);
        } catch (error) {
          return again(error, request, reply);
        }
        return request.smsAccount === null
          ? plainAnswer(reply, 404, "no such SMS account")
          : undefined;
      },
      handler: async (request, reply) => {
        try {
          return await takeCall(context, request, reply);
        } catch (error) {
          return again(error, request, reply);
        }
      },
    });
    done();
  });
}

async function takeCall(
  context: Context,
  request: FastifyRequest<SmsHookRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const account = request.smsAccount;
  if (account === null) throw new Error("a gateway's route without its account");
  const provider = smsProviderFor(account.provider);
  const raw = rawWebhook(request, readQuery(request));
  if (!provider.verify(raw, `${context.config.publicUrl}${request.url}`, account)) {
    return plainAnswer(reply, 401, "the signature is not right");
  }
  const { receipts, inbound } = provider.parse(raw, account);
  await receiveSmsReport(context, account, { receipts, inbound });
  // Twilio reads this as "nothing to say".
  return reply.code(200).type("text/xml; charset=utf-8").send("<Response/>");
}

/** The last value of a repeated parameter counts; the server's own parser would give a list. */
function readQuery({ url }: FastifyRequest): Record<string, string> {
  const at = url.indexOf("?");
  return Object.fromEntries(new URLSearchParams(at < 0 ? "" : url.slice(at + 1)));
}
