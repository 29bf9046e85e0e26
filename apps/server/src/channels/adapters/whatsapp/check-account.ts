import { createHmac } from "node:crypto";
import type { Http } from "../../../lib/http.ts";
import type { AccountFault, ChannelAccount, FailedOutcome } from "../../adapter.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { idOrNull, record, records, textOrNull, type JsonRecord } from "../meta/json.ts";
import { outcomeOfWhatsAppFailure, outcomeOfNoAnswer } from "./outcome.ts";

type Value = "accessToken" | "phoneNumberId" | "wabaId" | "appSecret";

/** Where a person finds each value at Meta (docs/operations.md has the same paths). */
const WHERE = {
  accessToken:
    "business.facebook.com > Settings > System users > Generate token, with whatsapp_business_messaging and whatsapp_business_management",
  phoneNumberId: "developers.facebook.com > the app > WhatsApp > API Setup > Phone number ID",
  wabaId: "developers.facebook.com > the app > WhatsApp > API Setup > WhatsApp Business Account ID",
  appSecret: "developers.facebook.com > the app > App settings > Basic > App secret",
} as const satisfies Record<Value, string>;

/** Meta lists this many numbers on a page. A business with more than 20 pages means that we are led in circles. */
const PAGE_SIZE = 100;
const MAX_PAGES = 20;

type Answer = { readonly ok: true; readonly body: JsonRecord } | FailedOutcome;

/**
 * Asks Meta about each value of a connect in turn: whether the token opens the number, the business account lists
 * that number (an empty list proves nothing), and the app secret belongs to the token's app (Graph checks
 * `appsecret_proof` whenever it is given). Meta learns the verify token only when somebody enters it there. Null: all are
 * right. A fault without `field`: Meta could not be asked (network, throttle, an answer of something else), which says nothing about the
 * account.
 */
export async function checkWhatsAppAccount(
  http: Http,
  account: ChannelAccount,
): Promise<AccountFault | null> {
  const { accessToken = "", appSecret = "" } = account.secrets;
  const number = `/${encodeURIComponent(account.externalId)}`;
  const found = await ask(http, account, "GET", `${number}?fields=id,display_phone_number`);
  if (!found.ok) {
    if (isNoObject(found) && (await knowsNothing(http, account))) return notThePlatform(number);
    return blame(found, "phoneNumberId", "is not a number that this token opens");
  }
  if (idOrNull(found.body["id"]) !== account.externalId) return notThePlatform(number);
  const listed = await listsNumber(http, account);
  if (listed !== true) return listed;
  const proof = createHmac("sha256", appSecret).update(accessToken).digest("hex");
  const proven = await ask(http, account, "GET", `${number}?fields=id&appsecret_proof=${proof}`);
  if (!proven.ok) {
    const refused = proven.detail.includes("appsecret_proof");
    return refused ? wrong("appSecret", proven, "is not that of the token's app") : blame(proven);
  }
  return null;
}

/**
 * Has Meta call the token's app for this business account, and checks that it says so afterwards. A refusal that
 * is not about the token stops no sends, so it is shown, asked again, and the channel stays connected.
 */
export async function subscribeWhatsApp(
  http: Http,
  account: ChannelAccount,
): Promise<AccountFault | null> {
  const fault = await checkWhatsAppAccount(http, account);
  if (fault !== null) return fault;
  const edge = `/${encodeURIComponent(account.settings["wabaId"] ?? "")}/subscribed_apps`;
  const done = await ask(http, account, "POST", edge);
  if (!done.ok)
    return done.reason === "misconfigured" ? blame(done) : { ...done, reason: "unreachable" };
  const listed = await ask(http, account, "GET", edge);
  if (!listed.ok) return { ...listed, reason: "unreachable" };
  if (records(listed.body["data"]).length > 0) return null;
  return {
    ok: false,
    reason: "unreachable",
    code: "NOT_SUBSCRIBED",
    detail: `no app is subscribed to the business account ${account.settings["wabaId"] ?? ""}, so Meta calls nobody; POST /{waba-id}/subscribed_apps was answered with success`,
  };
}

