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

const refused = {
  error: { message: "Unsupported get request.", code: 100, error_subcode: 33, type: "x" },
};
for (const [what, knows, said] of [
  [
    "a number that the token does not open",
    ["/app?"],
    { reason: "misconfigured", code: "100", field: "phoneNumberId" },
  ],
  [
    "a business account that the token does not open",
    ["/app?", account.externalId],
    { reason: "misconfigured", code: "100", field: "wabaId" },
  ],
  // An emulator that passes only sends, and refuses every other address as Meta refuses an unknown id.
  [
    "an address that knows no object at all",
    [],
    { reason: "unreachable", code: "BROKEN_ANSWER", field: undefined },
  ],
  [
    "an address that knows the number alone",
    [account.externalId],
    { reason: "unreachable", code: "BROKEN_ANSWER", field: undefined },
  ],
] as const)
  test(`${what}: ${said.reason}`, async () => {
    const http: Http = {
      request({ url }) {
        const known = knows.some((one) => url.includes(`/v25.0/${one.replace("/", "")}`));
        const body = Buffer.from(JSON.stringify(known ? { id: account.externalId } : refused));
        return Promise.resolve({ status: known ? 200 : 400, headers: {}, body });
      },
    };
    const { reason, code, field } = (await checkWhatsAppAccount(http, account)) ?? {};
    assert.deepEqual({ reason, code, field }, said);
  });
