import { seen } from "../core/emulator.ts";
import { effective, type Answer, type Call, type Handled } from "../core/server.ts";
import type { Fault } from "../core/fault.ts";
import type { Bot } from "./bot.ts";
import type { TelegramEmulator } from "./emulator.ts";
import { BotRefusal, refusalAnswer, resultAnswer, tooMany } from "./errors.ts";
import { operationOf, runMethod } from "./methods.ts";
import { Params, readParams } from "./params.ts";
import type { SendOutcome } from "./send.ts";

const METHOD = /^\/bot([^/]+)\/(?:test\/)?([A-Za-z]+)\/?$/;
const FILE = /^\/file\/bot([^/]+)\/(.+)$/;
const TOKEN = /^\d{1,20}:[A-Za-z0-9_-]+$/;

/** Answers one call: `/bot<token>/<method>` by GET or POST, or a file. */
export async function handleBotApi(emulator: TelegramEmulator, call: Call): Promise<Handled> {
  const [, token = "", name = ""] = METHOD.exec(call.path) ?? [];
  const method = name.toLowerCase();
  const outcome: SendOutcome = { fault: null };
  let answer: Answer;
  let asked: Params | null = null;
  try {
    const params = await readParams(call);
    const operation = FILE.test(call.path) ? "download" : operationOf(method);
    outcome.fault = emulator.faults.take(operation, addressOf(params));
    asked = params;
    answer = await route(emulator, call, token, method, params, outcome);
  } catch (error) {
    if (!(error instanceof BotRefusal)) throw error;
    answer = refusalAnswer(error);
  }
  const { fault } = outcome;
  emulator.noteRequest({
    ...seen(emulator, call, answer, fault),
    parameters: asked?.all() ?? {},
    files: asked?.fileFacts() ?? [],
  });
  return { answer, fault };
}

async function route(
  emulator: TelegramEmulator,
  call: Call,
  token: string,
  method: string,
  params: Params,
  outcome: SendOutcome,
): Promise<Answer> {
  const { fault } = outcome;
  if (fault?.kind === "code" && fault.accepted !== true) throw refusalOf(fault);
  if (!effective(fault) && fault?.kind !== "code") return resultAnswer(true);
  const file = FILE.exec(call.path);
  if (file) return download(emulator, file[1] ?? "", file[2] ?? "");
  const bot = authorise(emulator, token);
  const answer = await runMethod(emulator, bot, method, params, outcome);
  if (fault?.kind === "code") throw refusalOf(fault);
  return answer;
}

/** An unknown token of the right shape is Unauthorized; any other is not an address at all. */
function authorise(emulator: TelegramEmulator, token: string): Bot {
  const given = decodeURIComponent(token);
  if (!TOKEN.test(given)) throw new BotRefusal(404);
  const bot = emulator.botByToken(given);
  if (!bot) throw new BotRefusal(401);
  return bot;
}

function download(emulator: TelegramEmulator, token: string, path: string): Answer {
  const file = authorise(emulator, token).fileAt(decodeURI(path), emulator.clock.now());
  if (!file || emulator.options.local === true) throw new BotRefusal(404);
  return { status: 200, headers: { "content-type": "application/octet-stream" }, body: file.bytes };
}

function refusalOf(fault: Fault): BotRefusal {
  const code = fault.code ?? 500;
  if (code === 429) return tooMany(fault.retryAfter ?? 1);
  return new BotRefusal(code, fault.details);
}

function addressOf(params: Params): string | null {
  try {
    const id = params.integer("chat_id");
    return id === null ? null : String(id);
  } catch {
    return null;
  }
}

/** Runs the method that a webhook's answer names; nobody is told its result. */
export async function invoke(emulator: TelegramEmulator, bot: Bot, body: string): Promise<void> {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("method" in parsed)) return;
    const { method, ...rest } = { ...parsed };
    const params = new Params(Object.entries(rest));
    await runMethod(emulator, bot, String(method).toLowerCase(), params, { fault: null });
  } catch {
    // Not JSON, or refused.
  }
}
