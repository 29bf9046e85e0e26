import { DEMO } from "../actor.ts";
import type { Context } from "../context.ts";
import { listEndpoints } from "../webhooks/list-endpoints.ts";
import { updateEndpoint } from "../webhooks/update-endpoint.ts";
import { RECEIVER_PATH, startReceiver, type Receiver } from "./receiver.ts";
import { workspacesMadeBy } from "../workspaces/list-audit.ts";
import { openSecret } from "../webhooks/open-secret.ts";

/** The address of the demo's endpoint until a receiver runs: the discard port, which refuses connections. */
export const RECEIVER_NOWHERE = `http://127.0.0.1:9${RECEIVER_PATH}`;

/** A context for registering the receiver's address, and for nothing else: with it loopback passes the URL check. */
export function receiverContext(context: Context): Context {
  return { ...context, config: { ...context.config, outboundAllow: ["127.0.0.1/32"] } };
}

/** The demo's receiver, and the task of pointing the demo's endpoint at it. */
export interface ReceiverKeeper {
  readonly receiver: Receiver;
  /** Points the demo's endpoint at this receiver and reads its secret. It also works after the demo was made anew. */
  attach(): Promise<void>;
}

/** Starts the receiver of a demo, on its former port when that is free, and allows deliveries to its address. */
export async function startDemoReceiver(context: Context): Promise<ReceiverKeeper> {
  let secret: string | null = null;
  let attached: string | null = null;
  const first = await findEndpoint(context);
  const port = Number(URL.parse(first?.url ?? "")?.port ?? 0);
  const receiver = await startReceiver({
    port: port === 9 ? 0 : port,
    clock: context.clock,
    secret: () => secret,
    onReceived: ({ type }) =>
      context.log.debug({ type }, "demo receiver: webhook came, signature valid"),
  });
  context.sandbox.receiverUrl = receiver.url;
  const attach = async () => {
    const endpoint = await findEndpoint(context);
    if (!endpoint || endpoint.id === attached) return;
    const { workspaceId, id } = endpoint;
    const opened = await openSecret(context, workspaceId, id);
    if (opened === null) return;
    secret = opened;
    if (endpoint.url !== receiver.url)
      await updateEndpoint(DEMO, receiverContext(context), workspaceId, id, { url: receiver.url });
    attached = id;
  };
  await attach();
  return { receiver, attach };
}

/** The address of the demo's receiver, as its endpoint has it; null without one. */
export async function receiverAddress(context: Context): Promise<string | null> {
  const url = (await findEndpoint(context))?.url;
  return url === undefined || url === RECEIVER_NOWHERE ? null : url;
}

async function findEndpoint(
  context: Context,
): Promise<{ workspaceId: string; id: string; url: string } | null> {
  for (const workspaceId of await workspacesMadeBy(context.db, "demo")) {
    const endpoints = await listEndpoints(context, workspaceId);
    const own = endpoints.find(
      ({ url }) => url.startsWith("http://127.0.0.1:") && url.endsWith(RECEIVER_PATH),
    );
    if (own) return { workspaceId, id: own.id, url: own.url };
  }
  return null;
}
