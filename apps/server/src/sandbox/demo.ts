import { DEMO } from "../actor.ts";
import type { Context } from "../context.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { hasWorkspaces } from "../workspaces/find-workspace.ts";
import { findRunner, startSandboxKeeper, type SandboxKeeper } from "./sandbox-keeper.ts";
import { deleteWorkspaceRows } from "../removal/delete-workspace.ts";
import { workspacesMadeBy } from "../workspaces/list-audit.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { lockDemo } from "./sandbox-store.ts";

/** What a newcomer needs to know. The password and the key are never shown again. */
export interface DemoFacts {
  readonly workspaceId: string;
  readonly address: string;
  readonly email: string;
  readonly password: string;
  readonly bearer: string;
  /** An open conversation of the sandbox channel. */
  readonly conversationId: string;
  /** The page on which the reader can be a visitor of the web chat. */
  readonly tryPage: string;
  /** The address at which the verified webhooks can be read; null when no receiver runs here. */
  readonly receiverUrl: string | null;
}

/**
 * Starts the sandbox, and makes the demo when one is wanted (PARLEY_DEMO on, or an empty database of our own and not
 * production). Of processes that start at once only one makes it. Call it once the HTTP server listens, because the emulators call back to `publicUrl`. `address` is where this process
 * listens. Returns the facts of a demo that was made now, else null. The app's disposal stops the sandbox.
 */
export async function ensureDemo(
  context: Context,
  options: { readonly publicUrl: string; readonly address: string },
): Promise<DemoFacts | null> {
  // A process that only answers the API never does: it may be one of many, and is often restarted.
  if (context.config.role === "api") return null;
  const workspace = await claimDemo(context);
  try {
    return await openSandbox(context, options, workspace);
  } catch (error) {
    // Serving goes on without a demo. A half-made demo is removed, or it would be in the way of the next try. Another
    // process may have made one of its own.
    context.log.error(describeForLog(error), "the sandbox could not be started");
    await context.sandbox.close();
    if (workspace !== null) await deleteWorkspaceRows(context, workspace.id);
    return null;
  }
}

/** The workspace of a demo, with nothing in it yet. */
export const createDemoWorkspace = (context: Context): Promise<Workspace> =>
  createWorkspace(DEMO, context, { name: "Parley demo", plan: "growth" });

/** Creates the workspace of the demo when one is wanted; null: none is. Under a lock, so that one process does. */
async function claimDemo(context: Context): Promise<Workspace | null> {
  if (context.config.demo === false) return null;
  return context.db.transaction(async (tx) => {
    await lockDemo(tx);
    // On other connections, and committed before the lock ends: whoever has it next sees the workspace.
    return (await wantsDemo(context)) ? createDemoWorkspace(context) : null;
  });
}

/**
 * Removes the demo workspaces with all their rows and makes a new one. It is for a process beside the server, whose
 * sandbox then serves the new demo, or for a process without a server.
 */
export async function resetDemo(
  context: Context,
  options: { readonly publicUrl: string },
): Promise<DemoFacts> {
  const { makeDemo } = await import("./make-demo.ts");
  const { receiverAddress } = await import("./receiver-endpoint.ts");
  const { deskHere, deskElsewhere } = await import("./demo-desk.ts");
  const receiverUrl = await receiverAddress(context);
  await deleteDemoWorkspaces(context);
  const { publicUrl } = options;
  const workspace = await createDemoWorkspace(context);
  if ((await findRunner(context)) !== null) {
    const facts = await makeDemo(context, workspace, deskElsewhere(context), publicUrl);
    return { ...facts, receiverUrl };
  }
  const keeper = await startSandboxKeeper(context, { publicUrl, address: publicUrl, always: true });
  try {
    const facts = await makeDemo(context, workspace, deskHere(keeper), publicUrl);
    return { ...facts, receiverUrl };
  } finally {
    await keeper.close();
  }
}

async function wantsDemo(context: Context): Promise<boolean> {
  const { demo } = context.config;
  if (demo === false) return false;
  if (demo === "auto") return !(await hasWorkspaces(context.db));
  return (await workspacesMadeBy(context.db, "demo")).length === 0;
}

async function openSandbox(
  context: Context,
  options: { readonly publicUrl: string; readonly address: string },
  workspace: Workspace | null,
): Promise<DemoFacts | null> {
  const { publicUrl } = options;
  let stopReceiver = async () => {};
  let keeper: SandboxKeeper | undefined;
  context.sandbox.close = async () => {
    context.sandbox.receiverUrl = null;
    await keeper?.close();
    await stopReceiver();
  };
  const receives =
    context.config.demo !== false && (workspace !== null || (await hasDemo(context)));
  let attach = async () => {};
  if (receives) {
    const { startDemoReceiver } = await import("./receiver-endpoint.ts");
    const receiver = await startDemoReceiver(context);
    stopReceiver = () => receiver.receiver.close();
    attach = () => receiver.attach();
  }
  const holder = context.life.id;
  keeper = await startSandboxKeeper(context, {
    ...options,
    holder,
    always: workspace !== null,
    onLook: () => attach(),
  });
  if (workspace === null) return null;
  const { makeDemo } = await import("./make-demo.ts");
  const { deskHere, deskElsewhere } = await import("./demo-desk.ts");
  const desk = keeper.sandbox === null ? deskElsewhere(context) : deskHere(keeper);
  const facts = await makeDemo(context, workspace, desk, publicUrl);
  await attach();
  return facts;
}

async function deleteDemoWorkspaces(context: Pick<Context, "db">): Promise<void> {
  for (const id of await workspacesMadeBy(context.db, "demo"))
    await deleteWorkspaceRows(context, id);
}

async function hasDemo(context: Context): Promise<boolean> {
  return (await workspacesMadeBy(context.db, "demo")).length > 0;
}

/** The lines printed about a new demo: its address, its owner, and a `curl` that works as pasted. */
export function describeDemo(facts: DemoFacts): string {
  const body = JSON.stringify({
    conversationId: facts.conversationId,
    text: "Yes, it is back in stock! أهلاً",
  });
  return [
    "",
    "A demo workspace was made. These are shown once:",
    `  address   ${facts.address}`,
    `  owner     ${facts.email}  ${facts.password}  (sign in to the dashboard with these)`,
    `  API key   ${facts.bearer}`,
    `  web chat  ${facts.tryPage}  (you are the visitor, a bot answers)`,
    "",
    "Reply to a customer of the sandbox WhatsApp number:",
    "",
    // One line, so that it can be pasted as it is, or cut out by a script.
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
