import type { search as english } from "./search.en.ts";

export const search = {
  "search.open": "ابحث أو انتقل إلى",
  "search.menu": "قائمة الأوامر",
  "search.command": "أمر",
  "search.hint": "اسم أو رقم أو طريقة عرض أو إجراء",
  "search.results": "النتائج",
  "search.none": "لا شيء بهذا الاسم. اضغط Enter للبحث في كل الرسائل.",
  "search.actions": "الإجراءات",
  "search.views": "طرق العرض",
  "search.pages": "الصفحات",
  "search.people": "الأشخاص",
  "search.conversations": "المحادثات",
  "search.messages": "الرسائل",
  "search.inMessages": "ابحث في الرسائل عن «{text}»",
  "search.title": "بحث",
  "search.box": "بحث",
  "search.start": "ابحث عن أشخاص ومحادثات ورسائل",
  "search.start.text": "اكتب حرفًا واحدًا على الأقل. تُوجد الكلمات بالتشكيل وأل التعريف وبدونهما.",
  "search.nothing": "لم يوجد شيء هنا",
  "search.total":
    "{count, plural, zero {لا نتائج} one {نتيجة واحدة} two {نتيجتان} few {# نتائج} many {# نتيجة} other {# نتيجة}}",
  "search.more": "عرض المزيد",
  "search.failed": "لم ينجح البحث. حاول مجددًا.",
  "search.ours": "أرسلناها",
  "search.note": "ملاحظة",
  "search.atLeast": "{n} على الأقل",
} as const satisfies Record<keyof typeof english, string>;