async function listsNumber(http: Http, account: ChannelAccount): Promise<true | AccountFault> {
  const wabaId = account.settings["wabaId"] ?? "";
  let after: string | null = null;
  let none = true;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({ fields: "id", limit: String(PAGE_SIZE) });
    if (after !== null) query.set("after", after);
    const path = `/${encodeURIComponent(wabaId)}/phone_numbers`;
    const answer = await ask(http, account, "GET", `${path}?${query.toString()}`);
    if (!answer.ok) {
      if (isNoObject(answer) && (await knowsNothing(http, account))) return notThePlatform(path);
      return blame(answer, "wabaId", "is not a business account that this token opens");
    }
    if (!Array.isArray(answer.body["data"])) return notThePlatform(path);
    const listed = records(answer.body["data"]);
    if (listed.some((one) => idOrNull(one["id"]) === account.externalId)) return true;
    none &&= listed.length === 0;
    const paging = record(answer.body["paging"]);
    after = textOrNull(record(paging["cursors"])["after"]);
    if (after === null || textOrNull(paging["next"]) === null) break;
  }
  // Replies need no business account. Only one that lists other numbers is proven to be another's.
  if (none)
    return {
      ok: false,
      reason: "unreachable",
      code: "NO_NUMBERS",
      detail: `the business account ${wabaId} lists no numbers: is the WABA id right?`,
    };
  const detail = `it lists no number ${account.externalId}`;
  return wrong("wabaId", { code: "WRONG_WABA_ID", detail }, "is not the number's business account");
}

async function ask(
  http: Http,
  account: ChannelAccount,
  method: "GET" | "POST",
  path: string,
): Promise<Answer> {
  const token = account.secrets["accessToken"] ?? "";
  try {
    const response = await http.request({
      method,
      url: `${account.apiUrl}${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.status < 200 || response.status >= 300)
      return outcomeOfWhatsAppFailure(response, token);
    const body = readGraphAnswer(response);
    return body === null ? notThePlatform(path) : { ok: true, body };
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

/** No permission: the token opens the node for nobody. */
const isPermission = (code: string): boolean => code === "10" || /^2\d\d$/.test(code);

/** 100 in its forms: no such object, or an object of another kind. */
const isNoObject = ({ code }: FailedOutcome): boolean => code === "100" || code === "33";

/**
 * Whether what answers has no object for the token's own app either, which the Graph API has for every token: a proxy or an
 * emulator that passes only sends, and whose refusal says nothing about an id.
 */
async function knowsNothing(http: Http, account: ChannelAccount): Promise<boolean> {
  const app = await ask(http, account, "GET", "/app?fields=id");
  return !app.ok && isNoObject(app);
}

/** The value that a refusal is about: the token, its permissions, else the id that was asked for. */
function blame(failure: FailedOutcome, asked?: Value, words = ""): AccountFault {
  if (["190", "102", "104"].includes(failure.code))
    return wrong("accessToken", failure, "is not taken");
  if (isPermission(failure.code)) return wrong("accessToken", failure, "lacks a permission");
  if (asked !== undefined && isNoObject(failure)) return wrong(asked, failure, words);
  // Any other refusal of Meta is about this question alone.
  return failure.reason === "rejected" ? { ...failure, reason: "unreachable" } : failure;
}

function wrong(
  field: Value,
  { code, detail }: Pick<FailedOutcome, "code" | "detail">,
  words: string,
): AccountFault {
  const whole = `${NAMES[field]} ${words}. It stands at ${WHERE[field]}. Meta said: ${detail}`;
  return { ok: false, reason: "misconfigured", scope: "account", code, detail: whole, field };
}

const NAMES = {
  accessToken: "the access token",
  phoneNumberId: "the phone number id",
  wabaId: "the WABA id",
  appSecret: "the app secret",
} as const satisfies Record<Value, string>;

const notThePlatform = (path: string): FailedOutcome => ({
  ok: false,
  reason: "unreachable",
  code: "BROKEN_ANSWER",
  // Without the query, which may contain the proof.
  detail: `what answers at ${path.replace(/\?.*/, "")} is not the Graph API`,
});
