import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { KEY } from "../../../test/actors.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { OPERATOR, type Actor } from "../../actor.ts";
import { AppError } from "../../errors.ts";
import { findContact } from "../identity/find-contact.ts";
import { mergeContacts } from "../identity/merge-contacts.ts";
import { importContacts } from "../import/import-contacts.ts";
import { createContact } from "../record/create-contact.ts";
import { deleteContact } from "../record/delete-contact.fixture.ts";
import { updateContact } from "../record/update-contact.ts";
import { MAX_ID } from "../../lib/ids.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { changeNumberConsent } from "./change-consent.ts";
import { consentHistory, consentPage } from "./consent-history.ts";
import { setConsent } from "./set-consent.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const ADMIN: Actor = {
  kind: "member",
  memberId: "01a3b0e2-7c00-7000-8000-0123456789ab",
  role: "admin",
};
const phone = "9655001";
const isOut = async (w: string, id: string) => (await findContact(t.app.db, w, id))?.optedOut;
const newWorkspace = async () =>
  (await createWorkspace(OPERATOR, t.app, { name: "A", plan: "business" })).id;
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);
const add = async (w: string, number: string) =>
  (await createContact(OPERATOR, t.app, w, { phone: number })).id;

/** The customer's own word. */
async function says(w: string, contactId: string, word: "stop" | "start", source = "stop_word") {
  t.clock.advance(60_000);
  const at = t.clock.now();
  const change = { workspaceId: w, contactId, optedOut: word === "stop", source, at };
  await t.app.db.transaction((tx) => setConsent(t.app, tx, [change]));
}

/** The roads that give no evidence. Each says whether it reported the opt-in as held. */
const ROADS: Readonly<Record<string, (w: string, id: string) => Promise<boolean>>> = {
  "a key": async (w, id) => {
    let held = false;
    const patch = { optedOut: false, name: "Kept" };
    await updateContact(KEY, t.app, w, id, patch, { held: () => (held = true) });
    assert.equal((await findContact(t.app.db, w, id))?.name, "Kept", "the rest is stored");
    return held;
  },
  "a key with words": async (w, id) => {
    let held = false;
    const options = { evidence: "said so", held: () => (held = true) };
    await updateContact(KEY, t.app, w, id, { optedOut: false }, options);
    return held;
  },
  "an admin": async (w, id) => {
    let held = false;
    await updateContact(ADMIN, t.app, w, id, { optedOut: false }, { held: () => (held = true) });
    return held;
  },
  "an import": async (w, id) => {
    const number = (await findContact(t.app.db, w, id))?.phone ?? "";
    const file = Readable.from([Buffer.from(`phone,optedOut\n${number},no\n`)]);
    const sums = await importContacts(t.app, w, file, { format: "csv", allowOptIn: true });
    return sums.unchanged === 1;
  },
};

/** The ways in which a contact is opted out by the customer's own word. */
const STOPS: Readonly<Record<string, (w: string) => Promise<string>>> = {
  "a stop word": async (w) => {
    const id = await add(w, phone);
    await says(w, id, "stop");
    return id;
  },
  "the platform's switch": async (w) => {
    const id = await add(w, phone);
    await says(w, id, "stop", "platform");
    return id;
  },
  "a stop word of somebody whom we had opted out": async (w) => {
    const id = await add(w, phone);
    await updateContact(ADMIN, t.app, w, id, { optedOut: true });
    await says(w, id, "stop");
    return id;
  },
  "a stop word after START": async (w) => {
    const id = await add(w, phone);
    for (const word of ["stop", "start", "stop"] as const) await says(w, id, word);
    return id;
  },
  "a merge, though the kept contact was opted in later": async (w) => {
    const other = await add(w, "9655002");
    await says(w, other, "stop");
    const id = await add(w, phone);
    await updateContact(ADMIN, t.app, w, id, { optedOut: true });
    await updateContact(ADMIN, t.app, w, id, { optedOut: false });
    await mergeContacts(OPERATOR, t.app, w, id, other);
    return id;
  },
  "the number of a deleted contact": async (w) => {
    const former = await add(w, phone);
    await says(w, former, "stop");
    await deleteContact(t.app, w, former);
    return add(w, phone);
  },
};

test("no road without evidence undoes the customer's own STOP, however it was said; each try stands in the ledger", async () => {
  for (const [said, stopped] of Object.entries(STOPS)) {
    const w = await newWorkspace();
    const id = await stopped(w);
    assert.equal(await isOut(w, id), true, said);
    const tries = async () =>
      (await consentHistory(t.app, w, { contactId: id })).filter(({ held }) => held).length;
    for (const [road, opensIn] of Object.entries(ROADS)) {
      const before = await tries();
      assert.equal(await opensIn(w, id), true, `${road} against ${said}`);
      assert.equal(await isOut(w, id), true, `${road} against ${said}`);
      assert.equal(await tries(), before + 1, `${road} against ${said}`);
      const [shown] = await consentPage(t.app, w, id, MAX_ID, 1);
      assert.equal(shown?.held, false, "the timeline shows what changed");
    }
    const number = { phone, optedOut: false };
    const byNumber = changeNumberConsent(OPERATOR, t.app, w, number);
    assert.equal(await byNumber.catch(codeOf), "CONSENT_HELD", said);
    assert.equal(await isOut(w, id), true, said);
  }
});

test("START, or evidence that a person gives, undoes a STOP; then a later opt-out by others is undone as ever", async () => {
  const lifts: Readonly<Record<string, (w: string, id: string) => Promise<unknown>>> = {
    START: (w, id) => says(w, id, "start"),
    "an admin": (w, id) =>
      updateContact(ADMIN, t.app, w, id, { optedOut: false }, { evidence: "asked in the shop" }),
    "the command line": (w) =>
      changeNumberConsent(OPERATOR, t.app, w, { phone, optedOut: false, evidence: "by phone" }),
  };
  for (const [how, lift] of Object.entries(lifts)) {
    const w = await newWorkspace();
    const id = await add(w, phone);
    await says(w, id, "stop");
    await lift(w, id);
    assert.equal(await isOut(w, id), false, how);
    await updateContact(KEY, t.app, w, id, { optedOut: true });
    await updateContact(KEY, t.app, w, id, { optedOut: false });
    assert.equal(await isOut(w, id), false, how);
    await says(w, id, "stop");
    await updateContact(KEY, t.app, w, id, { optedOut: false });
    assert.equal(await isOut(w, id), true, `a new STOP after ${how}`);
  }
  const w = await newWorkspace();
  const id = await add(w, phone);
  await says(w, id, "stop");
  const empty = updateContact(ADMIN, t.app, w, id, { optedOut: false }, { evidence: " " });
  assert.equal(await empty.catch(codeOf), "VALIDATION_FAILED");
  const evidence = "asked in the shop";
  await updateContact(ADMIN, t.app, w, id, { optedOut: false }, { evidence });
  const [, last] = await consentHistory(t.app, w, { contactId: id });
  assert.deepEqual([last?.optedOut, last?.evidence, last?.held], [false, evidence, false]);
});
