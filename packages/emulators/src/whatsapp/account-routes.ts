import { createHash } from "node:crypto";
import { json, type Answer, type Call } from "../core/server.ts";
import type { BusinessNumber } from "./changes.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import { GraphRefusal } from "./errors.ts";

const EDGES = ["phone_numbers", "subscribed_apps"] as const;
type Edge = (typeof EDGES)[number];

/** True for edges that only a WhatsApp Business Account has. */
export function isAccountEdge(part: string): part is Edge {
  return EDGES.some((edge) => edge === part);
}

/** The platform's refusal of a field or an edge that a node does not have. */
export function noSuchField(field: string, node: string): never {
  throw new GraphRefusal(100, undefined, {
    text: `(#100) Tried accessing nonexisting field (${field}) on node type (${node})`,
  });
}

/** The requested fields, always with the id; all of them when none is named. */
function pick(whole: Readonly<Record<string, unknown>>, call: Call, node: string): Answer {
  const asked = call.query.get("fields");
  if (asked === null) return json(200, whole);
  const fields = asked.split(",").filter((field) => field !== "");
  for (const field of fields) if (!Object.hasOwn(whole, field)) noSuchField(field, node);
  return json(200, Object.fromEntries([...fields, "id"].map((field) => [field, whole[field]])));
}

/** `GET /{phone-number-id}`. */
export function numberNode(number: BusinessNumber, call: Call): Answer {
  const whole = {
    verified_name: "Emulated Business",
    display_phone_number: number.displayPhoneNumber,
    quality_rating: "GREEN",
    code_verification_status: "VERIFIED",
    platform_type: "CLOUD_API",
    throughput: { level: "STANDARD" },
    status: "CONNECTED",
    id: number.phoneNumberId,
  };
  return pick(whole, call, "WhatsAppBusinessPhoneNumber");
}

/** `GET /{waba-id}`. */
export function accountNode(wabaId: string, call: Call): Answer {
  const whole = {
    id: wabaId,
    name: "Emulated Business Account",
    currency: "USD",
    timezone_id: "1",
  };
  return pick(whole, call, "WhatsAppBusinessAccount");
}

/**
 * The account's numbers, by pages, and the apps that get its webhooks: POST subscribes the app of the token,
 * DELETE ends that. Without a subscription nothing is called back.
 */
export function accountEdge(
  emulator: WhatsAppEmulator,
  ofAccount: readonly BusinessNumber[],
  edge: Edge,
  call: Call,
): Answer {
  const wabaId = ofAccount[0]?.wabaId ?? "";
  if (edge === "phone_numbers") return page(ofAccount, call);
  if (call.method === "POST") emulator.setSubscribed(wabaId, true);
  else if (call.method === "DELETE") emulator.setSubscribed(wabaId, false);
  else {
    const apps = emulator.isSubscribed(wabaId) ? [appOf(ofAccount[0]?.appSecret ?? "")] : [];
    return json(200, { data: apps.map((app) => ({ whatsapp_business_api_data: app })) });
  }
  return json(200, { success: true });
}

function page(numbers: readonly BusinessNumber[], call: Call): Answer {
  const limit = Math.min(Math.max(Number(call.query.get("limit") ?? 25) || 25, 1), 100);
  const after = call.query.get("after");
  const start = after === null ? 0 : Number(Buffer.from(after, "base64url").toString()) || 0;
  const shown = numbers.slice(start, start + limit);
  const cursor = (at: number): string => Buffer.from(String(at)).toString("base64url");
  const next = start + limit < numbers.length ? { next: "https://graph.facebook.com/next" } : {};
  return json(200, {
    data: shown.map((one) => ({
      verified_name: "Emulated Business",
      display_phone_number: one.displayPhoneNumber,
      quality_rating: "GREEN",
      id: one.phoneNumberId,
    })),
    ...(shown.length > 0 && {
      paging: { cursors: { before: cursor(start), after: cursor(start + limit) }, ...next },
    }),
  });
}

/** One app per app secret. */
export function appOf(appSecret: string): { id: string; link: string; name: string } {
  const id = BigInt(`0x${createHash("sha256").update(appSecret).digest("hex").slice(0, 12)}`);
  return {
    id: String(id),
    link: `https://www.facebook.com/games/?app_id=${id}`,
    name: "Emulated App",
  };
}
