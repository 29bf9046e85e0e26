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
    "واتساب أو ماسنجر أو إنستغرام أو تيليغرام أو تيك توك أو محادثة الموقع: تبيّن كل خطوة أين تجد قيمها.",
  "start.invite": "أضف فريقك",
  "start.invite.text": "يحصل كل شخص على حساب دخول خاص به عبر دعوة.",
  "start.invite.link": "ادعُ أشخاصًا",
  "start.key": "أنشئ مفتاح واجهة برمجية",
  "start.key.text": "لبرامجك الخاصة: جهات الاتصال والرسائل والأحداث عبر HTTP.",
  "start.play": "تقمّص دور عميل من برنامج",
  "start.play.text":
    "في مساحة الاختبار هذه يكتب الطلب POST /v1/test/inbound كما يكتب عميل، فلا تحتاج اختباراتك إلى هاتف.",
  "start.play.link": "أنشئ مفتاح اختبار",
  "start.channel.link": "اربط قناة",
  "start.import": "أحضر جهات اتصالك",
  "start.import.text": "من ملف CSV أو JSON Lines. يُتعرَّف على من سبق تسجيلهم ولا يتكررون.",
  "start.import.link": "استورد جهات الاتصال",
  "start.campaign": "أرسل أول حملة",
  "start.campaign.text": "رسالة واحدة إلى كثير من جهات الاتصال، تجرّبها أولًا على قناة تجريبية.",
  "start.campaign.link": "أنشئ حملة",
  "start.key.link": "أنشئ مفتاحًا",
} as const satisfies Record<keyof typeof english, string>;
