import assert from "node:assert/strict";
import { test } from "node:test";
import { createSmppEmulator, createVonageEmulator } from "@parley/emulators";
import { createBroadcast } from "../../src/broadcasts/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/start-broadcast.ts";
import { createContact } from "../../src/contacts/create-contact.ts";
import { startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** Sends a campaign to three numbers and gives it as it stands when no work is left. */
async function campaign({ t, workspaceId }: GatewayStand, numbers: readonly string[]) {
  const { app } = t;
  for (const phone of numbers) await createContact(app, workspaceId, { name: phone, phone });
  const input = { name: "Sale", kind: "SMS", body: "مرحبا {{name}}" } as const;
  const { id } = await createBroadcast(app, workspaceId, input);
  await startBroadcast(app, workspaceId, id);
  for (let round = 0; round < 5; round++) {
    await app.drain();
    t.clock.advance(1_000);
  }
  return () => findBroadcast(app, workspaceId, id);
}

test("an SMS campaign runs over Vonage and over SMPP as over Twilio: each once, receipts move it", async () => {
  await using stands = await startGatewayStand();
  await using vonage = await createVonageEmulator({
    delivery: "manual",
    accounts: [{ apiKey: "k", apiSecret: "s3cret" }],
  });
  await using smsc = await createSmppEmulator({
    accounts: [{ systemId: "parley", password: "s3cret" }],
  });
  const shops: [
    GatewayStand,
    { readonly ledger: typeof vonage.ledger; flush(): Promise<number> },
  ][] = [
    [
      await stands.shop(() => ({
        provider: "vonage",
        apiKey: "k",
        apiSecret: "s3cret",
        from: "SHOP",
        apiUrl: vonage.url,
      })),
      vonage,
    ],
    [
      await stands.shop(() => ({
        provider: "smpp",
        systemId: "parley",
        password: "s3cret",
        from: "SHOP",
        apiUrl: smsc.url,
      })),
      smsc,
    ],
  ];
  for (const [stand, gateway] of shops) {
    const before = gateway.ledger.total;
    const look = await campaign(stand, ["96550003001", "96550003002", "96550000101"]);
    const sent = await look();
    assert.deepEqual([sent.status, sent.sentCount], ["COMPLETED", 3]);
    assert.equal(gateway.ledger.total, before + 3);
    assert.deepEqual(gateway.ledger.repeated(), []);
    await gateway.flush();
    assert.ok((await look()).deliveredCount >= 2);
  }
});
