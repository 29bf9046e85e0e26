import { MEDIA_KINDS, type InboundContent, type InboundMedia } from "../../adapter.ts";
import { describeError } from "../meta/graph-error.ts";
import { idOrNull, number, record, records, textOrNull, type JsonRecord } from "../meta/json.ts";

/** What a message says, and whether it opens the 24 hours in which we may answer freely. */
export interface WhatsAppContent {
  readonly content: InboundContent;
  readonly opensWindow: boolean;
}

type Attachment = Readonly<Record<string, unknown>>;

/**
 * Errors whose words tell an agent what to ask for: a file that the platform did not accept from the customer (too
 * large, for example), and a message that only the phone's own app shows.
 */
const TELLING = new Set(["131052", "131060"]);

/**
 * Reads the body of a message of any type (channels.md §2.5). An unknown type becomes `unsupported`, so that the
 * inbox shows that something came. Only what the customer says opens the window: not a reaction, a note of the
 * system or something unsupported (channels.md §11 point 11). Null: nothing that a person would see. `beside` are
 * the errors of the call, which may explain a message without a body.
 */
export function readWhatsAppContent(
  message: JsonRecord,
  beside: readonly JsonRecord[] = [],
): WhatsAppContent | null {
  const type = textOrNull(message["type"]) ?? "unsupported";
  const own = message[type];
  const extras = readExtras(message);
  if (failedToLoad(message, beside)) {
    const error = records(message["errors"])[0] ?? beside[0] ?? {};
    const about = given({
      type: "unsupported",
      originalType: type,
      code: idOrNull(error["code"]),
      detail: `WhatsApp failed to load this message: ${describeError(error)}`,
    });
    const content = { type: "unsupported", text: null, attachments: [about, ...extras] };
    return { content, opensWindow: false };
  }
  const said = (
    words: string | null,
    attachments: readonly Attachment[] = [],
  ): WhatsAppContent => ({
    content: { type, text: words, attachments: [...attachments, ...extras] },
    opensWindow: true,
  });
  const kind = MEDIA_KINDS.find((one) => one === type);
  if (kind !== undefined) {
    const { content, opensWindow } = said(textOrNull(record(own)["caption"]), [
      readMedia(kind, record(own)),
    ]);
    const media = readFile(kind, record(own));
    return { content: media.length === 0 ? content : { ...content, media }, opensWindow };
  }
  switch (type) {
    case "text":
      return said(textOrNull(record(own)["body"]));
    case "location":
      return said(null, [readLocation(record(own))]);
    case "contacts":
      return said(null, records(own).map(readCard));
    case "button": {
      const button = record(own);
      const words = textOrNull(button["text"]);
      return said(words, [
        given({ type: "button", text: words, payload: textOrNull(button["payload"]) }),
      ]);
    }
    case "interactive":
      return readInteractive(record(own), said);
    case "order":
      return said(textOrNull(record(own)["text"]), [readOrder(record(own))]);
    case "reaction": {
      const reaction = record(own);
      const emoji = textOrNull(reaction["emoji"]);
      const messageId = idOrNull(reaction["message_id"]);
      // Without an emoji it removes an earlier reaction.
      return {
        ...said(emoji, [given({ type: "reaction", messageId, emoji })]),
        opensWindow: false,
      };
    }
    case "system":
    case "request_welcome":
      return null;
    default: {
      const error = records(message["errors"])[0];
      const about = given({
        type: "unsupported",
        originalType: textOrNull(record(message["unsupported"])["type"]) ?? type,
        code: idOrNull(error?.["code"]),
        detail: TELLING.has(idOrNull(error?.["code"]) ?? "") ? describeError(error ?? {}) : null,
      });
      const attachments = [about, ...extras];
      return { content: { type: "unsupported", text: null, attachments }, opensWindow: false };
    }
  }
}

/** Types whose body has the type's own name and holds what the customer said. */
const WITH_BODY: ReadonlySet<string> = new Set([
  ...MEDIA_KINDS,
  "text",
  "location",
  "contacts",
  "button",
  "interactive",
  "order",
]);

/**
 * Whether a message has no body but an error, its own or the call's: somebody wrote, and the platform could not
 * load it (code 131000 with interactive messages).
 */
export function failedToLoad(message: JsonRecord, beside: readonly JsonRecord[]): boolean {
  const type = textOrNull(message["type"]) ?? "";
  if (!WITH_BODY.has(type)) return false;
  if (records(message["errors"]).length === 0 && beside.length === 0) return false;
  const own = message[type];
  return Object.keys(record(own)).length === 0 && records(own).length === 0;
}

/** The text of a changed message: its words, or the caption of its media. */
export function readWords(message: JsonRecord): string | null {
  return readWhatsAppContent(message)?.content.text ?? null;
}

function readMedia(type: string, media: JsonRecord): Attachment {
  // The address in the call is left out: it is short-lived, and media is fetched by id from Meta's own hosts.
  return given({
    type,
    id: idOrNull(media["id"]),
    mimeType: textOrNull(media["mime_type"]),
    sha256: textOrNull(media["sha256"]),
    caption: textOrNull(media["caption"]),
    fileName: textOrNull(media["filename"]),
    voice: media["voice"] === true ? true : null,
    animated: media["animated"] === true ? true : null,
  });
}

