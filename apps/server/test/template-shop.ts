import { OPERATOR } from "../src/actor.ts";
import { Readable } from "node:stream";
import type { WhatsAppEmulator } from "@parley/emulators";
import type { Broadcast } from "../src/broadcasts/record/broadcast.ts";
import { createBroadcast, type NewBroadcast } from "../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../src/broadcasts/record/start-broadcast.ts";
import { connectChannel } from "../src/channels/connect-channel.ts";
import { createContact } from "../src/contacts/record/create-contact.ts";
import { uploadMedia } from "../src/media/upload-media.ts";
import { listTemplates } from "../src/templates/list-templates.ts";
import { createWorkspace } from "../src/workspaces/create-workspace.ts";
import type { TestApp } from "./harness.ts";

export type Component = Readonly<Record<string, unknown>> & { readonly type: string };

let shops = 0;

/** A workspace on the emulated Cloud API with templates of these components, in their order, and so many contacts. */
export async function openTemplateShop(
  t: TestApp,
  meta: WhatsAppEmulator,
  templates: readonly (readonly Component[])[],
  people = 3,
) {
  const n = ++shops;
  const phoneNumberId = String(106540352260000 + n);
  const wabaId = String(102290129350000 + n);
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Shop",
    plan: "business",
  });
  const account = { phoneNumberId, wabaId, accessToken: `EAAB${n}`, appSecret: "secret-1" };
  meta.addNumber(account);
  for (const [place, components] of templates.entries())
    meta.addTemplate(wabaId, { name: `order_${place}`, language: "en", components });
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Shop",
    ...account,
    verifyToken: "verify-1",
    apiUrl: meta.url,
  });
  await t.app.drain();
  // Approved ones come by name.
  const templateIds = (await listTemplates(t.app, workspaceId)).map((template) => template.id);
  for (let at = 0; at < people; at++)
    await createContact(OPERATOR, t.app, workspaceId, {
      name: `Sara ${at}`,
      phone: `965${5_000_000 + n * 1_000 + at}`,
      attributes: { order: `A/${at} é?` },
    });
  const draft = (more: Partial<NewBroadcast>): Promise<Broadcast> =>
    createBroadcast(OPERATOR, t.app, workspaceId, {
      name: "Orders",
      kind: "WHATSAPP_TEMPLATE",
      channelId: channel.id,
      rateLimitPerMinute: 1_000_000,
      ...(more.variants === undefined && {
        templateId: templateIds[0] ?? "",
        variables: { "1": "{{attribute.order}}" },
      }),
      ...more,
    });
  const upload = async (bytes: Buffer, fileName: string): Promise<string> =>
    (await uploadMedia(OPERATOR, t.app, workspaceId, { fileName, body: Readable.from([bytes]) }))
      .id;
  const start = (id: string) => startBroadcast(OPERATOR, t.app, workspaceId, id);
  const find = (id: string) => findBroadcast(t.app, workspaceId, id);
  return { workspaceId, templateIds, draft, upload, start, find };
}
