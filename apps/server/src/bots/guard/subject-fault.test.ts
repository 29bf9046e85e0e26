import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAnswer } from "./check-answer.ts";

const SHOP = `Delivery in Kuwait City costs 3 KD. Delivery to Jahra costs 5 KD. Orders above 25 KD are delivered free. We deliver within 2 working days.
Gift wrapping costs 1.500 KD for each order. Watches have a warranty of 24 months. Batteries have a warranty of 6 months. Shoes are 30% cheaper in the sale.
The sale runs from 1 July to 15 August. You can return items within 14 days. Refunds are paid within 7 days. The suitcase weighs 3 kg and is 55 cm high.
A small car costs 12 KD per day or 70 KD per week; 250 km a day are included. We are open Sunday to Thursday from 9:00 to 21:00. On Friday we open from 14:00 to 22:00. On Saturday we are closed. The gym costs 10 KD monthly.`;
const DUKKAN = `التوصيل داخل مدينة الكويت بسعر 3 دنانير. التوصيل إلى الجهراء بسعر 5 دنانير. ضمان الساعات 24 شهراً. ضمان البطاريات 6 أشهر.
نفتح من الأحد إلى الخميس من الساعة 9 صباحاً حتى 9 مساءً. يوم الجمعة نفتح من الساعة 2 ظهراً حتى 10 مساءً. يوم السبت مغلق. النادي بسعر 10 دنانير شهرياً.`;
const TABLE =
  "Opening hours\nSunday to Thursday: 9 am - 9 pm\nFriday\n2 pm - 10 pm\nSaturday\nclosed";

function faults(text: string, source: string, lang: "en" | "ar" = "en"): string[] {
  return checkAnswer({
    answer: { decision: "answer", text, sources: ["c"] },
    chunks: [{ chunkId: "c", title: "", text: source }],
    toolAnswers: [],
    customerTexts: [],
    rules: "",
    lang,
    question: "",
  }).flatMap(({ ok, name, detail }) => (ok ? [] : [`${name}: ${detail}`]));
}

const FALSE = `
Delivery in Kuwait City costs 3 KD per item.
Delivery in Kuwait City costs 3 KD a month.
Delivery in Kuwait City costs 3 KD an hour.
Delivery in Kuwait City costs 3 KD per kilo.
A small car costs 12 KD per week.
A small car costs 70 KD per day.
250 km a week are included.
Delivery in Kuwait City costs from 3 KD.
Delivery in Kuwait City costs up to 3 KD.
Delivery in Kuwait City costs at least 3 KD.
Delivery in Kuwait City costs less than 3 KD.
Delivery in Kuwait City costs 3 KD plus tax.
Delivery in Kuwait City costs 3 BHD.
Orders below 25 KD are delivered free.
We deliver after 2 working days.
Gift wrapping costs 1.5 KD for each item.
Shoes are up to 30% cheaper in the sale.
The sale runs from 15 July to 1 August.
The sale ends on 1 July.
The sale begins on 15 August.
You can return items within 7 days.
Refunds are paid within 14 days.
The suitcase weighs 3 g.
The suitcase weighs 3 pounds.
The suitcase is 55 inches high.
On Saturday we open from 14:00 to 22:00.
On Friday we open from 9:00 to 21:00.
On Friday we are closed.
We are open on Saturday.
We are open Sunday to Friday from 9:00 to 21:00.
We are open Sunday to Thursday from 9 pm to 9 am.
On Friday we close at 14:00.
`;
const TRUE = `
Delivery in Kuwait City costs 3 KWD.
Delivery in Kuwait City costs three dinars.
Delivery to Jahra is 5 KD, in Kuwait City it is 3 KD.
Gift wrapping costs 1.5 KD per order.
The gym costs 10 KD per month.
A small car costs 12 KD a day or 70 KD weekly.
A small car costs 70 KD a week.
250 km per day are included.
The gym is 10 KD a month.
Orders over 25 KD are delivered free.
We deliver within 2 working days.
Shoes are 30 percent cheaper in the sale.
The sale ends on 15 August.
You can return items within 14 days.
The suitcase weighs 3 kilos.
On Friday we are open from 2 pm to 10 pm.
On Friday we close at 22:00.
On Tuesday we are open from 9:00 to 21:00.
On Monday we are open from 9 am to 9 pm.
We are closed on Saturday.
We are open Sunday to Thursday from 9:00 to 21:00, on Friday from 14:00 to 22:00, and closed on Saturday.
`;
const FALSE_AR = `
التوصيل داخل مدينة الكويت بسعر 3 دنانير للقطعة.
التوصيل داخل مدينة الكويت بسعر 3 دنانير لكل قطعة.
التوصيل داخل مدينة الكويت بسعر 3 دنانير للكيلو.
التوصيل داخل مدينة الكويت بسعر 3 دنانير شهرياً.
التوصيل داخل مدينة الكويت يبدأ من 3 دنانير.
ضمان البطاريات ٢٤ شهراً.
يوم الجمعة نفتح من الساعة ٩ صباحاً حتى ٩ مساءً.
يوم السبت نفتح من الساعة 2 ظهراً حتى 10 مساءً.
يوم الجمعة مغلق.
نفتح من الأحد إلى الخميس من الساعة 9 مساءً حتى 9 صباحاً.
`;
const TRUE_AR = `
التوصيل داخل مدينة الكويت بسعر ٣ دنانير.
النادي بسعر 10 دنانير في الشهر.
ضمان البطاريات ٦ أشهر.
يوم الجمعة نفتح من الساعة ٢ ظهراً حتى ١٠ مساءً.
يوم الثلاثاء نفتح من 9 صباحاً إلى 9 مساءً.
يوم السبت مغلق.
`;

