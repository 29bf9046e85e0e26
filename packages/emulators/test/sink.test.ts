import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { createWhatsAppSink } from "../src/index.ts";

test("the sink accepts every send, keeps the ledger and reports deliveries in batches", async (t) => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString("utf8"));
      response.end();
    });
  });
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await using sink = await createWhatsAppSink({
    statuses: {
      url: `http://127.0.0.1:${port}/`,
      appSecret: "secret",
      wabaId: "1",
      phoneNumberId: "2",
      batchSize: 2,
    },
  });
  for (const correlation of ["a", "b", "c", "a"]) {
    const response = await fetch(`${sink.apiUrl}/2/messages`, {
      method: "POST",
      body: JSON.stringify({
        messaging_product: "whatsapp",
        to: "96550001234",
        biz_opaque_callback_data: correlation,
      }),
    });
    assert.equal(JSON.parse(await response.text()).contacts[0].wa_id, "96550001234");
  }
  assert.equal(sink.accepted, 4);
  assert.deepEqual(
    sink.ledger.repeated().map((entry) => entry.correlation),
    ["a"],
  );
  await sink.close();
  const told = bodies.flatMap((body) => JSON.parse(body).entry[0].changes[0].value.statuses);
  assert.deepEqual(
    told.map((status: { biz_opaque_callback_data: string }) => status.biz_opaque_callback_data),
    ["a", "b", "c", "a"],
  );
});
