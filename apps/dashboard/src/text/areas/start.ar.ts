import type { start as english } from "./start.en.ts";

export const start = {
  "start.title": "الخطوات الأولى",
  "start.done": "تم",
  "start.sandbox": "ابدأ محادثة أولى",
  "start.sandbox.text":
    "تقمّص دور عميل على هاتف التجربة. تظهر الرسالة في هذا الوارد، ويظهر ردك على الهاتف.",
  "start.sandbox.link": "افتح هاتف التجربة",
  "start.channel": "اربط قناة",
  "start.channel.text":
    "واتساب أو ماسنجر أو إنستغرام أو تيليغرام أو تيك توك أو محادثة الويب. هذا الأمر على الخادم يبيّن ما يلزم:",
  "start.invite": "أضف فريقك",
  "start.invite.text": "يحصل كل شخص على حساب دخول خاص به عبر دعوة.",
  "start.invite.link": "ادعُ أشخاصًا",
  "start.key": "أنشئ مفتاح واجهة برمجية",
  "start.key.text":
    "لبرامجك الخاصة: جهات الاتصال والرسائل والأحداث عبر HTTP. هذا الأمر على الخادم ينشئ مفتاحًا:",
} as const satisfies Record<keyof typeof english, string>;
