import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { cancelBroadcast } from "../../src/broadcasts/record/change-broadcast.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { updateWorkspace } from "../../src/workspaces/update-workspace.ts";
import { startApi, type Answered, type Api } from "../v1/api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "../v1/fixtures.ts";
import { seed } from "../seed.ts";
import { runsOf } from "./runs.ts";

/** Random days of a workspace, each step foretold by a model written from the spec: status, code and every figure. */
let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

type Step =
  | { readonly kind: "contact"; readonly fine: boolean; readonly key: number }
  | { readonly kind: "reply"; readonly to: "open" | "late" | "none"; readonly key: number }
  | { readonly kind: "burst"; readonly count: number }
  | { readonly kind: "start"; readonly which: number; readonly key: number }
  | { readonly kind: "cancel"; readonly which: number }
  | { readonly kind: "suspend"; readonly on: boolean }
  | { readonly kind: "limit"; readonly messages: number | null };

// Keys 1 to 3 come again and again; 0 is none.
const key = fc.constantFrom(0, 0, 1, 2, 3);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("contact" as const), fine: fc.boolean(), key }),
  fc.record({
    kind: fc.constant("reply" as const),
    to: fc.constantFrom("open" as const, "open" as const, "late" as const, "none" as const),
    key,
  }),
  fc.record({ kind: fc.constant("burst" as const), count: fc.integer({ min: 2, max: 6 }) }),
  fc.record({ kind: fc.constant("start" as const), which: fc.nat(3), key }),
  fc.record({ kind: fc.constant("cancel" as const), which: fc.nat(2) }),
  fc.record({ kind: fc.constant("suspend" as const), on: fc.boolean() }),
  fc.record({
    kind: fc.constant("limit" as const),
    messages: fc.oneof(fc.nat(12), fc.constant(null)),
  }),
);

/** What the model foretells: a status with the code of its refusal, or the status of what was made. */
interface Expected {
  readonly status: number;
  readonly says?: string;
  readonly figures?: readonly [limit: number, usage: number];
}

class Day {
  contacts = 0;
  sent = 0;
  failed = 0;
  suspended = false;
  limit: number | null = 500;
  readonly campaigns: string[] = [];
  /** By key: what was asked and answered. */
  readonly kept = new Map<number, { readonly request: string; readonly text: string }>();
  get used(): number {
    return this.sent + this.failed;
  }

  /** Spec and contract §5, Quota: what every reply is refused for. */
  refusal(): Expected | null {
    const figures = [this.limit ?? 0, this.used] as const;
    if (this.suspended) return { status: 402, says: "SUBSCRIPTION_SUSPENDED", figures };
    return this.limit !== null && this.used >= this.limit
      ? { status: 402, says: "MESSAGE_LIMIT_REACHED", figures }
      : null;
  }

  reply(to: "open" | "late" | "none"): Expected {
    const refusal = this.refusal();
    if (refusal) return refusal;
    if (to === "none") return { status: 400, says: "CONVERSATION_NOT_FOUND" };
    if (to === "open") this.sent++;
    else this.failed++;
    return { status: 201, says: to === "open" ? "sent" : "failed" };
  }

  start(which: number): Expected {
    const state = this.campaigns[which];
    if (state === undefined) return { status: 404, says: "BROADCAST_NOT_FOUND" };
    const figures = [this.limit ?? 0, this.used] as const;
    if (this.suspended) return { status: 402, says: "SUBSCRIPTION_SUSPENDED", figures };
    if (state !== "DRAFT") return { status: 400, says: "BROADCAST_NOT_STARTABLE" };
    this.campaigns[which] = "QUEUED";
    return { status: 201, says: "QUEUED" };
  }

  contact(fine: boolean): Expected {
    if (!fine) return { status: 400, says: "CONTACT_NEEDS_IDENTITY" };
    this.contacts++;
    return { status: 201 };
  }
}

