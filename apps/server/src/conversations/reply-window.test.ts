import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANNEL_TYPES } from "../wire/words.ts";
import {
  countsFrom,
  isWindowOpen,
  needsPersonTag,
  replyRefusal,
  windowEnd,
  windowStart,
} from "./reply-window.ts";

const HOUR = 3_600_000;
const now = new Date("2026-11-21T10:00:00.000Z");
const after = (ms: number) => new Date(now.getTime() + ms);

test("24 hours on the Meta channels, 48 on TikTok, none elsewhere; closed at the very instant", () => {
  const windows = {
    WHATSAPP: 24,
    MESSENGER: 24,
    INSTAGRAM: 24,
    TELEGRAM: null,
    TIKTOK: 48,
    WEB: null,
  };
  for (const type of CHANNEL_TYPES) {
    const hours = windows[type];
    const end = windowEnd(type, now, now);
    assert.deepEqual(end, hours === null ? null : after(hours * HOUR));
    assert.deepEqual(windowStart(type, end), hours === null ? null : now);
    const open = (ms: number) =>
      isWindowOpen({ channelType: type, windowExpiresAt: end }, after(ms));
    assert.deepEqual(
      [open((hours ?? 24) * HOUR - 1), open((hours ?? 24) * HOUR)],
      [true, hours === null],
      type,
    );
    assert.equal(isWindowOpen({ channelType: type, windowExpiresAt: null }, now), hours === null);
  }
});

test("a late message counts from its own time, a message from the future from now", () => {
  assert.deepEqual(windowEnd("WHATSAPP", after(-5 * HOUR), now), after(19 * HOUR));
  assert.deepEqual(windowEnd("WHATSAPP", after(5 * HOUR), now), after(24 * HOUR));
});

test("the tenth reply goes on TikTok and the eleventh does not, counted from the customer's message", () => {
  const tiktok = { channelType: "TIKTOK", windowExpiresAt: windowEnd("TIKTOK", now, now) } as const;
  assert.deepEqual(countsFrom(tiktok), now);
  assert.equal(replyRefusal(tiktok, 9, after(HOUR)), null);
  assert.equal(replyRefusal(tiktok, 10, after(HOUR))?.code, "REPLY_LIMIT_REACHED");
  // The window is checked first.
  assert.equal(replyRefusal(tiktok, 10, after(48 * HOUR))?.code, "131047");
  const telegram = { channelType: "TELEGRAM", windowExpiresAt: null } as const;
  assert.equal(countsFrom(telegram), null);
  assert.equal(replyRefusal(telegram, 1000, now), null);
  assert.equal(countsFrom({ channelType: "TIKTOK", windowExpiresAt: null }), null);
});

test("a person may answer on Messenger and Instagram until seven days, and on no other channel", () => {
  for (const type of CHANNEL_TYPES) {
    const open = { channelType: type, windowExpiresAt: windowEnd(type, now, now) };
    const longer = type === "MESSENGER" || type === "INSTAGRAM";
    assert.equal(needsPersonTag(open, true, after(HOUR)), false, type);
    for (const [hours, wanted] of [
      [49, longer],
      [167, longer],
      [168, false],
    ] as const) {
      assert.equal(needsPersonTag(open, true, after(hours * HOUR)), wanted, `${type} ${hours}`);
      assert.equal(needsPersonTag(open, false, after(hours * HOUR)), false);
    }
  }
  const messenger = { channelType: "MESSENGER", windowExpiresAt: after(0) } as const;
  assert.equal(replyRefusal(messenger, 0, after(HOUR), true), null);
  assert.equal(replyRefusal(messenger, 0, after(HOUR))?.code, "131047");
  assert.equal(needsPersonTag({ ...messenger, windowExpiresAt: null }, true, now), false);
});
