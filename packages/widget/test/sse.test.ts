import assert from "node:assert/strict";
import { test } from "node:test";
import { SseParser, type SseFrame } from "../src/sse.ts";

const read = (pieces: readonly string[]): SseFrame[] => {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.feed(piece));
};

test("every field of a frame is read, and what is no field is passed over", () => {
  const text = ": hello\nid: 7\nevent: status\nretry: 5\ndata: {\ndata:}\ndata\n\n\n: ping\n\n";
  assert.deepEqual(read([text]), [{ id: "7", event: "status", data: "{\n}\n" }]);
});

test("an id stays until another comes, an event name does not", () => {
  assert.deepEqual(read(["id:1\nevent:typing\ndata:a\n\ndata:b\n\nid\ndata:c\n\n"]), [
    { id: "1", event: "typing", data: "a" },
    { id: "1", event: "message", data: "b" },
    { id: "", event: "message", data: "c" },
  ]);
});

test("wherever the network cuts it, and whatever ends its lines, the same frames come out", () => {
  const lines = [
    "id: a",
    "event: message",
    'data: {"text":"مرحبا"}',
    "",
    "data: x",
    "data: y",
    "",
    "",
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = lines.join(end) + (end === "\r" ? ":\r" : "");
    const whole = read([text]);
    assert.equal(whole.length, 2);
    for (let cut = 0; cut <= text.length; cut++)
      assert.deepEqual(
        read([text.slice(0, cut), text.slice(cut)]),
        whole,
        `${JSON.stringify(end)} ${cut}`,
      );
    assert.deepEqual(read(Array.from(text)), whole);
  }
});

test("half a frame is no frame", () => {
  assert.deepEqual(read(["id: 1\ndata: x\n"]), []);
});
