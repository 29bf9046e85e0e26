import type { Fault } from "../core/fault.ts";
import { json, type Answer, type Call } from "../core/server.ts";
import { GatewayRefusal, SmsGateway } from "../sms/gateway.ts";
import type { GatewayCall, GatewayMessage, GatewayOptions, GatewayState } from "../sms/options.ts";
import { countParts, shownAsGsm } from "../twilio/segments.ts";
import { signVonage, type VonageSignatureMethod } from "./signature.ts";

export interface VonageAccount {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Signs receipts when set. */
  readonly signatureSecret?: string;
  readonly signatureMethod?: VonageSignatureMethod;
}

export interface VonageOptions extends GatewayOptions {
  readonly accounts?: readonly VonageAccount[];
  /** How receipts come. Default "json". */
  readonly receiptForm?: "json" | "form" | "get";
}

const WORDS: Readonly<Record<string, string>> = {
  "1": "Throughput Rate Exceeded - please wait [ 250 ] and retry",
  "2": "Missing to param",
  "3": "Invalid value for param",
  "4": "Bad Credentials",
  "5": "Internal Error",
  "6": "Unroutable message",
  "7": "Number barred",
  "8": "Partner account barred",
  "9": "Partner quota exceeded",
  "12": "Message too long",
  "15": "Illegal Sender Address - rejected",
  "29": "Non White-listed Destination - rejected",
  "33": "Number De-activated",
};

/** An emulated Vonage SMS API: always HTTP 200, with one element of `messages` per part. */
export class VonageEmulator extends SmsGateway {
  readonly name = "vonage";
  protected readonly throttleCode = "1";
  protected readonly codes = {
    refuse: {
      "0003": "4",
      "0006": "6",
      "0007": "7",
      "0009": "9",
      "0015": "15",
      "0033": "33",
      "0429": "1",
      "0500": "5",
    },
    fail: { "0102": "2", "0103": "3", "0104": "4", "0106": "6", "0111": "11" },
  };
  readonly accounts = new Map<string, VonageAccount>();
  readonly #form: NonNullable<VonageOptions["receiptForm"]>;
  #wrongSignatures = 0;
  /** The status with which the second and later parts of sends to these numbers are refused. */
  #splitRefusal: string | null = null;

  constructor(options: VonageOptions) {
    super(options);
    this.#form = options.receiptForm ?? "json";
    for (const account of options.accounts ?? []) this.addAccount(account);
  }

  addAccount(account: VonageAccount): void {
    this.accounts.set(account.apiKey, account);
  }
  /** Signs the next receipts wrongly. */
  spoilSignature(calls = 1): void {
    this.#wrongSignatures = calls;
  }
  /** The next send of several parts: the first is accepted, the others are refused. */
  refuseLaterParts(status: string): void {
    this.#splitRefusal = status;
  }

  protected recipientOf(call: Call): string | null {
    return call.path === "/sms/json" ? (read(call)["to"] ?? "") : null;
  }

