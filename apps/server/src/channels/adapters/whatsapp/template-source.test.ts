import assert from "node:assert/strict";
import { test } from "node:test";
import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount } from "../../adapter.ts";
import { whatsappTemplates } from "./template-source.ts";

const account: ChannelAccount = {
  channelId: "c",
  workspaceId: "w",
  type: "WHATSAPP",
  externalId: "106540352242922",
  apiUrl: "https://graph.facebook.com/v25.0",
  settings: { wabaId: "102290129340398" },
  secrets: { accessToken: "EAAB" },
};
const item = (id: unknown, more: object = {}) => ({
  id,
  name: `t_${String(id)}`,
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Hi" }],
  ...more,
});

/** Lists what a platform answers, page by page. */
async function list(pageOf: (page: number) => object) {
  const asked: URL[] = [];
  const http: Http = {
    request({ url, maxResponseBytes = 0 }) {
      asked.push(new URL(url));
      // A hundred templates of the longest texts and ten buttons each.
      assert.ok(maxResponseBytes > 4_000_000);
      const page = pageOf(asked.length);
      const status = "error" in page ? 400 : 200;
      return Promise.resolve({ status, headers: {}, body: Buffer.from(JSON.stringify(page)) });
    },
  };
  return { asked, outcome: await whatsappTemplates.list(http, account) };
}
const more = (page: number) => ({ next: "https://n", cursors: { after: `c${page}` } });

test("a template is read with all that a send needs, its parameters named or numbered", async () => {
  const { asked, outcome } = await list(() => ({
    data: [
      item("1"),
      item(2, { parameter_format: "NAMED", category: undefined }),
      item("3", { parameter_format: "POSITIONAL" }),
    ],
  }));
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.templates[0], {
    metaId: "1",
    name: "t_1",
    language: "en_US",
    status: "APPROVED",
    category: "UTILITY",
    components: [{ type: "BODY", text: "Hi" }],
    parameterFormat: "POSITIONAL",
    rejectedReason: null,
    quality: null,
  });
  assert.deepEqual(
    outcome.templates.map((one) => [one.metaId, one.category, one.parameterFormat]),
    [
      ["1", "UTILITY", "POSITIONAL"],
      ["2", null, "NAMED"],
      ["3", "UTILITY", "POSITIONAL"],
    ],
  );
  assert.deepEqual(asked[0]?.searchParams.get("fields")?.split(",").toSorted(), [
    "category",
    "components",
    "id",
    "language",
    "name",
    "parameter_format",
    "quality_score",
    "rejected_reason",
    "status",
  ]);
});

test("what is not a template is left out, and one that two pages hold counts once", async () => {
  const { outcome } = await list((page) =>
    page === 1
      ? { data: [item("1"), null, 7, item("2", { status: "PAUSED" })], paging: more(1) }
      : {
          data: [
            item("2"),
            item(undefined),
            item("4", { name: "" }),
            item("5", { language: null }),
            item("6", { status: 1 }),
          ],
        },
  );
  assert.ok(outcome.ok);
  assert.deepEqual(
    outcome.templates.map(({ metaId, status }) => [metaId, status]),
    [
      ["1", "APPROVED"],
      ["2", "APPROVED"],
    ],
  );
});

test("half a list is no list: when a later page fails, the whole fails", async () => {
  for (const [second, reason, code] of [
    [{ error: { code: 80007, message: "slow down" } }, "throttled", "80007"],
    [{ error: { code: 190, message: "ended" } }, "misconfigured", "190"],
    [{ data: "x" }, "unreachable", "BROKEN_LIST"],
    [{}, "unreachable", "BROKEN_LIST"],
  ] as const) {
    const { asked, outcome } = await list((page) =>
      page === 1 ? { data: [item("1")], paging: more(1) } : second,
    );
    assert.ok(!outcome.ok && asked.length === 2);
    assert.deepEqual([outcome.reason, outcome.code], [reason, code]);
  }
});

test("the most that a business may have is read whole; a list that never ends is given up", async () => {
  // 6,000 templates, a hundred to a page.
  const whole = await list((page) => ({
    data: [item(page)],
    ...(page < 60 && { paging: more(page) }),
  }));
  assert.ok(whole.outcome.ok && whole.outcome.templates.length === 60);
  assert.deepEqual(
    whole.asked.map((url) => url.searchParams.get("after")),
    [null, ...Array.from({ length: 59 }, (_, index) => `c${index + 1}`)],
  );
  const endless = await list((page) => ({ data: [item(page)], paging: more(page) }));
  assert.ok(!endless.outcome.ok && endless.outcome.code === "BROKEN_LIST");
  assert.ok(endless.asked.length < 1000);
});
