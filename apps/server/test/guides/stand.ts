import { OPERATOR } from "../../src/actor.ts";
import type { AddressInfo } from "node:net";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import type { HttpRequest, HttpResponse } from "../../src/lib/http.ts";
import { createSegment } from "../../src/segments/create-segment.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { streaming } from "../streaming.ts";
import { startApi, type Api } from "../v1/api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "../v1/fixtures.ts";

/** A server that listens, and a workspace in which every operation has something to work on. */
export interface Stand extends AsyncDisposable {
  readonly api: Api;
  /** With `/api`. */
  readonly baseUrl: string;
  readonly channelId: string;
  readonly templateId: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly broadcastId: string;
  /** An approved campaign that was not started. */
  newBroadcast(): Promise<string>;
}

export async function startStand(
  overrides: NonNullable<NonNullable<Parameters<typeof startApi>[0]>["overrides"]> = {},
): Promise<Stand> {
  let sends = 0;
  const providerHttp = {
    async request({ url }: HttpRequest): Promise<HttpResponse> {
      const sid = `SM${String(++sends).padStart(32, "0")}`;
      const sent = { sid, status: "queued", messages: [{ id: `wamid.${sends}` }] };
      const body = { ...sent, id: String(594_425_479_261_596 + sends), success: true };
      const status = url.includes("twilio") ? 201 : 200;
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    },
  };
  const api = await startApi({
    overrides: { providerHttp: streaming(providerHttp), ...overrides },
  });
  const { app, workspaceId } = api;
  await api.http.listen({ host: "127.0.0.1", port: 0 });
  const account = { provider: "twilio", accountSid: "AC1", authToken: "t", from: "+15005550006" };
  await setProvider(OPERATOR, app, workspaceId, account);
  await testProvider(OPERATOR, app, workspaceId, "201001234567");
  const channelId = await connectWhatsApp(api);
  const conversationId = await openConversation(api, { channelId });
  const definition = { match: "all", rules: [] } as const;
  await createSegment(OPERATOR, app, workspaceId, { name: "Everyone", definition });
  const templateId = await addTemplate(api, channelId, { name: "welcome" });
  const newBroadcast = async () => {
    const variables = { 1: "a", 2: "b" };
    const kind = "WHATSAPP_TEMPLATE";
    const input = { name: "Campaign", kind, channelId, templateId, variables } as const;
    return (await createBroadcast(OPERATOR, app, workspaceId, input)).id;
  };
  const { body } = await api.call("GET", `/conversations/${conversationId}`);
  return {
    api,
    baseUrl: `http://127.0.0.1:${(api.http.server.address() as AddressInfo).port}/api`,
    channelId,
    templateId,
    conversationId,
    contactId: String(body["contactId"]),
    broadcastId: await newBroadcast(),
    newBroadcast,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}
