import assert from "node:assert/strict";
import { test } from "node:test";
import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount } from "../../adapter.ts";
import { checkWhatsAppAccount } from "./check-account.ts";

const account: ChannelAccount = {
  channelId: "c",
  workspaceId: "w",
  type: "WHATSAPP",
  externalId: "106540352242922",
  apiUrl: "https://graph.facebook.com/v25.0",
  settings: { wabaId: "102290129340398" },
  secrets: { accessToken: "EAAB", appSecret: "secret" },
};

/** A platform that knows the number, and whose business account lists these. */
const listing = (ids: readonly string[]): Http => ({
  request({ url }) {
    const answer = url.includes("/phone_numbers?")
      ? { data: ids.map((id) => ({ id })) }
      : { id: account.externalId };
    const body = Buffer.from(JSON.stringify(answer));
    return Promise.resolve({ status: 200, headers: {}, body });
  },
});

for (const [ids, said] of [
  [["1", account.externalId], null],
  [["1"], { reason: "misconfigured", code: "WRONG_WABA_ID", field: "wabaId" }],
  // A proxy or an emulator may know no list of numbers. The number works, so the channel is connected with a warning.
  [[], { reason: "unreachable", code: "NO_NUMBERS", field: undefined }],
] as const)
  test(`a business account that lists ${ids.length === 0 ? "nothing" : ids.join()}: ${said?.code ?? "right"}`, async () => {
    const fault = await checkWhatsAppAccount(listing(ids), account);
    const { reason, code, field } = fault ?? {};
    assert.deepEqual(fault && { reason, code, field }, said);
  });
