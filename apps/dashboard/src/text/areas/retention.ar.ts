import type { retention as english } from "./retention.en.ts";

export const retention = {
  "retention.lead": "المدة التي يحتفظ فيها Parley بما كتبه العملاء وفريقك. ما يُحذف لا يمكن استعادته.",
  "retention.off": "لا يُحذف شيء: تبقى الرسائل والملفات دائمًا.",
  "retention.waiting": "لا يُحذف شيء قبل {at}. يمكنك حتى ذلك الحين اختيار مدة أطول دون أن تفقد شيئًا.",
  "retention.deleting": "يجري الآن حذف ما انتهت مدته.",
  "retention.done": "لم يبق شيء أقدم. ما تنتهي مدته يُحذف مرة كل ساعة.",
  "retention.progress": "الرسائل المحذوفة",
  "retention.progress.text": "{deleted} من {all}",
  "retention.progress.more": "{deleted} من أكثر من {all}",
  "retention.so.far": "ما حُذف حتى الآن",
  "retention.so.far.text": "منذ آخر مرة قُصّرت فيها مدة.",
  "retention.messages.count": "الرسائل",
  "retention.files.count": "الملفات",
  "retention.notes.count": "الملاحظات",
  "retention.events.count": "الأحداث",
  "retention.kept": "ما يُحتفظ به",
  "retention.messages": "الرسائل",
  "retention.messages.text":
    "تُحذف الرسائل الأقدم مع ملفاتها وملاحظات الفريق وما يعرفه البحث عنها. تبقى جهات الاتصال والمحادثات بحالتها والحملات بتقاريرها والاستخدام. وتبقى كذلك أي رسالة ما زالت قيد الإرسال.",
  "retention.files": "الملفات",
  "retention.files.text":
    "تُحذف الصور والرسائل الصوتية والمستندات الأقدم. تبقى رسائلها ويظهر فيها أن الملف حُذف.",
  "retention.events": "أحداث البرامج",
  "retention.events.text":
    "تُحذف الأحداث الأقدم وعمليات تسليم خطافات الويب. البرنامج الذي غاب مدة أطول تفوته هذه الأحداث.",
  "retention.good": "احتفاظ دائم",
  "retention.withMessages": "مدة رسائلها نفسها",
  "retention.months":
    "{count, plural, zero {# شهر} one {شهر واحد} two {شهران} few {# أشهر} many {# شهرًا} other {# شهر}}",
  "retention.years":
    "{count, plural, zero {# سنة} one {سنة واحدة} two {سنتان} few {# سنوات} many {# سنة} other {# سنة}}",
  "retention.days":
    "{count, plural, zero {# يوم} one {يوم واحد} two {يومان} few {# أيام} many {# يومًا} other {# يوم}}",
  "retention.save": "حفظ",
  "retention.unsaved": "لم يُحفظ بعد",
  "retention.saved": "حُفظ",
  "retention.ask": "حذف ما هو أقدم؟",
  "retention.ask.messages":
    "{count, plural, =0 {لا توجد اليوم رسالة بهذا القِدم.} zero {لا توجد اليوم رسالة بهذا القِدم.} one {رسالة واحدة بهذا القِدم اليوم، وستُحذف مع ملفاتها وملاحظاتها.} two {رسالتان بهذا القِدم اليوم، وستُحذفان مع ملفاتهما وملاحظاتهما.} few {# رسائل بهذا القِدم اليوم، وستُحذف مع ملفاتها وملاحظاتها.} many {# رسالة بهذا القِدم اليوم، وستُحذف مع ملفاتها وملاحظاتها.} other {# رسالة بهذا القِدم اليوم، وستُحذف مع ملفاتها وملاحظاتها.}}",
  "retention.ask.messages.more":
    "أكثر من {count} رسالة بهذا القِدم اليوم، وستُحذف مع ملفاتها وملاحظاتها.",
  "retention.ask.files":
    "{count, plural, =0 {لا يوجد اليوم ملف بهذا القِدم لرسالة باقية.} zero {لا يوجد اليوم ملف بهذا القِدم لرسالة باقية.} one {ملف واحد بهذا القِدم اليوم، وسيُحذف وتبقى رسالته.} two {ملفان بهذا القِدم اليوم، وسيُحذفان وتبقى رسالتاهما.} few {# ملفات بهذا القِدم اليوم، وستُحذف وتبقى رسائلها.} many {# ملفًا بهذا القِدم اليوم، وستُحذف وتبقى رسائلها.} other {# ملف بهذا القِدم اليوم، وستُحذف وتبقى رسائلها.}}",
  "retention.ask.files.more": "أكثر من {count} ملف بهذا القِدم اليوم، وستُحذف وتبقى رسائلها.",
  "retention.ask.events": "تُحذف الأحداث وعمليات التسليم الأقدم من المدة الجديدة.",
  "retention.ask.begins":
    "لا يُحذف شيء قبل {at}. يمكنك حتى ذلك الحين اختيار مدة أطول هنا. بعد ذلك لا يمكن التراجع.",
  "retention.ask.go": "الحذف ابتداءً من ذلك الوقت",
} as const satisfies Record<keyof typeof english, string>;
