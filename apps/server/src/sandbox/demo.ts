import type { Context } from "../context.ts";
import {
  deleteDemoWorkspaces,
  hasWorkspaces,
  selectDemoWorkspaces,
  selectSandboxChannels,
} from "./sandbox-store.ts";

/** What a newcomer needs; the password and the key are never shown again. */
export interface DemoFacts {
  readonly workspaceId: string;
  readonly address: string;
  readonly email: string;
  readonly password: string;
  readonly bearer: string;
  /** An open conversation of the sandbox channel. */
  readonly conversationId: string;
  /** Where the verified webhooks can be read; null when no receiver runs here. */
  readonly receiverUrl: string | null;
}

/**
 * Starts the sandbox when there is something for it: an open sandbox channel, or a demo to make (PARLEY_DEMO on, or an
 * empty database and not production). Call it once the HTTP server listens, for the emulator calls back to
 * `publicUrl`. Gives the facts of a demo that was made now, else null. The app's disposal stops the sandbox.
 * The emulator's code is loaded here and nowhere else.
 */
export async function ensureDemo(
  context: Context,
  options: { readonly publicUrl: string },
): Promise<DemoFacts | null> {
  // Sandbox channels of an installation are served by one process: not by one that only answers the API.
  if (context.config.role === "api") return null;
  const wanted = await wantsDemo(context);
  if (!wanted && (await selectSandboxChannels(context.db)).length === 0) return null;
  try {
    return await openSandbox(context, options.publicUrl, wanted);
  } catch (error) {
    // A demo that cannot be made is no reason not to serve; half of one would be in the way of the next attempt.
    context.log.error({ error: String(error) }, "the sandbox could not be started");
    await context.sandbox.close();
    if (wanted) await deleteDemoWorkspaces(context.db);
    return null;
  }
}

/**
 * Removes the demo workspaces with all their rows and makes a new one. For a process beside the server, or without one:
 * a running server takes the new channel and endpoint over within seconds, else the next start does.
 */
export async function resetDemo(
  context: Context,
  options: { readonly publicUrl: string },
): Promise<DemoFacts> {
  const { startSandbox } = await import("./sandbox.ts");
  const { makeDemo, leaveUnserved } = await import("./make-demo.ts");
  const { receiverAddress } = await import("./receiver-endpoint.ts");
  const receiverUrl = await receiverAddress(context);
  await deleteDemoWorkspaces(context.db);
  // Only for the template sync: what is sent later goes to the server's own emulator.
  const sandbox = await startSandbox(context, { ...options, delivery: "manual" });
  try {
    const facts = await makeDemo(context, sandbox, options.publicUrl, leaveUnserved);
    return { ...facts, receiverUrl };
  } finally {
    await sandbox.close();
  }
}

async function wantsDemo(context: Context): Promise<boolean> {
  const { demo } = context.config;
  if (demo === false) return false;
  if (demo === "auto") return !(await hasWorkspaces(context.db));
  return (await selectDemoWorkspaces(context.db)).length === 0;
}

async function openSandbox(
  context: Context,
  publicUrl: string,
  make: boolean,
): Promise<DemoFacts | null> {
  const { startSandbox } = await import("./sandbox.ts");
  const { keepReceiver } = await import("./receiver-endpoint.ts");
  const keeper = context.config.demo === false ? null : await keepReceiver(context);
  const running: { close(): Promise<void> }[] = keeper ? [keeper.receiver] : [];
  context.sandbox.close = async () => {
    context.sandbox.receiverUrl = null;
    for (const part of running.splice(0).toReversed()) await part.close();
  };
  const sandbox = await startSandbox(context, {
    publicUrl,
    onRefresh: async () => keeper?.attach(),
  });
  running.push(sandbox);
  if (!make) return null;
  const { makeDemo } = await import("./make-demo.ts");
  const facts = await makeDemo(context, sandbox, publicUrl);
  await keeper?.attach();
  return facts;
}

/** The lines printed about a new demo: where to go, how to sign in, and a `curl` that works as pasted. */
export function describeDemo(facts: DemoFacts): string {
  const body = JSON.stringify({
    conversationId: facts.conversationId,
    text: "Yes, it is back in stock! أهلاً",
  });
  return [
    "",
    "A demo workspace was made. These are shown once:",
    `  address   ${facts.address}`,
    `  sign in   ${facts.email}  ${facts.password}`,
    `  API key   ${facts.bearer}`,
    "",
    "Reply to a customer of the sandbox WhatsApp number:",
    "",
    // One line, so that it can be pasted, or cut out by a script, as it is.
    `curl -X POST ${facts.address}/api/v1/messages -H 'Authorization: Bearer ${facts.bearer}' -H 'Content-Type: application/json' -d '${body}'`,
    ...(facts.receiverUrl === null
      ? []
      : [
          "",
          "The signed webhooks about it (delivered, read, then the customer's answer) are checked and listed here:",
          "",
          `curl ${facts.receiverUrl}`,
        ]),
    "",
  ].join("\n");
}
