import assert from "node:assert/strict";
import { test } from "node:test";
import { endsTalk } from "./closing.ts";

test("thanks, a good-bye and a sign end a talk, in both languages", () => {
  for (const text of [
    "Thanks!",
    "thank you so much",
    "Great, thx a lot",
    "ok bye",
    "Perfect 👍",
    "👍",
    "No, that's all. Thank you!",
    "nothing else",
    "شكراً جزيلاً",
    "الله يعطيك العافية",
    "تمام، مع السلامة",
    "لا شكرا",
    "تسلم",
    "ok, got it thanks",
    "thanks, have a nice day",
    "no thanks",
    "طيب ان شاء الله",
  ])
    assert.ok(endsTalk(text), text);
});

test("what asks for something does not, however short it is", () => {
  for (const text of [
    "I want a refund",
    "cancel my order",
    "ok cancel my order",
    "help",
    "where is it",
    "Thanks, and the invoice?",
    "it is broken",
    "no, the red one",
    "أريد استرجاع المبلغ",
    "طلبي تأخر",
    "شكرا لكن وين طلبي",
    "ok how much",
    "ok call me",
    "ok help please",
    "thanks, how do i",
    "no good",
    "never got it",
    "is it done",
    "ok is it done",
    "have you done it",
    "طيب متى",
    "تمام وين",
    "مو زين",
    "42",
    "",
  ])
    assert.ok(!endsTalk(text), text);
});
