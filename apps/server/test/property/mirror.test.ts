import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pruneEvents } from "../../src/webhooks/prune-events.ts";
import { mulberry } from "../crash/mulberry.ts";
import { LONG } from "../group.ts";
import { startApi, type Api } from "../v1/api.ts";

/** What a program does with contacts, at random; a mirror that knows them by the feed alone has to equal the records. */
const ACTS = LONG ? 10_000 : 80;
const DAYS_31 = 31 * 86_400_000;

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api[Symbol.asyncDispose]());

type Json = Readonly<Record<string, unknown>>;
interface FeedPage {
  readonly items: readonly { readonly type: string; readonly data: Json }[];
  readonly nextAfter: number;
  readonly hasMore: boolean;
  readonly gap: boolean;
}

async function call(
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  json?: object,
) {
  // A key has 120 calls in a minute.
  api.clock.advance(600);
  return api.call(method, path, { ...(json && { json }), documented: false });
}

/** All contacts, also those who opted out: a search without a definition. */
async function records(): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  for (let cursor: unknown; cursor !== null;) {
    const page = await call("POST", "/contacts/search", {
      limit: 200,
      ...(typeof cursor === "string" && { cursor }),
    });
    assert.equal(page.status, 200, page.text);
    for (const contact of page.body["items"] as Json[]) found.set(String(contact["id"]), contact);
    cursor = page.body["nextCursor"] ?? null;
  }
  return found;
}

/** A copy of the contacts in a program of its own. What it keeps survives its restarts. */
class Mirror {
  #kept = JSON.stringify({ after: 0, contacts: [] as [string, Json][] });
  after = 0;
  contacts = new Map<string, Json>();
  gaps = 0;

  /** Reads the feed to its end. `dies`: whether it dies after this page, before it keeps what it did. */
  async follow(dies: () => boolean): Promise<void> {
    for (;;) {
      const page = await this.#page(`/events?after=${this.after}&limit=500`);
      if (page.gap) {
        await this.#begin();
        continue;
      }
      for (const { type, data } of page.items) this.#apply(type, data);
      this.after = page.nextAfter;
      if (dies()) this.#restart();
      else this.#keep();
      if (!page.hasMore && this.after >= page.nextAfter) return;
    }
  }

  /** Begins again from the records: the place first, so that what changes meanwhile is read after it. */
  async #begin(): Promise<void> {
    this.gaps += 1;
    this.after = (await this.#page("/events?after=latest")).nextAfter;
    this.contacts = await records();
    this.#keep();
  }

  async #page(path: string): Promise<FeedPage> {
    const { status, text } = await call("GET", path);
    assert.equal(status, 200, text);
    return JSON.parse(text) as FeedPage;
  }

  #apply(type: string, data: Json): void {
    if (type === "contact.deleted") this.contacts.delete(String(data["contactId"]));
    else if (type === "contact.merged") this.contacts.delete(String(data["mergedId"]));
    else if (type.startsWith("contact.")) {
      const contact = data["contact"] as Json | null;
      // Of an erased person the events hold nothing any more.
      if (contact) this.contacts.set(String(contact["id"]), contact);
    }
  }

  #keep(): void {
    this.#kept = JSON.stringify({ after: this.after, contacts: [...this.contacts] });
  }
  #restart(): void {
    const kept = JSON.parse(this.#kept) as { after: number; contacts: [string, Json][] };
    this.after = kept.after;
    this.contacts = new Map(kept.contacts);
  }
}

/** Both sides in the members that the feed's contacts have, which are those of `GET /contacts`. */
function sameAs(mirror: ReadonlyMap<string, Json>, kept: ReadonlyMap<string, Json>): void {
  const isOfBoth = ([name]: readonly [string, unknown]) => name !== "updatedAt" && name !== "refs";
  const shown = (contacts: ReadonlyMap<string, Json>) =>
    [...contacts]
      .map(([id, one]) => [id, Object.fromEntries(Object.entries(one).filter(isOfBoth))] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(shown(mirror), shown(kept));
}

test("a mirror fed by the feed alone equals the records, over restarts, erasures and one gap", async () => {
  const random = mulberry(20_261_129);
  const mirror = new Mirror();
  const ids: string[] = [];
  const erased: string[] = [];
  const any = () => ids[Math.floor(random() * ids.length)] ?? "";
  const forget = (id: string) => ids.splice(ids.indexOf(id), 1);
  const act = async (n: number): Promise<void> => {
    const draw = random();
    const id = any();
    if (draw < 0.4 || ids.length < 3) {
      const marked = { name: `Person ${n}`, phone: `2010${String(10_000_000 + n)}`, tags: ["new"] };
      const made = await call("POST", "/contacts", marked);
      assert.equal(made.status, 201, made.text);
      ids.push(String(made.body["id"]));
    } else if (draw < 0.7) {
      const changed = await call("PATCH", `/contacts/${id}`, {
        notes: `note ${n}`,
        tags: [`t${n % 7}`],
        ...(random() < 0.3 && { attributes: { visits: n } }),
      });
      assert.equal(changed.status, 200, changed.text);
    } else if (draw < 0.8) {
      const out = await call("PUT", `/contacts/${id}/consent`, { optedOut: true });
      assert.equal(out.status, 200, out.text);
    } else if (draw < 0.9) {
      const mergedId = any();
      if (mergedId === id) return;
      const merged = await call("POST", `/contacts/${id}/merge`, { mergedId });
      assert.equal(merged.status, 200, merged.text);
      forget(mergedId);
    } else {
      const { body } = await call("GET", `/contacts/${id}`);
      const gone = await call("DELETE", `/contacts/${id}`);
      assert.equal(gone.status, 202, gone.text);
      erased.push(String(body["phone"]));
      forget(id);
    }
  };
  for (let n = 0; n < ACTS; n++) {
    await act(n);
    if (n === Math.floor(ACTS / 2)) {
      // The mirror was away for longer than events are kept.
      api.clock.advance(DAYS_31);
      while ((await pruneEvents(api.app, 1_000)) > 0);
    }
    if (random() < 0.05) await api.app.drain();
    if (random() < 0.1 && n < ACTS / 2 - 5) await mirror.follow(() => random() < 0.3);
    else if (random() < 0.1 && n > ACTS / 2) await mirror.follow(() => random() < 0.3);
  }
  await api.app.drain();
  await mirror.follow(() => false);
  assert.equal(mirror.gaps, 1);
  sameAs(mirror.contacts, await records());
  const held = JSON.stringify([...mirror.contacts]);
  const phones = new Set(erased);
  assert.ok(phones.size > 0);
  for (const phone of phones) assert.ok(!held.includes(phone), `${phone} was erased`);
});
