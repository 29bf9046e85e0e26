import type { AddressInfo } from "node:net";
import library, { type Pdu, type Session } from "smpp";
import { SimClock, type BaseClock } from "../core/clock.ts";
import { isMagic } from "../core/fault.ts";
import { Ledger } from "../core/ledger.ts";
import { loopback } from "../core/server.ts";

export interface SmppAccount {
  readonly systemId: string;
  readonly password: string;
}

export interface SmppOptions {
  readonly host?: string;
  readonly port?: number;
  readonly clock?: BaseClock;
  readonly accounts?: readonly SmppAccount[];
  /** How receipts name the message: by TLVs, or only by their text. Default "tlv". */
  readonly receipts?: "tlv" | "text";
  /** The answered ids are hexadecimal and those in receipts decimal, or both are the same. Default "same". */
  readonly ids?: "same" | "hex";
  readonly magic?: boolean;
}

/** A whole message, put together from its parts. */
export interface SmppMessage {
  /** Id of the last part: the one that receipts name. */
  readonly id: string;
  readonly systemId: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly parts: number;
  readonly dataCoding: number;
  /** Whether its last part asked for a receipt. */
  readonly wantsReceipt: boolean;
}

const REFUSE: Readonly<Record<string, number>> = {
  "0008": 0x08,
  "0011": 0x0b,
  "0014": 0x14,
  "0058": 0x58,
  "0045": 0x45,
};
const FAIL: Readonly<Record<string, readonly [stat: string, state: number]>> = {
  "0101": ["UNDELIV", 5],
  "0102": ["EXPIRED", 3],
  "0103": ["REJECTD", 8],
};

/**
 * An emulated SMSC on the server side of npm `smpp`: the library speaks the protocol on both ends, the SMSC's
 * behaviour is ours. Recipients ending in 0907 get no receipt, 0911: accepted and the link cut, 0912: the link cut
 * before, 0913: answered at `release()`, 0918: the receipt overtakes the answer. For a text in parts: to 0921 the
 * second part is refused, at 0922 the link is cut with the second, at 0923 the second is refused at `release()`.
 */
export class SmppEmulator implements AsyncDisposable {
  readonly options: SmppOptions;
  readonly clock: SimClock;
  readonly ledger = new Ledger(1_000_000);
  readonly accounts = new Map<string, string>();
  readonly #server;
  readonly #bound = new Map<Session, string>();
  #messages: SmppMessage[] = [];
  #waiting: { message: SmppMessage; stat: string; state: number; tries: number }[] = [];
  #held: (() => void)[] = [];
  readonly #halves = new Map<string, Map<number, string>>();
  #lastId = 2_863_311_530;
  #mute = false;
  #refusals: number[] = [];
  #laterRefusals: number[] = [];
  #shortBinds = 0;
  /** On which of the account's links receipts and inbound messages come. */
  deliverOver: "first" | "last" = "first";
  /** The number of binds, and of keep-alives received. */
  binds = 0;
  enquiries = 0;