/** A source, what is false of it (✗) and what is true (✓). */
const SAID = `
You can return unused items within 14 days of receipt, with the bill. Sale items cannot be returned.
✗ You can return sale items within 14 days of receipt.
✗ You can return unused items within 14 days of payment.
✗ You can return unused items within 14 days of the order.
✗ You can return unused items within 14 days of opening the box.
✗ You can return unused items within 14 days before receipt.
✓ You can return unused items within 14 days after you receive them.
✓ You can return unused items within 14 days from the day you get them.
✓ You can return unused items up to two weeks after delivery.
✓ No, sale items cannot be returned.
You can return items within 14 days of receipt. Perfume is final.
✗ You can return perfume within 14 days of receipt.
✗ You can exchange perfume within two weeks of receipt.
✓ You can return items within 14 days of receipt.
Free cancellation until 48 hours before arrival.
✗ Free cancellation until 48 hours after arrival.
✗ Free cancellation until 48 hours before departure.
✓ Free cancellation until 48 hours before you arrive.
Refunds reach your card 5 to 7 working days after we receive the item. Cash is not paid back.
✗ Refunds reach your card 5 to 7 working days after your order.
✓ The refund reaches your card 5 to 7 working days after we get it.
Watches have a warranty of 24 months. Batteries have a warranty of 6 months.
✗ Batteries have a warranty of two years.
✗ Watches have a warranty of three years.
✓ Watches have a warranty of two years.
A pair of sandals costs 12 KD. A box of six cups costs 9 KD.
✗ One sandal costs 12 KD.
✗ Each cup costs 9 KD.
✓ One pair of sandals costs 12 KD.
✓ The box of six cups is 9 KD.
يمكن إرجاع القطع غير المستعملة خلال 14 يوماً من الاستلام مع الفاتورة. قطع التنزيلات لا ترجع.
✗ يمكنك إرجاع القطع غير المستعملة خلال 14 يوماً من الدفع.
✗ يمكنك إرجاع القطع غير المستعملة خلال 14 يوماً من الطلب.
✗ يمكنك إرجاع قطع التنزيلات خلال 14 يوماً من الاستلام.
✓ يمكنك إرجاع القطع غير المستعملة خلال 14 يوماً من استلامها.
✓ يمكنك إرجاع القطع غير المستعملة خلال ١٤ يوماً من تاريخ الاستلام.
الإلغاء مجاني حتى 48 ساعة قبل الوصول.
✗ الإلغاء مجاني حتى 48 ساعة بعد الوصول.
✗ الإلغاء مجاني حتى 48 ساعة قبل المغادرة.
✓ الإلغاء مجاني حتى 48 ساعة قبل وصولك.
سعر زوج الجوارب 2 دينار.
✗ سعر الجورب الواحد 2 دينار.
✓ سعر زوج الجوارب الواحد 2 دينار.
`;
const lines = (text: string): string[] => text.trim().split("\n");

test("a figure or a day of a source that an answer gives to something else, turns round or counts by another thing is kept back", () => {
  const passed = [
    ...lines(FALSE).filter((text) => faults(text, SHOP).length === 0),
    ...lines(FALSE_AR).filter((text) => faults(text, DUKKAN, "ar").length === 0),
  ];
  assert.deepEqual(passed, []);
});

test("what is true of figures and days passes in other words: money by its other name, hours of both clocks, a day within a span", () => {
  const kept = [
    ...lines(TRUE).map((text) => [text, ...faults(text, SHOP)]),
    ...lines(TRUE_AR).map((text) => [text, ...faults(text, DUKKAN, "ar")]),
  ].filter(({ length }) => length > 1);
  assert.deepEqual(kept, []);
});

test("a span of time stays with what it is counted from, a price with the pair, and a rule is not said of its exception", () => {
  let source = "";
  const wrong = lines(SAID).flatMap((line) => {
    const [, mark, text = ""] = /^([✗✓])? ?(.*)$/u.exec(line) ?? [];
    if (mark === undefined) {
      source = text;
      return [];
    }
    const found = faults(text, source, /\p{Script=Arabic}/u.test(text) ? "ar" : "en");
    return (found.length === 0) === (mark === "✓") ? [] : [[line, ...found].join(" — ")];
  });
  assert.deepEqual(wrong, []);
});

test("a table of hours answers for its days, whose hours stand on a line of their own", () => {
  for (const text of [
    "On Friday we are open from 14:00 to 22:00.",
    "On Wednesday we are open from 9:00 to 21:00.",
    "On Saturday we are closed.",
  ])
    assert.deepEqual(faults(text, TABLE), [], text);
});