/** The file to fetch: the first of the attachments. Without an id nothing can be asked for. */
function readFile(kind: InboundMedia["kind"], media: JsonRecord): InboundMedia[] {
  const id = idOrNull(media["id"]);
  if (id === null) return [];
  const facts = {
    mimeType: textOrNull(media["mime_type"]),
    fileName: textOrNull(media["filename"]),
    size: null,
  };
  return [{ attachment: 0, kind, source: { id }, ...facts }];
}

function readLocation(location: JsonRecord): Attachment {
  return given({
    type: "location",
    latitude: number(location["latitude"]),
    longitude: number(location["longitude"]),
    name: textOrNull(location["name"]),
    address: textOrNull(location["address"]),
    url: textOrNull(location["url"]),
  });
}

function readCard(card: JsonRecord): Attachment {
  const phones = records(card["phones"]).map((phone) =>
    given({
      phone: textOrNull(phone["phone"]),
      waId: idOrNull(phone["wa_id"]),
      type: textOrNull(phone["type"]),
    }),
  );
  const emails = records(card["emails"]).flatMap((email) => textOrNull(email["email"]) ?? []);
  return given({
    type: "contact",
    name: textOrNull(record(card["name"])["formatted_name"]),
    phones,
    emails: emails.length > 0 ? emails : null,
    company: textOrNull(record(card["org"])["company"]),
  });
}

function readInteractive(
  interactive: JsonRecord,
  said: (words: string | null, attachments?: readonly Attachment[]) => WhatsAppContent,
): WhatsAppContent {
  const type = textOrNull(interactive["type"]) ?? "interactive";
  const reply = record(interactive[type]);
  if (type === "call_permission_reply") return readCallPermission(reply, said);
  const words =
    textOrNull(reply["title"]) ?? textOrNull(reply["body"]) ?? textOrNull(reply["name"]);
  return said(words, [
    given({
      type,
      id: idOrNull(reply["id"]),
      title: textOrNull(reply["title"]),
      description: textOrNull(reply["description"]),
      name: textOrNull(reply["name"]),
      response: textOrNull(reply["response_json"]),
    }),
  ]);
}

/**
 * Whether the customer may be called, in words (Meta, "Call permission requests"); the platform's own word when it
 * is unknown.
 */
const CALL_PERMISSIONS: Readonly<Record<string, string>> = {
  accept: "Calls allowed",
  reject: "Calls not allowed",
};

/**
 * The platform permits calls by itself after the customer called. Then nobody answered a request, and no window
 * opens.
 */
function readCallPermission(
  reply: JsonRecord,
  said: (words: string | null, attachments?: readonly Attachment[]) => WhatsAppContent,
): WhatsAppContent {
  const response = textOrNull(reply["response"])?.toLowerCase() ?? null;
  const known = response !== null && Object.hasOwn(CALL_PERMISSIONS, response);
  const until = number(reply["expiration_timestamp"]);
  const ends = until !== null && until > 0 && until < 4e9;
  const { content, opensWindow } = said(known ? (CALL_PERMISSIONS[response] ?? null) : response, [
    given({
      type: "call_permission_reply",
      response,
      permanent: typeof reply["is_permanent"] === "boolean" ? reply["is_permanent"] : null,
      until: ends ? new Date(Math.trunc(until) * 1000).toISOString() : null,
    }),
  ]);
  return { content, opensWindow: opensWindow && reply["response_source"] !== "automatic" };
}

function readOrder(order: JsonRecord): Attachment {
  const items = records(order["product_items"]).map((item) =>
    given({
      productId: idOrNull(item["product_retailer_id"]),
      quantity: number(item["quantity"]),
      price: number(item["item_price"]),
      currency: textOrNull(item["currency"]),
    }),
  );
  return given({ type: "order", catalogId: idOrNull(order["catalog_id"]), items });
}

/**
 * The message that this one quotes or forwards, the product that it asks about, and the advertisement that it came
 * from.
 */
function readExtras(message: JsonRecord): Attachment[] {
  const extras: Attachment[] = [];
  const context = record(message["context"]);
  const quoted = idOrNull(context["id"]);
  if (quoted !== null) extras.push({ type: "quote", messageId: quoted });
  if (context["forwarded"] === true || context["frequently_forwarded"] === true)
    extras.push({ type: "forwarded" });
  // Written from a product's own page: the words alone ("how much is it?") do not say which product.
  const product = record(context["referred_product"]);
  const productId = idOrNull(product["product_retailer_id"]);
  if (productId !== null)
    extras.push(given({ type: "product", productId, catalogId: idOrNull(product["catalog_id"]) }));
  const referral = record(message["referral"]);
  const sourceId = idOrNull(referral["source_id"]);
  const sourceUrl = textOrNull(referral["source_url"]);
  if (sourceId !== null || sourceUrl !== null) {
    extras.push(
      given({
        type: "referral",
        sourceType: textOrNull(referral["source_type"]),
        sourceId,
        sourceUrl,
        headline: textOrNull(referral["headline"]),
        body: textOrNull(referral["body"]),
        clickId: textOrNull(referral["ctwa_clid"]),
      }),
    );
  }
  return extras;
}

/** Leaves out empty values. */
function given(facts: Attachment): Attachment {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
