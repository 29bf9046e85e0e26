import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ChannelAdapter, InboundEvent } from "../../channels/adapter.ts";
import { CHANNEL_TYPES } from "../../wire/words.ts";
import { acknowledgeEvents } from "../../channels/acknowledge-events.ts";
import { hookCalls } from "../../channels/hook-calls.ts";
import { accountsOfHook, type LoadedAccount } from "../../channels/load-accounts.ts";
import { adapterFor } from "../../channels/registry.ts";
import type { Context } from "../../context.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { BodyRoom } from "./body-room.ts";
import { countCalls, markUnreadable } from "./count-calls.ts";
import { CALL_RULES, MOST_ACCOUNTS, type CallingType } from "./call-rules.ts";
import { storeFailedCall } from "../../messages/receive/store-failed-call.ts";
import { comeAgain, plainAnswer } from "./plain-answer.ts";
import { rawWebhook } from "./raw-webhook.ts";
import { routeEvents } from "./route-events.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

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
 * `/hooks/{channelType}/{channelId}` (contract §3): the address that platforms call. GET answers the handshake.
 * POST checks the signature over the raw bytes before anything is parsed or written, then stores every fact and
 * answers 200. A body is read only when `room` has space for it, the channel exists and the call carries a
 * signature. 404: no such open channel. 401: not signed by the channel's app. 413: longer than the platform's
 * calls are, or it names more accounts than they do. 503: no room, or our database does not answer; the platform
 * sends it again.
 */
export function registerHooks(
  fastify: FastifyInstance,
  context: Context,
  room: BodyRoom = new BodyRoom(),
): void {
  void fastify.register((scope, _options, done) => {
    room.readBodiesOf(scope);
    countCalls(scope, ({ hook, method }) => (method === "POST" && hook ? hook.type : null));
    scope.decorateRequest("hook", null);
    const again = (error: unknown, reply: FastifyReply): FastifyReply => {
      context.log.error(describeForLog(error), "a platform's call must come again");
      return comeAgain(reply);
    };
    const onRequest = async (
      request: FastifyRequest<HookRoute>,
      reply: FastifyReply,
    ): Promise<FastifyReply | undefined> => {
      const type = typeOf(request);
      if (type === null) return plainAnswer(reply, 404, "no such channel");
      const { mostBytes, proof } = CALL_RULES[type];
      // Before the look-up of the channel, because the part of the body that has come is held meanwhile.
      const refusal = room.admit(request, reply, request.params.channelId, mostBytes);
      if (refusal === 413) return plainAnswer(reply, 413, "longer than this platform's calls are");
      if (refusal === 503) return plainAnswer(reply, 503, "too many calls at once");
      try {
        request.hook = await findHook(context, type, request.params.channelId);
      } catch (error) {
        return again(error, reply);
      }
      if (request.hook === null) return plainAnswer(reply, 404, "no such channel");
      const unproven = request.method === "POST" && request.headers[proof] === undefined;
      return unproven ? unsigned(reply) : undefined;
    };
    scope.get<HookRoute>("/hooks/:channelType/:channelId", { onRequest }, async (request, reply) =>
      answerHandshake(context, request, reply),
    );
    scope.post<HookRoute>(
      "/hooks/:channelType/:channelId",
      { onRequest },
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
  readonly type: CallingType;
  readonly adapter: ChannelAdapter;
  readonly account: LoadedAccount;
  /** Every channel with the same account, including this one. */
  readonly sharing: readonly LoadedAccount[];
}

/** Web chat has no platform that could call, and every visitor knows its channel's id. */
function typeOf({ params }: FastifyRequest<HookRoute>): CallingType | null {
  const type = CHANNEL_TYPES.find((one) => one.toLowerCase() === params.channelType);
  return type === undefined || type === "WEB" ? null : type;
}

async function findHook(
  context: Context,
  type: CallingType,
  channelId: string,
): Promise<Hook | null> {
  const { called, sharing } = await accountsOfHook(context, type, channelId);
  return called === null ? null : { type, adapter: adapterFor(type), account: called, sharing };
}

function hookOf(request: FastifyRequest): Hook {
  if (request.hook === null) throw new Error("a platform's route without its channel");
  return request.hook;
}

function answerHandshake(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { adapter, account } = hookOf(request);
  const query = readQuery(request);
  const challenge = adapter.challenge?.(query, account) ?? null;
  if (challenge === null && query["hub.verify_token"] !== undefined)
    hookCalls(context.db).noteWrongToken(account, context.clock.now());
  return challenge === null
    ? plainAnswer(reply, 403, "refused")
    : plainAnswer(reply, 200, challenge);
}

async function takeCall(
  context: Context,
  request: FastifyRequest<HookRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { type, adapter, account, sharing } = hookOf(request);
  const raw = { ...rawWebhook(request, readQuery(request)), receivedAt: context.clock.now() };
  const calls = hookCalls(context.db);
  if (!adapter.verify(raw, account)) {
    calls.noteWrongSignature(account, raw.receivedAt);
    return unsigned(reply);
  }
  calls.noteTaken(account, raw.receivedAt);
  let events: InboundEvent[];
  try {
    events = adapter.parse(raw, account);
  } catch (error) {
    // Signed but not readable: the platform would only send the same bytes again.
    markUnreadable(request);
    await storeFailedCall(context, account, raw.body, error);
    return plainAnswer(reply, 200, "");
  }
  const items = await routeEvents(context, type, { account, sharing }, events);
  if (items === null) {
    const { workspaceId, channelId } = account;
    context.log.warn({ workspaceId, channelId }, "a call names more accounts than a platform does");
    return plainAnswer(reply, 413, `names more than ${MOST_ACCOUNTS} accounts`);
  }
  // One address may serve all numbers of an app.
  for (const item of items) calls.noteTaken(item.account, raw.receivedAt);
  await receiveEvents(context, items);
  await acknowledgeEvents(context, account, events);
  return plainAnswer(reply, 200, "");
}

const unsigned = (reply: FastifyReply): FastifyReply =>
  plainAnswer(reply, 401, "the signature is not right");

/** Meta's names contain dots (`hub.mode`); a name given twice is left out. */
function readQuery(request: FastifyRequest): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(Object(request.query) as Record<string, unknown>))
    if (typeof value === "string") query[name] = value;
  return query;
}
