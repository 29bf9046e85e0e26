import type { Context } from "../context.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { findEmulatedModel } from "./emulated-model.ts";
import { findRunner } from "./sandbox-keeper.ts";
import { sandboxToken } from "./sandbox-token.ts";

/** The error text of a command that needs a running server. */
export const NO_SANDBOX =
  "no server runs the sandbox: start it with `npm start` and try again in a second";

/** How long a channel that was just added may take to be served. */
const SERVED_WITHIN_MS = 10_000;
/** How long a server may take to notice the first channel to serve. It looks every second. */
const RUNS_WITHIN_MS = 2_000;

/** Longer than a customer's message may take to be stored (`PATIENCE_MS` of line.ts). */
const ANSWER_MS = 20_000;

/** The sandbox in another process, over its HTTP. */
export interface SandboxClient {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the answer's JSON, or null for an empty one. A refusal throws an AppError with the server's words. */
  call(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown>;
}

/** Finds the process that runs the sandbox, for one line. Throws a one-line Error when no server does. */
export async function reachSandbox(
  context: Pick<Context, "db" | "clock" | "sealer" | "providerHttp">,
  lineId: string,
): Promise<SandboxClient> {
  const asked = performance.now();
  let address = await findRunner(context);
  while (address === null && performance.now() - asked < RUNS_WITHIN_MS) {
    await pause();
    address = await findRunner(context);
  }
  if (address === null) throw new Error(NO_SANDBOX);
  const headers = { authorization: `Bearer ${sandboxToken(context, lineId)}` };
  const base = `${address}/sandbox/v1/${lineId}`;
  const once = async (method: "GET" | "POST" | "DELETE", path: string, body?: object) => {
    const response = await context.providerHttp
      .request({
        method,
        url: base + path,
        headers: { ...headers, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        maxResponseBytes: 4 * 1024 * 1024,
        timeoutMs: ANSWER_MS,
      })
      .catch(() => {
        throw new Error(NO_SANDBOX);
      });
    const text = response.body.toString("utf8");
    const answer: unknown = text === "" ? null : JSON.parse(text);
    return { status: response.status, answer };
  };
  return {
    address: base,
    headers,
    async call(method, path, body) {
      const begun = performance.now();
      let got = await once(method, path, body);
      // 503 means that the channel was added a moment ago.
      while (got.status === 503 && performance.now() - begun < SERVED_WITHIN_MS) {
        await pause();
        got = await once(method, path, body);
      }
      if (got.status < 400) return got.answer;
      throw refusalOf(got.answer);
    },
  };
}

/**
 * Waits until the sandbox serves a line that was just added: its SMS account is verified, its templates are there.
 * Returns without an error when no server runs the sandbox, or when it takes too long. The line is served as soon as a
 * server runs.
 */
export async function awaitServed(
  context: Parameters<typeof reachSandbox>[0],
  lineId: string,
): Promise<void> {
  try {
    await (await reachSandbox(context, lineId)).call("GET", "/faults");
  } catch {
    // The line is stored; the caller only asked to wait.
  }
}

/** Address and key of the emulated model, as soon as it runs. Throws a one-line Error when no server runs the sandbox. */
export async function awaitEmulatedModel(
  context: Parameters<typeof findEmulatedModel>[0] & Pick<Context, "clock">,
): Promise<{ readonly url: string; readonly key: string }> {
  const asked = performance.now();
  for (;;) {
    const running = (await findRunner(context)) !== null;
    const found = running ? await findEmulatedModel(context) : null;
    if (found) return found;
    if (performance.now() - asked > RUNS_WITHIN_MS)
      throw new Error(running ? NO_SANDBOX : `${NO_SANDBOX}; it runs where a sandbox channel is`);
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

function refusalOf(answer: unknown): Error {
  const body = Object(answer) as { message?: unknown; details?: unknown };
  const code = typeof body.message === "string" ? body.message : "INTERNAL";
  if (code === "OVERLOADED") return new Error(NO_SANDBOX);
  const details = Array.isArray(body.details) ? body.details : undefined;
  return new AppError(code as ErrorCode, details ? { details } : {});
}