test("whatever happens in whatever order, the API says what the model says", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 22 }), async (steps) => {
      const { workspaceId, bearer } = await api.newWorkspace();
      const channelId = await connectWhatsApp(api, workspaceId);
      const open = await openConversation(api, { workspaceId, channelId });
      const late = await openConversation(api, { workspaceId, channelId, hoursAgo: 25 });
      const templateId = await addTemplate(api, channelId, { name: "t", workspaceId });
      const ids: string[] = [];
      const day = new Day();
      day.contacts = 2;
      for (const name of ["one", "two", "three"]) {
        const campaign = { name, channelId, templateId, variables: { 1: "a", 2: "b" } };
        const kind = "WHATSAPP_TEMPLATE" as const;
        ids.push((await createBroadcast(OPERATOR, api.app, workspaceId, { ...campaign, kind })).id);
        day.campaigns.push("DRAFT");
      }
      const conversations = { open, late, none: api.app.ids.next() };

      const post = (path: string, json: object | undefined, withKey: number) =>
        api.call("POST", path, {
          bearer,
          ...(json && { json }),
          ...(withKey > 0 && { headers: { "idempotency-key": `k${withKey}` } }),
        });
      /** Asks as the step says and holds the answer against what the model foretells. */
      const ask = async (
        path: string,
        json: object | undefined,
        withKey: number,
        foretell: () => Expected,
      ) => {
        const request = `${path} ${JSON.stringify(json)}`;
        const kept = withKey > 0 ? day.kept.get(withKey) : undefined;
        const answer = await post(path, json, withKey);
        if (kept) {
          if (kept.request === request) {
            assert.equal(answer.headers["idempotency-replayed"], "true", answer.text);
            assert.equal(answer.text, kept.text);
          } else assert.equal(answer.body.message, "IDEMPOTENCY_KEY_REUSED", answer.text);
          return;
        }
        const expected = foretell();
        compare(answer, expected);
        // Neither what the input lacks is kept, nor what is mended without changing the request.
        const open = expected.status === 402 || expected.says === "CONTACT_NEEDS_IDENTITY";
        if (withKey > 0 && !open) day.kept.set(withKey, { request, text: answer.text });
      };

      for (const one of steps) {
        switch (one.kind) {
          case "contact":
            await ask("/contacts", one.fine ? { email: "a@b.co" } : { name: "x" }, one.key, () =>
              day.contact(one.fine),
            );
            break;
          case "reply":
            await ask(
              "/messages",
              { conversationId: conversations[one.to], text: "hi" },
              one.key,
              () => day.reply(one.to),
            );
            break;
          case "burst": {
            const json = { conversationId: open, text: "at once" };
            const answers = await Promise.all(
              Array.from({ length: one.count }, () => post("/messages", json, 0)),
            );
            const expected = answers.map(() => day.reply("open").status);
            assert.deepEqual(ordered(answers.map((answer) => answer.status)), ordered(expected));
            break;
          }
          case "start": {
            const id = ids[one.which] ?? conversations.none;
            await ask(`/broadcasts/${id}/start`, undefined, one.key, () => day.start(one.which));
            break;
          }
          case "cancel": {
            const id = ids[one.which] ?? "";
            if (day.campaigns[one.which] !== "CANCELLED")
              await cancelBroadcast(OPERATOR, api.app, workspaceId, id);
            day.campaigns[one.which] = "CANCELLED";
            break;
          }
          case "suspend":
            await updateWorkspace(OPERATOR, api.app, workspaceId, { suspended: one.on });
            day.suspended = one.on;
            break;
          case "limit":
            await updateWorkspace(OPERATOR, api.app, workspaceId, {
              limits: { messages: one.messages },
            });
            day.limit = one.messages;
            break;
        }
      }
      await compareAll(day, bearer);
    }),
    { seed, numRuns: runsOf(40) },
  );
  t.diagnostic(`seed ${seed}`);
});

const ordered = (statuses: readonly number[]) => statuses.toSorted((one, other) => one - other);

function compare(
  { status, body, text }: Answered,
  { status: wanted, says, figures }: Expected,
): void {
  assert.equal(status, wanted, text);
  if (says !== undefined) assert.equal(status === 201 ? body["status"] : body.message, says, text);
  if (figures) assert.deepEqual([body["code"], body["limit"], body["usage"]], [says, ...figures]);
}

/** Everything that can be read agrees with the model. */
async function compareAll(day: Day, bearer: string): Promise<void> {
  const { body } = await api.call("GET", "/usage", { bearer });
  const usage = body["usage"] as Record<string, number>;
  const period = body["period"] as Record<string, number>;
  assert.deepEqual(
    [usage["messages"], usage["failed"], period["sent"], period["failed"], period["total"]],
    [day.used, day.failed, day.sent, day.failed, day.used],
  );
  assert.equal((body["limits"] as Record<string, unknown>)["messages"], day.limit);
  const percent =
    day.limit === null ? null : day.limit === 0 ? 100 : Math.floor((day.used * 100) / day.limit);
  assert.equal(body["percentUsed"], percent);
  assert.equal((await api.call("GET", "/contacts", { bearer })).body["total"], day.contacts);
  const list = await api.call("GET", "/broadcasts", { bearer });
  const states = (list.body as unknown as { status: string }[]).map((one) => one.status);
  assert.deepEqual(states.reverse(), day.campaigns);
}
