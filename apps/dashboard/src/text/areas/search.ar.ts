import type { search as english } from "./search.en.ts";

export const search = {
  "search.open": "ابحث أو انتقل إلى",
  "search.menu": "قائمة الأوامر",
  "search.command": "أمر",
  "search.hint": "طريقة عرض أو صفحة أو إجراء",
  "search.results": "النتائج",
  "search.none": "لا شيء بهذا الاسم.",
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
  "search.you": "أنت",
} as const satisfies Record<keyof typeof english, string>;
