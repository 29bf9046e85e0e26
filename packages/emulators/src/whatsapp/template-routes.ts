import { json, type Answer, type Call } from "../core/server.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import { GraphRefusal } from "./errors.ts";
import { parseObject } from "./graph-body.ts";
import { TEMPLATE_LIMIT, type Template } from "./templates.ts";

/** Lists (filters, fields, cursors), creates and deletes the templates of an account. */
export function templates(
  emulator: WhatsAppEmulator,
  wabaId: string,
  token: string,
  call: Call,
): Answer {
  if (call.method === "POST") {
    const body = parseObject(call.body);
    const { name, language, components, category } = body;
    if (
      typeof name !== "string" ||
      typeof language !== "string" ||
      !Array.isArray(components) ||
      typeof category !== "string"
    )
      throw new GraphRefusal(100, "name, language, category and components are required.");
    const added = emulator.addTemplate(wabaId, {
      name,
      language,
      components,
      category,
      status: "PENDING",
    });
    return json(200, { id: added.id, status: added.status, category });
  }
  if (call.method === "DELETE") {
    const removed = emulator.templates.remove(
      wabaId,
      call.query.get("name") ?? "",
      call.query.get("hsm_id") ?? undefined,
    );
    if (removed === 0) throw new GraphRefusal(100, "Message template was not found.");
    return json(200, { success: true });
  }
  const filters = ["name", "language", "category", "status"] as const;
  const all = emulator.templates
    .list(wabaId)
    .filter((t) => filters.every((f) => [null, t[f]].includes(call.query.get(f))));
  const limit = Math.min(Math.max(Number(call.query.get("limit") ?? 25) || 25, 1), 1000);
  const after = call.query.get("after");
  const start = after === null ? 0 : Number(Buffer.from(after, "base64url").toString()) || 0;
  const page = all.slice(start, start + limit);
  const cursor = (at: number) => Buffer.from(String(at)).toString("base64url");
  const next = new URLSearchParams(call.query);
  next.set("after", cursor(start + limit));
  next.set("limit", String(limit));
  next.set("access_token", token);
  return json(200, {
    data: page.map((t) => pick(t, call.query.get("fields"))),
    ...(page.length === 0
      ? {}
      : {
          paging: {
            cursors: { before: cursor(start), after: cursor(start + limit) },
            ...(start + limit < all.length
              ? { next: `${emulator.url}${call.path}?${next.toString()}` }
              : {}),
          },
        }),
    ...(call.query.get("summary") ? { summary: summary(all.length) } : {}),
  });
}

const summary = (count: number): object => ({
  total_count: count,
  message_template_count: count,
  message_template_limit: TEMPLATE_LIMIT,
});

/** `POST /{template}/unpause`; false when the token's accounts have no such template. */
export function unpause(emulator: WhatsAppEmulator, id: string, token: string): boolean {
  for (const { wabaId, accessToken } of emulator.numbers.values()) {
    if (accessToken !== token) continue;
    const template = emulator.templates.list(wabaId).find((one) => one.id === id);
    if (template === undefined) continue;
    if (template.status !== "PAUSED") throw new GraphRefusal(100, "The template is not paused.");
    emulator.setTemplateStatus(wabaId, id, "APPROVED");
    return true;
  }
  return false;
}

function pick(template: Template, fields: string | null): object {
  const wanted = new Set([
    "id",
    ...(fields ?? "name,language,status,category,components,parameter_format").split(","),
  ]);
  return Object.fromEntries(Object.entries(template).filter(([key]) => wanted.has(key)));
}