  protected async route(call: Call, fault: { current: Fault | null }): Promise<Answer> {
    if (call.path !== "/sms/json" || call.method !== "POST") return json(404, {});
    const form = read(call);
    const [key, secret] = credentialsOf(call, form);
    const account = this.accounts.get(key);
    if (!account || account.apiSecret !== secret) throw new GatewayRefusal("4");
    const { to = "", from = "", text = "", type = "text", callback } = form;
    const reference = form["client-ref"] ?? "";
    if (to === "") throw new GatewayRefusal("2");
    if (from === "") throw new GatewayRefusal("2", "Missing from param");
    if (text === "") throw new GatewayRefusal("2", "Missing text param");
    if (!/^\d{7,15}$/.test(to)) throw new GatewayRefusal("3", "Invalid value for param: to");
    if (reference.length > 40) throw new GatewayRefusal("3", "Invalid value for param: client-ref");
    // As a phone would show it: without type=unicode, characters outside GSM become question marks.
    const shown = type === "unicode" ? text : shownAsGsm(text);
    const parts = countParts(shown);
    const ids = Array.from({ length: parts }, () => this.#id());
    const refused = parts > 1 ? this.#splitRefusal : null;
    if (refused !== null) this.#splitRefusal = null;
    const message = await this.take(
      {
        id: ids[0] ?? "",
        account: account.apiKey,
        from,
        to,
        text: shown,
        correlation: reference,
        receiptUrl: callback ?? null,
        facts: { ids: ids.join(","), type },
      },
      fault,
    );
    if (!message) return json(200, {});
    const elements = ids.map((id, index) =>
      index > 0 && refused !== null
        ? { to, status: refused, "error-text": WORDS[refused] ?? "" }
        : {
            to,
            "message-id": id,
            status: "0",
            "remaining-balance": "3.14",
            "message-price": "0.0333",
            network: "41902",
            ...(reference !== "" && { "client-ref": reference }),
          },
    );
    return json(200, { "message-count": String(parts), messages: elements });
  }

  protected refuse(refusal: GatewayRefusal, status: number | undefined): Answer {
    const text = refusal.message || WORDS[refusal.code] || "";
    return json(status ?? 200, {
      "message-count": "1",
      messages: [{ status: refusal.code, "error-text": text }],
    });
  }

  protected receipts(
    message: GatewayMessage,
    state: GatewayState,
    code: string | null,
  ): GatewayCall[] {
    const account = this.accounts.get(message.account);
    const { receiptUrl } = message;
    if (!account || receiptUrl === null) return [];
    const status = {
      accepted: "accepted",
      sent: "buffered",
      delivered: "delivered",
      failed: "failed",
    };
    return (message.facts["ids"] ?? "").split(",").map((messageId) => {
      const at = new Date(this.clock.now()).toISOString();
      const parameters: Record<string, string> = {
        msisdn: message.to,
        to: message.from,
        "network-code": "41902",
        messageId,
        price: "0.033",
        status: code === "6" ? "rejected" : status[state],
        scts: at.replaceAll(/[-T:]/g, "").slice(2, 12),
        "err-code": code ?? "0",
        "api-key": account.apiKey,
        ...(message.correlation !== "" && { "client-ref": message.correlation }),
        "message-timestamp": `${at.slice(0, 10)} ${at.slice(11, 19)} +0000`,
      };
      return this.#call(receiptUrl, account, parameters);
    });
  }

  #call(url: string, account: VonageAccount, given: Record<string, string>): GatewayCall {
    const parameters = { ...given };
    if (account.signatureSecret !== undefined) {
      parameters["timestamp"] = String(Math.floor(this.clock.now() / 1000));
      parameters["nonce"] = this.#id();
      const secret = account.signatureSecret + (this.#wrongSignatures-- > 0 ? "x" : "");
      parameters["sig"] = signVonage(parameters, secret, account.signatureMethod ?? "md5hash");
    }
    if (this.#form === "json")
      return {
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(parameters),
      };
    const query = new URLSearchParams(parameters).toString();
    if (this.#form === "get") {
      const address = `${url}${url.includes("?") ? "&" : "?"}${query}`;
      return { method: "GET", url: address, headers: {} };
    }
    return {
      method: "POST",
      url,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: query,
    };
  }

  #id(): string {
    const hex = this.random.hex(16);
    return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join("-");
  }
}

/** In the body, or in the header as Vonage's own SDK has them. */
function credentialsOf(call: Call, form: Readonly<Record<string, string>>): [string, string] {
  const basic = /^Basic (.+)$/i.exec(call.headers.authorization ?? "")?.[1];
  if (basic === undefined) return [form["api_key"] ?? "", form["api_secret"] ?? ""];
  const [key = "", ...rest] = Buffer.from(basic, "base64").toString("utf8").split(":");
  return [key, rest.join(":")];
}

function read(call: Call): Record<string, string> {
  const text = call.body.toString("utf8");
  if (!(call.headers["content-type"] ?? "").includes("json"))
    return Object.fromEntries(new URLSearchParams(text));
  const parsed: unknown = JSON.parse(text);
  return Object.fromEntries(
    Object.entries({ ...(parsed as object) }).map(([name, value]) => [name, String(value)]),
  );
}

/** Starts an emulated Vonage SMS API on a loopback port. */
export function createVonageEmulator(options: VonageOptions = {}): Promise<VonageEmulator> {
  return new VonageEmulator(options).listen();
}
