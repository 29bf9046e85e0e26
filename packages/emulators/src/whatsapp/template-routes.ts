import { json, type Answer, type Call } from "../core/server.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import { GraphRefusal } from "./errors.ts";
import { parseObject } from "./graph-body.ts";
import { nameTaken, reviewComponents } from "./template-review.ts";
import { TEMPLATE_LIMIT, type Template } from "./templates.ts";

/** Lists (filters, fields, cursors), creates and deletes the templates of an account. */
export function templates(
  emulator: WhatsAppEmulator,
  wabaId: string,
  token: string,
  call: Call,
): Answer {
  if (call.method === "POST") return create(emulator, wabaId, call);
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

function create(emulator: WhatsAppEmulator, wabaId: string, call: Call): Answer {
  const { name, language, components, category, parameter_format: format } = parseObject(call.body);
  if (
    typeof name !== "string" ||
    typeof language !== "string" ||
    !Array.isArray(components) ||
    typeof category !== "string"
  )
    throw new GraphRefusal(100, "name, language, category and components are required.");
  if (!CATEGORIES.includes(category.toUpperCase()))
    throw new GraphRefusal(100, `Param category must be one of {${CATEGORIES.join(", ")}}.`);
  if (emulator.templates.find(wabaId, name, language)) nameTaken();
  const named = format === "NAMED";
  const holds = (handle: string) => emulator.samples.holds(handle);
  reviewComponents(components, holds, named ? "NAMED" : "POSITIONAL");
  const added = emulator.addTemplate(wabaId, {
    name,
    language,
    components,
    category: category.toUpperCase(),
    status: "PENDING",
    ...(named && { parameter_format: "NAMED" as const }),
  });
  emulator.review(wabaId, added);
  return json(200, { id: added.id, status: added.status, category: added.category });
}

/**
 * `POST /{template}`: replaces the words of a template; null when the token's accounts have no such template. An
 * approved one keeps its category, and is reviewed anew.
 */
export function edit(
  emulator: WhatsAppEmulator,
  id: string,
  token: string,
  call: Call,
): Answer | null {
  for (const { wabaId, accessToken } of emulator.numbers.values()) {
    const template =
      accessToken === token && emulator.templates.list(wabaId).find((one) => one.id === id);
    if (!template) continue;
    const { components, category } = parseObject(call.body);
    if (!["APPROVED", "REJECTED", "PAUSED"].includes(template.status))
      throw new GraphRefusal(100, undefined, {
        subcode: 2593002,
        text: "Invalid parameter",
        user: {
          title: "Message templates can't be edited",
          words: "Only approved, rejected or paused message templates can be edited.",
        },
      });
    if (template.status === "APPROVED" && category !== undefined && category !== template.category)
      throw new GraphRefusal(100, "The category of an approved template cannot be changed.");
    const holds = (handle: string) => emulator.samples.holds(handle);
    reviewComponents(components, holds, template.parameter_format);
    emulator.templates.change(wabaId, id, {
      components: Array.isArray(components) ? components : template.components,
      status: "PENDING",
      rejected_reason: "NONE",
      ...(typeof category === "string" && { category }),
    });
    emulator.review(wabaId, template);
    return json(200, { success: true });
  }
  return null;
}

const CATEGORIES = ["MARKETING", "UTILITY", "AUTHENTICATION"];

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
