import assert from "node:assert/strict";
import { test } from "node:test";
import { adapterFor } from "../../../server/src/channels/registry.ts";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import { faultOf, type FilePlace } from "./file-rules.ts";

const placeOf = (channelType: FilePlace["channelType"]): FilePlace => ({
  channelType,
  rules: adapterFor(channelType).media ?? {},
});
const codeOf = (type: string, size: number, place: FilePlace): string | null =>
  faultOf({ name: "a", type, size }, place)?.code ?? null;

test("on every channel each type that it takes passes at the drop, up to its size, and a program does not", () => {
  for (const channel of CHANNEL_TYPES) {
    const place = placeOf(channel);
    const takesAll = place.rules.document?.mimeTypes.includes("*/*") === true;
    for (const [kind, rule] of Object.entries(place.rules)) {
      if (kind === "sticker") continue;
      for (const type of rule.mimeTypes.filter((one) => !one.includes("*"))) {
        const at = `${channel} ${kind} ${type}`;
        assert.equal(codeOf(type, 1, place), null, at);
        const most = Math.max(rule.maxBytes, place.rules.document?.maxBytes ?? 0);
        assert.equal(codeOf(type, most + 1, place), "file.size", at);
      }
    }
    for (const program of ["application/octet-stream", "application/x-msdownload"])
      assert.equal(codeOf(program, 1, place), takesAll ? null : "file.type", channel);
    assert.equal(codeOf("image/png", 0, place), "file.empty", channel);
  }
});

test("a file whose type the browser does not know is judged by its bytes, after the upload", () => {
  const place = placeOf("WHATSAPP");
  assert.equal(codeOf("", 1, place), null);
  assert.equal(codeOf("image/jpg", 1, place), null);
});
