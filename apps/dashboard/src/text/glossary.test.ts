import assert from "node:assert/strict";
import { test } from "node:test";
import { texts as arDesk } from "./desk.ar.ts";
import { texts as enDesk } from "./desk.en.ts";
import { texts as arFirst } from "./first.ar.ts";
import { texts as enFirst } from "./first.en.ts";
import { texts as arRest } from "./rest.ar.ts";
import { texts as enRest } from "./rest.en.ts";

/** What members meet under one name on many pages, with its one name in Arabic. */
const TERMS: readonly (readonly [english: RegExp, arabic: RegExp])[] = [
  [/\blabels?\b/i, /وسم|وسوم/],
  [/\btags?\b/i, /تصنيف|صنّف/],
  [/\battributes?\b/i, /سمة|سمات/],
  [/\bwebhooks?\b/i, /خطاف|نقطة استقبال|نقطة الاستقبال/],
  [/\bsegments?\b/i, /شريحة|شريحت|شرائح/],
  [/\bcampaigns?\b/i, /حمل/],
  [/\btemplates?\b/i, /قالب|قوالب/],
  [/\bconversations?\b/i, /محادث/],
  [/\bworkspaces?\b/i, /مساح/],
  [/\bowners?\b/i, /مالك/],
  [/\badmins?\b/i, /مشرف/],
  [/\bprocedures?\b/i, /إجراء/],
  [/\blook-ups?\b/i, /استعلام/],
  [/\bflows?\b/i, /مسار/],
  [/\baway$/i, /غير متاح/],
  [/\b(?:opening|business) hours\b/i, /ساعات العمل/],
];

/** Words of other things, or of the platforms' own pages, which stay as their readers find them there. */
const OTHER = new Set([
  "channels.web.snippet",
  "flow.answer.ar",
  "flow.answer.en",
  "flow.did.label",
  "flow.did.tag",
  "flow.fault.CHOICE_TOO_LONG",
]);
/** A path through a platform's own pages. */
const ELSEWHERE = /\.\w+ > |at Signed webhooks/;

const english = { ...enFirst, ...enDesk, ...enRest };
const arabic: Readonly<Record<string, string>> = { ...arFirst, ...arDesk, ...arRest };
const said = (text: string): string => text.replaceAll(/\{\w+\}/g, "");

test("one thing has one name in Arabic on every page", () => {
  const wrong = Object.entries(english).flatMap(([key, text]) =>
    OTHER.has(key) || ELSEWHERE.test(text)
      ? []
      : TERMS.filter(([one, other]) => one.test(said(text)) && !other.test(arabic[key] ?? "")).map(
          ([one]) => `${key}: ${one.source}`,
        ),
  );
  assert.deepEqual(wrong, []);
});

test("a tag of a contact and a label of a conversation never have each other's Arabic name", () => {
  const wrong = Object.entries(english).filter(
    ([key, text]) =>
      !OTHER.has(key) &&
      ((/\btag/i.test(text) && !/\blabel/i.test(text) && /وسم|وسوم/.test(arabic[key] ?? "")) ||
        (/\blabel/i.test(text) && !/\btag/i.test(text) && /تصنيف/.test(arabic[key] ?? ""))),
  );
  assert.deepEqual(
    wrong.map(([key]) => key),
    [],
  );
});
