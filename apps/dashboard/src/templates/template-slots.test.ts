import assert from "node:assert/strict";
import { test } from "node:test";
import { templatePreview, templateSlots } from "./template-slots.ts";

const template = {
  id: "t1",
  channelId: "c1",
  metaId: "1",
  name: "order",
  language: "en",
  status: "APPROVED",
  components: [
    { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
    { type: "BODY", text: "{{2}} will come on {{1}}, {{2}}." },
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "Thanks" },
        { type: "URL", text: "Track", url: "https://x.example/{{1}}" },
      ],
    },
  ],
  bodyVariableCount: 2,
  headerFormat: "TEXT",
  lastSyncedAt: "2026-01-01T00:00:00.000Z",
};

test("values go to the header, the body by number, then the buttons", () => {
  assert.deepEqual(
    templateSlots(template).map(({ where, name }) => `${where} ${name}`),
    ["header 1", "body 1", "body 2", "button Track"],
  );
  const { header, body, buttons } = templatePreview(template, ["A7", "Monday", ""]);
  assert.equal(header, "Order A7");
  assert.equal(body, "{{2}} will come on Monday, {{2}}.");
  assert.deepEqual(buttons, ["Thanks", "Track"]);
});
