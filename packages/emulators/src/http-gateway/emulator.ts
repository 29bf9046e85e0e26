import type { Fault } from "../core/fault.ts";
import { json, type Answer, type Call } from "../core/server.ts";
import { GatewayRefusal, SmsGateway } from "../sms/gateway.ts";
import type { GatewayCall, GatewayMessage, GatewayOptions, GatewayState } from "../sms/options.ts";
import { shownAsGsm } from "../twilio/segments.ts";

export interface HttpGatewayOptions extends GatewayOptions {
  readonly user?: string;
  readonly password?: string;
  /** "text": `100 id=…` or a code, "json": a document. Always HTTP 200. Default "text". */
  readonly answer?: "text" | "json";
}

/**
 * A gateway of the old kind (one GET with the password in it, HTTP 200 and a code as text), as several in the Gulf
 * are. The code numbers are gateway.sa's; the form of the answers is our own. `/send` takes UID, P, S, G, M, IID,
 * L in the query, as a form, as JSON or as XML; L is L (Latin) or A (Arabic).
 */
export class HttpGatewayEmulator extends SmsGateway {
  readonly name = "http";
  protected readonly throttleCode = "110";
  protected readonly codes = {
    refuse: { "0003": "102", "0005": "105", "0008": "108", "0429": "110" },
    fail: { "0101": "UNDELIV", "0102": "BLOCKED" },
  };
  readonly #own: HttpGatewayOptions;

  constructor(options: HttpGatewayOptions) {
    super(options);
    this.#own = options;
  }

  protected recipientOf(call: Call): string | null {
    return call.path === "/send" ? (read(call)["G"] ?? "") : null;
  }
  protected async route(call: Call, fault: { current: Fault | null }): Promise<Answer> {
    if (call.path !== "/send") return { status: 404, body: "" };
    const { UID, P, S: from = "", G: to = "", M: text = "", L = "L", IID = "", D } = read(call);
    if (UID !== (this.#own.user ?? "user") || P !== (this.#own.password ?? "password"))
      throw new GatewayRefusal("102");
    if (from === "") throw new GatewayRefusal("106");
    if (!/^\d{8,15}$/.test(to)) throw new GatewayRefusal("108");
    const shown = L === "A" ? text : shownAsGsm(text);
    const id = this.random.hex(6);
    const message = await this.take(
      { id, account: "http", from, to, text: shown, correlation: IID, receiptUrl: D ?? null },
      fault,
    );
    if (!message) return { status: 200, body: "" };
    if (this.#own.answer === "json") return json(200, { result: { ok: true, id } });
    return { status: 200, headers: { "content-type": "text/plain" }, body: `100 id=${id}` };
  }
  protected refuse({ code, message }: GatewayRefusal, status: number | undefined): Answer {
    if (this.#own.answer === "json")
      return json(status ?? 200, { result: { ok: false }, error: { code, message } });
    const body = `${code} ${message}`.trim();
    return { status: status ?? 200, headers: { "content-type": "text/plain" }, body };
  }
  protected receipts(
    message: GatewayMessage,
    state: GatewayState,
    code: string | null,
  ): GatewayCall[] {
    if (message.receiptUrl === null || state === "accepted" || state === "sent") return [];
    const url = new URL(message.receiptUrl);
    url.searchParams.set("msgid", message.id);
    url.searchParams.set("state", state === "delivered" ? "DELIVRD" : (code ?? "UNDELIV"));
    return [{ method: "GET", url: url.href, headers: {} }];
  }
}

function read(call: Call): Record<string, string | undefined> {
  const text = call.body.toString("utf8").trim();
  const query = Object.fromEntries(call.query);
  if (text.startsWith("{")) return { ...query, ...(JSON.parse(text) as Record<string, string>) };
  if (!text.startsWith("<")) return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
  const named: Readonly<Record<string, string>> = {
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    amp: "&",
  };
  const elements = [...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, name = "", value = ""]) => [
    name,
    value.replaceAll(/&(\w+);/g, (whole, entity: string) => named[entity] ?? whole),
  ]);
  return { ...query, ...(Object.fromEntries(elements) as Record<string, string>) };
}

/** Starts a gateway of the old kind on a loopback port. */
export function createHttpGatewayEmulator(
  options: HttpGatewayOptions = {},
): Promise<HttpGatewayEmulator> {
  return new HttpGatewayEmulator(options).listen();
}
