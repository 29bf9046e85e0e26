import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CHANNEL_TYPES, type ChannelAdapter, type InboundEvent } from "../../channels/adapter.ts";
import { acknowledgeEvents } from "../../channels/acknowledge-events.ts";
import { accountsOfHook, type LoadedAccount } from "../../channels/load-accounts.ts";
import { adapterFor } from "../../channels/registry.ts";
import type { Context } from "../../context.ts";
import { receiveEvents } from "../../messages/receive-events.ts";
import { keepCall } from "./keep-call.ts";
import { rawWebhook } from "./raw-webhook.ts";
import { routeEvents } from "./route-events.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

/** Meta batches up to 3 MB (channels.md §11 point 10). */
const BODY_LIMIT = 4 * 1024 * 1024;

interface HookRoute {
  Params: { channelType: string; channelId: string };
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set on the routes of platforms once the channel is found. */
    hook: Hook | null;
  }
}

/**
 * `/hooks/{channelType}/{channelId}` (contract §3): where platforms call in. GET answers the handshake. POST checks the
 * signature over the raw bytes before anything is parsed or written, then takes every fact in and answers 200. The
 * channel is looked for before the body is read: nobody without its address has us hold 4 MB.
 * 404: no such open channel. 401: not signed by the channel's app. 503: our database does not answer, so that the
 * platform sends it again.
 */
export function registerHooks(fastify: FastifyInstance, context: Context): void {
  void fastify.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: BODY_LIMIT },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.decorateRequest("hook", null);
    const again = (error: unknown, reply: FastifyReply): FastifyReply => {
      context.log.error(describeForLog(error), "a platform's call must come again");
      return plain(reply.header("retry-after", "10"), 503, "try again later");
    };
    const onRequest = async (
      request: FastifyRequest<HookRoute>,
      reply: FastifyReply,
    ): Promise<FastifyReply | undefined> => {
      try {
        request.hook = await findHook(context, request);
      } catch (error) {
        return again(error, reply);
      }
      return request.hook === null ? plain(reply, 404, "no such channel") : undefined;
    };
    scope.get<HookRoute>("/hooks/:channelType/:channelId", { onRequest }, async (request, reply) =>
      answerHandshake(request, reply),
    );
    scope.post<HookRoute>(
      "/hooks/:channelType/:channelId",
      { bodyLimit: BODY_LIMIT, onRequest },
      async (request, reply) => {
        try {
          return await takeCall(context, request, reply);
        } catch (error) {
          return again(error, reply);
        }
      },
    );
    done();
  });
}

interface Hook {
  readonly adapter: ChannelAdapter;
  readonly account: LoadedAccount;
  /** Every channel that holds the same account, this one among them. */
  readonly sharing: readonly LoadedAccount[];
}

async function findHook(
  context: Context,
  request: FastifyRequest<HookRoute>,
): Promise<Hook | null> {
  const { channelType, channelId } = request.params;
  // Web chat has no platform that could call, and every visitor knows its channel's id.
  const type = CHANNEL_TYPES.find((one) => one !== "WEB" && one.toLowerCase() === channelType);
  const adapter = type === undefined ? null : adapterFor(type);
  if (adapter === null) return null;
  const { called, sharing } = await accountsOfHook(context, adapter.type, channelId);
  return called === null ? null : { adapter, account: called, sharing };
}

function hookOf(request: FastifyRequest): Hook {
  if (request.hook === null) throw new Error("a platform's route without its channel");
  return request.hook;
}

function answerHandshake(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { adapter, account } = hookOf(request);
  const challenge = adapter.challenge?.(readQuery(request), account) ?? null;
  return challenge === null ? plain(reply, 403, "refused") : plain(reply, 200, challenge);
}

async function takeCall(
  context: Context,
  request: FastifyRequest<HookRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { adapter, account, sharing } = hookOf(request);
  const raw = { ...rawWebhook(request, readQuery(request)), receivedAt: context.clock.now() };
  if (!adapter.verify(raw, account)) return plain(reply, 401, "the signature is not right");
  let events: InboundEvent[];
  try {
    events = adapter.parse(raw, account);
  } catch (error) {
    // Signed but not readable: the platform would only send the same bytes again.
    await keepCall(context, account, raw.body, error);
    return plain(reply, 200, "ok");
  }
  await receiveEvents(
    context,
    await routeEvents(context, adapter, raw, { account, sharing }, events),
  );
  await acknowledgeEvents(context, account, events);
  return plain(reply, 200, "ok");
}

/** Meta's names have dots in them (`hub.mode`); a name given twice is left out. */
function readQuery(request: FastifyRequest): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(Object(request.query) as Record<string, unknown>))
    if (typeof value === "string") query[name] = value;
  return query;
}

/** Text that no browser takes for a page: the challenge is the caller's own words. */
function plain(reply: FastifyReply, status: number, words: string): FastifyReply {
  return reply
    .code(status)
    .header("content-type", "text/plain; charset=utf-8")
    .header("x-content-type-options", "nosniff")
    .send(words);
}
