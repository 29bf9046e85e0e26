import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import {
  admitVisitor,
  findChatChannel,
  maxFileBytes,
  type Guest,
} from "../../chat/chat-channel.ts";
import { placeOfFiles, countChatCall, type CHAT_LIMITS } from "../../chat/chat-limits.ts";
import { uploadChatFile } from "../../chat/chat-uploads.ts";
import { endVisitor } from "../../chat/end-visitor.ts";
import { receiveReceipts } from "../../chat/receive-receipts.ts";
import { publishVisitorTyping } from "../../chat/publish-typing.ts";
import { openSession } from "../../chat/open-session.ts";
import { readCursor } from "../../chat/read-thread.ts";
import { externalIdOf } from "../../chat/visitor-token.ts";
import { introduceVisitor } from "../../chat/introduce-visitor.ts";
import { writeMessage } from "../../chat/write-message.ts";
import type { LoadedAccount } from "../../channels/load-accounts.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid, tooLarge } from "../../errors.ts";
import { bearerOf } from "../edge/bearer.ts";
import { answerWithStream, endAtStop } from "../edge/live-stream.ts";
import { bytesOf, isJson, bufferBytes } from "../edge/read-body.ts";
import { readJson } from "../../read-json.ts";
import { queryOf } from "../edge/read-query.ts";
import { bodyCheck, faultless } from "../edge/validation.ts";
import { allowRequests, checkOrigin, letAnyPageRead } from "./cors.ts";
import { MessageBody, ProfileBody, ReceiptsBody, SessionBody, TypingBody } from "./shapes.ts";
import { HUB_LIMITS, StreamHub, type HubLimits } from "./stream-hub.ts";

const BODY_LIMIT = 64 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** Set on chat routes once the origin is allowed. */
    chat: LoadedAccount | null;
    /** On chat routes: the address of the client. */
    cameFrom: string;
  }
}

/**
 * `/chat/v1/{channelId}/…`: the transport of the widget (docs/web-chat.md). Order of checks: channel, origin, token,
 * rate, body. Gives the hub of this process's streams.
 */
export function registerChat(
  fastify: FastifyInstance,
  context: Context,
  limits: HubLimits = HUB_LIMITS,
): StreamHub {
  const hub = new StreamHub(context, limits);
  endAtStop(fastify, () => hub.close());
  fastify.decorateRequest("chat", null);
  fastify.decorateRequest("cameFrom", "");
  fastify.addHook("onRequest", (request, reply) => admitPage(context, request, reply));
  // Refused before the origin was checked: the window must read how long to wait.
  fastify.addHook("onError", (_request, reply, error, done) => {
    const early = error instanceof AppError && error.code === "OVERLOADED";
    if (early && !reply.hasHeader("access-control-allow-origin")) {
      letAnyPageRead(reply);
      reply.header("access-control-expose-headers", "retry-after");
    }
    done();
  });
  bufferBytes(fastify);
  fastify.addHook("onRoute", (route) => void (route.bodyLimit ??= BODY_LIMIT));
  fastify.options("/chat/v1/:channelId/*", async (_request, reply) => {
    allowRequests(reply);
    return reply.code(204).send();
  });
  registerCalls(fastify, context);
  fastify.get("/chat/v1/:channelId/stream", async (request, reply) => {
    const guest = await admit(context, request, "stream");
    openStream(hub, guest, request, reply);
  });
  void fastify.register((files, _options, done) => {
    registerFiles(files, context);
    done();
  });
  return hub;
}

/** Finds the channel and checks the origin. */
async function admitPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header("cache-control", "no-store");
  // Read before anything is awaited: a connection that was cut no longer has an address.
  const address: string | undefined = request.ip;
  request.cameFrom = address ?? "";
  const { channelId = "" } = request.params as { channelId?: string };
  const account = await findChatChannel(context, channelId).catch((error: unknown) => {
    letAnyPageRead(reply);
    // The browser asks this first. If it is refused here, the page never sees the 404.
    if (request.method === "OPTIONS" && error instanceof AppError) return null;
    throw error;
  });
  if (account === null) return;
  checkOrigin(context.config, account, request, reply);
  request.chat = account;
}

