import { Delivery } from "./delivery.ts";
import { Link, type SessionTry } from "./link.ts";
import { alone, newId } from "./lock.ts";
import { Outbox } from "./outbox.ts";
import type { ChatMessage, SiteUser, Upload } from "./protocol.ts";
import { Receipts } from "./receipts.ts";
import type { Server } from "./server.ts";
import type { SseFrame } from "./sse.ts";
import { BLANK, type Store } from "./state.ts";
import type { KeyValue } from "./storage.ts";
import {
  afterSession,
  lastFromAgent,
  lastUnread,
  merge,
  unreadAfter,
  withStatus,
} from "./timeline.ts";
import { Typing } from "./typing.ts";

/** Told to other tabs: not the same person who has signed in, but another one. */
const SOMEBODY_ELSE = "other ";

/** One visitor's conversation: what the pages of the widget do, whatever they look like. */
export class Chat {
  readonly server: Server;
  readonly #store: Store;
  readonly #storage: KeyValue;
  readonly #wish: () => string;
  readonly #keys: {
    token: string;
    person: string;
    read: string;
    look: string;
    turn: string;
    quiet: string;
  };
  readonly #outbox: Outbox;
  readonly #receipts: Receipts;
  readonly #delivery: Delivery;
  readonly #link: Link;
  readonly typing: Typing;
  /** The panel was open on the page before and is so again, without anybody having asked now. */
  reopened = false;
  /** Called with every message that is new here, from either side. */
  onMessage: (message: ChatMessage) => void = () => {};
  #user: SiteUser | null = null;
  /** Whose proof was taken last on this page. */
  #proven: string | null = null;
  #hasSession = false;
  #opening: Promise<SessionTry> | null = null;
  /** Counts changes of person: what was asked for before one does not count after it. */
  #person = 0;
  #started = false;
  readonly #begun = Promise.withResolvers<void>();

  /** `wish`: the language that this page and this browser ask for, whatever the channel has. */
  constructor(server: Server, store: Store, storage: KeyValue, prefix: string, wish: () => string) {
    this.server = server;
    this.#store = store;
    this.#wish = wish;
    this.#storage = storage;
    const key = (name: string) => `${prefix}${name}`;
    this.#keys = {
      token: key("token"),
      person: key("person"),
      read: key("read"),
      look: key("look"),
      turn: key("session"),
      quiet: key("quiet"),
    };
    this.#outbox = new Outbox(storage, key("out:"));
    this.#receipts = new Receipts(server);
    this.typing = new Typing(server, (agentTyping) => store.set({ agentTyping }));
    this.#delivery = new Delivery(server, this.#outbox, storage, {
      ready: () => this.#ready(),
      stored: (message) => this.#received([message]),
      changed: () => this.#showPending(),
      sessionEnded: () => this.#sessionEnded(),
    });
    this.#link = new Link(server, key("ear"), {
      session: () => this.#session(),
      sessionEnded: () => (this.#hasSession = false),
      frame: (frame) => this.#heard(frame),
      connection: (connection) => {
        store.set({ connection });
        if (connection !== "online") return;
        this.#delivery.hurry();
        void this.#receipts.flush();
      },
    });
    server.token = storage.get(this.#keys.token);
    document.addEventListener("visibilitychange", () => this.#look());
    addEventListener("storage", (event) => this.#otherTab(event.key));
  }

  /** Begins: a returning visitor's session opens at once, a new one's only when the panel opens. */
  start(): void {
    this.#started = true;
    this.#showPending();
    if (this.server.token !== null || this.#user || this.#store.state.open) this.#connect();
    this.#begun.resolve();
  }

  setOpen(open: boolean): void {
    this.#store.set({ open });
    if (!open) this.typing.visitorStopped();
    else if (this.#started) this.#connect();
    this.#look();
  }

  send(text: string, uploads: readonly Upload[]): void {
    const written = text.trim();
    if (written === "" && uploads.length === 0) return;
    const now = new Date();
    this.#outbox.add(
      {
        clientId: newId(),
        text: written === "" ? null : written,
        uploads,
        createdAt: now.toISOString(),
      },
      now.getTime(),
    );
    this.typing.visitorSent();
    this.#showPending();
    this.#connect();
    this.#delivery.hurry();
  }

  retry(clientId: string): void {
    this.#outbox.retry(clientId, Date.now());
    this.#showPending();
    this.#delivery.hurry();
  }

  discard(clientId: string): void {
    this.#outbox.remove(clientId);
    this.#showPending();
  }

  /** Uploads a file, with a new session when the old one has ended; null when none is to be had now. */
  async upload(
    file: File,
    progress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<Upload | null> {
    for (let attempt = 1; attempt <= 2 && (await this.#ready()); attempt++) {
      const answer = await this.server.upload(file, progress, signal);
      if (answer.ok) return answer.value;
      if (answer.status !== 401) return null;
      this.#sessionEnded();
    }
    return null;
  }

  /** Identifies the visitor as a user of the site. False when the server does not take the proof; then nothing changes. */
  async identify(user: SiteUser): Promise<boolean> {
    const same = JSON.stringify(user) === JSON.stringify(this.#user);
    const other = this.#proven !== null && (user.id ?? this.#proven) !== this.#proven;
    this.#user = user;
    if (!this.#started) await this.#begun.promise;
    else if (!same) this.#changePerson();
    const taken = (await this.#ready()) && this.#user === user;
    if (taken && other) this.#forget();
    if (taken) this.#proven = user.id ?? this.#proven;
    if (taken && !same)
      this.#storage.set(this.#keys.person, (other ? SOMEBODY_ELSE : "") + newId());
    this.#connect();
    return taken;
  }

  /** Ends the visitor's session and forgets the conversation on this device, also in other tabs. */
  async logout(): Promise<void> {
    const told = this.server.token === null ? null : this.server.logout();
    this.#user = this.#proven = null;
    this.#storage.remove(this.#keys.token);
    this.#changePerson();
    this.server.token = null;
    this.#clear();
    this.#forget();
    this.#storage.set(this.#keys.person, SOMEBODY_ELSE + newId());
    if (this.#store.state.open) this.#connect();
    await told;
  }

  /** What the visitor says of themselves when asked. `badEmail`: the server does not take the address. */
  async introduce(
    said: Readonly<Record<string, string>>,
  ): Promise<"stored" | "badEmail" | "notSaved"> {
    for (let attempt = 1; attempt <= 2 && (await this.#ready()); attempt++) {
      const person = this.#person;
      const answer = await this.server.profile(said);
      if (answer.ok) {
        if (person === this.#person) this.#store.set({ asks: [] });
        return "stored";
      }
      if (answer.status === 400) return "badEmail";
      if (answer.status !== 401) break;
      this.#sessionEnded();
    }
    return "notSaved";
  }

  /** The visitor does not want to say it: this browser asks no more. */
  notNow(): void {
    this.#storage.set(this.#keys.quiet, "1");
    this.#store.set({ asks: [] });
  }

  #connect(): void {
    this.#link.start();
  }

  #changePerson(): void {
    this.#person += 1;
    this.#hasSession = false;
    this.#opening = null;
    this.#link.stop();
    this.#link.cursor = null;
    this.#receipts.forget();
  }

  /** What the person before had not sent, or not even finished, is nobody else's. */
  #forget(): void {
    this.#outbox.clear();
    this.#storage.remove(this.#keys.read);
    this.#storage.remove(this.#keys.quiet);
    this.#store.set({ writer: newId() });
    this.#showPending();
  }

  #clear(): void {
    this.#store.set(BLANK);
    this.#showPending();
  }

  /** The token is worth nothing any more: nor is the stream that it opened, which would go on as the former visitor. */
  #sessionEnded(): void {
    this.#hasSession = false;
    this.#link.restart();
  }

  async #ready(): Promise<boolean> {
    return (await this.#session()).kind === "open";
  }

  /** The session, opened when there is none. */
  #session(): Promise<SessionTry> {
    if (this.#hasSession) return Promise.resolve({ kind: "open" });
    if (this.#opening) return this.#opening;
    const opening = this.#openSession(this.#person).finally(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return (this.#opening = opening);
  }

  async #openSession(person: number): Promise<SessionTry> {
    const locale = this.#wish();
    const answer = await alone(this.#keys.turn, this.#storage, async () => {
      // Read inside the turn: two tabs opened at once are one visitor.
      const token = this.#storage.get(this.#keys.token);
      const asked = await this.server.session({
        ...(token !== null && { token }),
        ...(this.#user && { user: this.#user }),
        locale,
      });
      if (asked.ok && person === this.#person)
        this.#storage.set(this.#keys.token, asked.value.token);
      return asked;
    });
    if (person !== this.#person) return { kind: "later", waitMs: 0 };
    if (!answer.ok) {
      if (answer.code === "INVALID_IDENTITY" && this.#user) {
        console.warn("Parley: identify() was refused, the hash does not fit the id");
        this.#user = null;
        return { kind: "later", waitMs: 0 };
      }
      return answer.status === 403 || answer.status === 404
        ? { kind: "refused" }
        : { kind: "later", waitMs: answer.waitMs };
    }
    const session = answer.value;
    this.server.token = session.token;
    this.#hasSession = true;
    this.#link.cursor = session.cursor;
    // A channel that has no language of its own answers with the one asked for: the next page may ask for another.
    const echo = new Intl.Locale(locale).language === session.settings.locale;
    const look = echo ? { ...session.settings, locale: null } : session.settings;
    this.#storage.set(this.#keys.look, JSON.stringify(look));
    const { messages } = this.#store.state;
    const list = afterSession(messages, session.messages);
    // What this tab has of before the session's first message it was told when that was new.
    const longer = list[0]?.id !== session.messages[0]?.id;
    const earlier = longer ? this.#store.state.earlier : session.earlier;
    this.#store.set({
      settings: session.settings,
      messages: list,
      earlier,
      unread: session.unread,
      asks: this.#storage.get(this.#keys.quiet) ? [] : (session.asks ?? []),
    });
    // Another conversation than was shown here: the other tabs show the old one, and have its stream.
    if (messages.some(({ id }) => !list.some((message) => message.id === id)))
      this.#storage.set(this.#keys.person, newId());
    const last = lastFromAgent(session.messages);
    if (last) this.#receipts.note("delivered", last.id);
    this.#showPending();
    this.#look();
    return { kind: "open" };
  }

  #heard(frame: SseFrame): void {
    if (frame.event === "ping" || frame.event === "end") return;
    const data: unknown = JSON.parse(frame.data);
    if (frame.event === "message") {
      const message = data as ChatMessage;
      this.#received([message]);
      if (message.from === "agent") this.typing.agent(false);
    } else if (frame.event === "status") {
      const { id, status } = data as { id: string; status: string };
      this.#store.set({ messages: withStatus(this.#store.state.messages, id, status) });
    } else if (frame.event === "typing") {
      this.typing.agent((data as { active: boolean }).active);
    }
  }

  #received(incoming: readonly ChatMessage[]): void {
    const { messages, unread } = this.#store.state;
    const known = new Set(messages.map((message) => message.id));
    const fresh = incoming.filter((message) => !known.has(message.id));
    const ours = fresh.filter((message) => message.from === "agent");
    this.#store.set({ messages: merge(messages, incoming), unread: unread + ours.length });
    const last = ours.at(-1);
    if (last) this.#receipts.note("delivered", last.id);
    this.#showPending();
    this.#look();
    for (const message of fresh) this.onMessage(message);
  }

  /** Everything is read when the panel is open in front of somebody. */
  #look(): void {
    const { open, messages } = this.#store.state;
    if (!open || document.visibilityState !== "visible") return;
    this.#store.set({ unread: 0 });
    // By what the server says, not by what this browser once told: that may never have arrived.
    const last = lastUnread(messages);
    if (!last) return;
    this.#receipts.note("read", last.id);
    if (this.#storage.get(this.#keys.read) !== last.id) this.#storage.set(this.#keys.read, last.id);
  }

  /** What waits and is not yet known to be stored. */
  #showPending(): void {
    const stored = new Set(this.#store.state.messages.map((message) => message.clientId));
    this.#store.set({
      pending: this.#outbox.all().filter((pending) => !stored.has(pending.clientId)),
    });
  }

  #otherTab(key: string | null): void {
    if (key === null) return;
    const { messages, unread } = this.#store.state;
    if (key === this.#keys.token) {
      const token = this.#storage.get(key);
      if (token !== null) this.server.token = token;
    } else if (key === this.#keys.read) {
      const read = this.#storage.get(key);
      if (read) this.#store.set({ unread: Math.min(unread, unreadAfter(messages, read)) });
    } else if (key === this.#keys.person) {
      this.#changePerson();
      this.#user = null;
      this.server.token = this.#storage.get(this.#keys.token);
      this.#clear();
      if (this.#storage.get(key)?.startsWith(SOMEBODY_ELSE)) {
        // That tab has forgotten the former visitor: doing so again would sign out the present one.
        this.#proven = null;
        this.#store.set({ writer: newId() });
      }
      if (this.server.token !== null || this.#store.state.open) this.#connect();
    } else if (key.startsWith(this.#outbox.prefix)) {
      // Another tab stored it: the message itself is on its way here by the stream, so it does not blink.
      setTimeout(() => this.#showPending(), 1_000);
    }
  }
}
