import assert from "node:assert/strict";
import { test } from "node:test";
import { consentWord } from "./stop-words.ts";

const stops = [
  "STOP",
  "stop",
  " Stop. ",
  "STOP!!!",
  "“stop”",
  "s\u200btop",
  "UNSUBSCRIBE",
  "opt-out",
  "Opt Out",
  "STOP ALL",
  "ＳＴＯＰ",
  "إلغاء",
  "الغاء",
  "إِلْغَاء",
  "إلغـــاء",
  "الغاء الإشتراك",
  "ايقاف",
  "إيقاف",
  "إيقاف.",
  "أوقف",
  "ARRÊT",
  "arret",
  "désabonner",
  "BAJA",
  "no mas",
  "रोकें",
  "बंद करो",
  "بند کرو",
  "بند كرو",
  "روکیں",
  "STOP 🛑",
  "СТОП",
];
const starts = [
  "START",
  "start!",
  "Unstop",
  "ابدأ",
  "إبدأ",
  "اشتراك",
  "démarrer",
  "ALTA",
  "शुरू",
  "شروع کریں",
];
const neither = [
  "",
  "   ",
  "...",
  "🛑",
  "please do not stop",
  "stop by tomorrow",
  "I want to start",
  "bus stop?",
  "لا تلغي الطلب",
  "إلغاء الموعد من فضلك",
  "stopping",
  "restart",
  "stop".repeat(20),
  "1",
  "ok",
  "रोक",
  "re: STOP and more",
];

for (const [words, verdict] of [
  [stops, "stop"],
  [starts, "start"],
  [neither, null],
] as const) {
  for (const text of words) {
    test(`${JSON.stringify(text)} is ${verdict ?? "no consent word"}`, () => {
      assert.equal(consentWord(text), verdict);
    });
  }
}