/** The calls with a JSON body. */
function registerCalls(fastify: FastifyInstance, context: Context): void {
  const readSession = bodyReader(SessionBody);
  fastify.post("/chat/v1/:channelId/session", async (request) => {
    const body = readSession(request);
    const locale = body.locale ?? request.headers["accept-language"];
    return openSession(
      context,
      accountOf(request),
      { ...body, ...(locale && { locale }) },
      request.cameFrom,
    );
  });
  const readMessage = bodyReader(MessageBody);
  fastify.post("/chat/v1/:channelId/messages", async (request, reply) => {
    const guest = await admit(context, request, "message");
    const { message, created } = await writeMessage(context, guest, readMessage(request));
    void reply.code(created ? 201 : 200);
    return message;
  });
  const readReceipts = bodyReader(ReceiptsBody);
  fastify.post("/chat/v1/:channelId/receipts", async (request, reply) => {
    const guest = await admit(context, request, "receipt");
    await receiveReceipts(context, guest, readReceipts(request));
    return reply.code(204).send();
  });
  const readTyping = bodyReader(TypingBody);
  fastify.post("/chat/v1/:channelId/typing", async (request, reply) => {
    const guest = await admit(context, request, "typing");
    await publishVisitorTyping(context, guest, readTyping(request).active);
    return reply.code(204).send();
  });
  const readProfile = bodyReader(ProfileBody);
  fastify.post("/chat/v1/:channelId/profile", async (request, reply) => {
    const guest = await admit(context, request, "profile");
    await introduceVisitor(context, guest, readProfile(request));
    return reply.code(204).send();
  });
  fastify.post("/chat/v1/:channelId/logout", async (request, reply) => {
    await endVisitor(context, await admit(context, request, null));
    return reply.code(204).send();
  });
}

/** The bytes of a file are passed on as they come, so a file is never whole in memory. */
function registerFiles(fastify: FastifyInstance, context: Context): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload));
  fastify.post(
    "/chat/v1/:channelId/files",
    { bodyLimit: Number.MAX_SAFE_INTEGER, config: { slowBody: true } },
    async (request, reply) => {
      const guest = await admit(context, request, "file");
      // After the visitor's own limit: a browser that sends too much must not lock out everybody at its address.
      const place = placeOfFiles(context, guest.visitor.channelId, request.cameFrom);
      await countChatCall(context, "filesByAddress", place);
      void reply.code(201);
      return uploadChatFile(context, guest, readFile(guest, request));
    },
  );
}

function accountOf(request: FastifyRequest): LoadedAccount {
  if (request.chat === null) throw new Error("a chat route without its channel");
  return request.chat;
}

async function admit(
  context: Context,
  request: FastifyRequest,
  limit: keyof typeof CHAT_LIMITS | null,
): Promise<Guest> {
  const guest = await admitVisitor(context, accountOf(request), bearerOf(request));
  const { channelId, visitorId } = guest.visitor;
  if (limit !== null) await countChatCall(context, limit, channelId, visitorId);
  return guest;
}

/**
 * A JSON object; an empty body reads as an empty one. The schema was checked, so its members have the types it
 * names.
 */
function bodyReader<S extends TObject>(schema: S): (request: FastifyRequest) => Static<S> {
  const check = bodyCheck(schema);
  return (request) => {
    const type = request.headers["content-type"];
    if (type !== undefined && !isJson(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
    const bytes = bytesOf(request);
    return faultless(check(bytes.length === 0 ? {} : readJson(bytes))) as Static<S>;
  };
}

function openStream(
  hub: StreamHub,
  { account, visitor }: Guest,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { values } = queryOf(request);
  const after = readCursor(values.get("after") ?? "0");
  if (after === null) throw invalid("after", "must be a cursor as it was given");
  hub.admit();
  const { workspaceId, channelId } = account;
  const { visitorId } = visitor;
  const owner = { workspaceId, channelId, visitorId, externalId: externalIdOf(visitor) };
  hub.add(owner, after, answerWithStream(request, reply));
}

function readFile(
  { account }: Guest,
  request: FastifyRequest,
): { fileName: string; mimeType: string; body: AsyncIterable<Uint8Array> } {
  const { values } = queryOf(request);
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > maxFileBytes(account)) throw tooLarge(maxFileBytes(account), "the file");
  const body = request.body instanceof Readable ? request.body : Readable.from([]);
  const mimeType = request.headers["content-type"] ?? "application/octet-stream";
  return { fileName: values.get("name") ?? "", mimeType, body };
}