  constructor(options: SmppOptions) {
    this.options = options;
    this.clock = new SimClock(options.clock);
    for (const { systemId, password } of options.accounts ?? [])
      this.accounts.set(systemId, password);
    this.#server = library.createServer((session) => this.#serve(session));
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.options.port ?? 0, loopback(this.options.host), () => resolve());
    });
    return this;
  }
  /** For the provider's `api_url`. */
  get url(): string {
    const address = this.#server.address() as AddressInfo | null;
    return `smpp://127.0.0.1:${address?.port ?? 0}`;
  }
  messages(): readonly SmppMessage[] {
    return this.#messages;
  }
  get links(): number {
    return this.#bound.size;
  }
  /** Cuts every link, as a restarting peer does. */
  cut(): void {
    for (const session of this.#bound.keys()) session.destroy();
  }
  /** Unbinds every link, as a peer that shuts down properly does. */
  sayGoodbye(): void {
    for (const session of this.#bound.keys()) session.unbind({}, () => session.close());
  }
  /** The next links are cut as soon as they are bound. */
  cutAfterBind(times: number): void {
    this.#shortBinds = times;
  }
  /** Refuses the next `times` submits with a status, for any recipient. */
  refuseNext(status: number, times = 1): void {
    this.#refusals.push(...Array.from({ length: times }, () => status));
  }
  /** Refuses the next `times` submits of a second or later part with a status. */
  refuseLaterParts(status: number, times = 1): void {
    this.#laterRefusals.push(...Array.from({ length: times }, () => status));
  }
  /** From now on nothing is answered, not even keep-alives. */
  mute(on = true): void {
    this.#mute = on;
  }
  /** Answers what was held back. */
  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }
  /** Sends every waiting receipt once; one that is not acknowledged stays. Gives how many were. */
  async flush(): Promise<number> {
    const due = this.#waiting.splice(0);
    let taken = 0;
    for (const one of due) {
      if (await this.#deliver(this.#receipt(one), one.message.systemId)) taken++;
      else if (one.tries < 3) this.#waiting.push({ ...one, tries: one.tries + 1 });
    }
    return taken;
  }
  /** Sends the receipt of a message again, or another one. */
  status(message: SmppMessage, stat: string, state: number): void {
    this.#waiting.push({ message, stat, state, tries: 0 });
  }
  /** A customer writes. True when it was acknowledged. */
  inbound(systemId: string, from: string, to: string, text: string): Promise<boolean> {
    const fields = { source_addr: from, destination_addr: to, esm_class: 0, data_coding: 8 };
    const short_message = Buffer.from(text, "utf16le").swap16();
    return this.#deliver({ ...fields, short_message }, systemId);
  }
  clear(): void {
    this.#messages = [];
    this.#waiting = [];
    this.#held = [];
    this.#refusals = [];
    this.#laterRefusals = [];
    this.#shortBinds = 0;
    this.#halves.clear();
    this.ledger.clear();
  }
  async close(): Promise<void> {
    for (const session of this.#server.sessions.slice()) session.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #serve(session: Session): void {
    session.on("error", () => session.destroy());
    session.on("close", () => this.#bound.delete(session));
    session.on("bind_transceiver", (pdu: Pdu) => {
      if (this.#mute) return;
      const systemId = String(pdu["system_id"]);
      const known = this.accounts.get(systemId);
      const fault = known === undefined ? 0x0f : known === pdu["password"] ? 0 : 0x0e;
      session.send(pdu.response({ command_status: fault, system_id: "PARLEY-EMULATOR" }));
      if (fault !== 0) return;
      this.binds++;
      if (this.#shortBinds-- > 0) return void session.socket.end(() => session.destroy());
      this.#bound.set(session, systemId);
    });
    session.on("enquire_link", (pdu: Pdu) => {
      this.enquiries++;
      if (!this.#mute) session.send(pdu.response());
    });
    session.on("unbind", (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
    session.on("submit_sm", (pdu: Pdu) => this.#submit(session, pdu));
  }

  #submit(session: Session, pdu: Pdu): void {
    const systemId = this.#bound.get(session);
    // ESME_RINVBNDSTS
    if (systemId === undefined) return void session.send(pdu.response({ command_status: 0x04 }));
    if (this.#mute) return;
    const to = String(pdu["destination_addr"]);
    const magic = this.options.magic !== false && isMagic(to) ? to.slice(-4) : "";
    const part = headerOf(pdu)[4] ?? 1;
    const status = this.#refusals.shift() ?? this.#refusalOfPart(part, magic) ?? REFUSE[magic];
    const refused = /^\d{7,15}$/.test(to) ? status : 0x0b;
    if (refused !== undefined) {
      const refuse = () => void session.send(pdu.response({ command_status: refused }));
      return magic === "0913" || magic === "0923" ? void this.#held.push(refuse) : refuse();
    }
    if (magic === "0912" || (magic === "0922" && part > 1)) return session.destroy();
    const number = ++this.#lastId;
    const id = this.options.ids === "hex" ? number.toString(16).toUpperCase() : String(number);
    const message = this.#put(systemId, pdu, to, id);
    const answer = () => void session.send(pdu.response({ message_id: id }));
    if (message?.wantsReceipt === true && magic !== "0907") {
      const [stat, state] = FAIL[magic] ?? ["DELIVRD", 2];
      this.#waiting.push({ message, stat, state, tries: 0 });
    }
    if (magic === "0911") session.destroy();
    else if (magic === "0913") this.#held.push(answer);
    else answer();
    // At once: before anybody had time to store the id.
    if (magic === "0918") void this.flush();
  }

  #refusalOfPart(part: number, magic: string): number | undefined {
    if (part === 1) return undefined;
    return this.#laterRefusals.shift() ?? (["0921", "0923"].includes(magic) ? 0x14 : undefined);
  }

  /** The message, when this was the last of its parts. */
  #put(systemId: string, pdu: Pdu, to: string, id: string): SmppMessage | null {
    const { message } = Object(pdu["short_message"]) as { message: string };
    const [, , reference = 0, total = 1, number = 1] = headerOf(pdu);
    const from = String(pdu["source_addr"]);
    const key = `${systemId} ${from} ${to} ${reference}`;
    const parts = this.#halves.get(key) ?? new Map<number, string>();
    parts.set(number, message);
    if (parts.size < total) {
      this.#halves.set(key, parts);
      return null;
    }
    this.#halves.delete(key);
    const ordered = [...parts].toSorted(([a], [b]) => a - b).map(([, text]) => text);
    const whole: SmppMessage = {
      id,
      systemId,
      from,
      to,
      text: ordered.join(""),
      parts: total,
      dataCoding: Number(pdu["data_coding"]),
      wantsReceipt: pdu["registered_delivery"] === 1,
    };
    this.#messages.push(whole);
    this.ledger.accept(systemId, to, whole.text);
    return whole;
  }

  #receipt({
    message,
    stat,
    state,
  }: {
    message: SmppMessage;
    stat: string;
    state: number;
  }): object {
    const id = this.options.ids === "hex" ? String(Number.parseInt(message.id, 16)) : message.id;
    const at = new Date(this.clock.now()).toISOString().replaceAll(/[-:T]/g, "").slice(2, 12);
    const delivered = stat === "DELIVRD" ? "001" : "000";
    const text = `id:${id} sub:001 dlvrd:${delivered} submit date:${at} done date:${at} stat:${stat} err:000 text:`;
    return {
      source_addr: message.to,
      destination_addr: message.from,
      esm_class: 0x04,
      short_message: Buffer.from(text),
      ...(this.options.receipts !== "text" && { receipted_message_id: id, message_state: state }),
    };
  }

  #deliver(fields: object, systemId: string): Promise<boolean> {
    const links = [...this.#bound].filter(([, id]) => id === systemId);
    const session = links.at(this.deliverOver === "first" ? 0 : -1)?.[0];
    if (!session) return Promise.resolve(false);
    return new Promise((resolve) => {
      session.on("close", () => resolve(false));
      session.deliver_sm(fields, (answer) => resolve(answer.command_status === 0));
    });
  }
}

/** `05 00 03 reference total number` of a part; empty for a whole text. */
function headerOf(pdu: Pdu): readonly number[] {
  const { udh } = Object(pdu["short_message"]) as { udh?: Buffer[] };
  return [...(udh?.[0] ?? [])];
}

/** Starts an emulated SMSC on a loopback port. */
export function createSmppEmulator(options: SmppOptions = {}): Promise<SmppEmulator> {
  return new SmppEmulator(options).listen();
}
