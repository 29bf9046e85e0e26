import type { account as english } from "./account.en.ts";

export const account = {
  "account.allPages": "كل صفحات الإعدادات",
  "security.reset": "إعادة تعيين التحقق بخطوتين",
  "security.reset.title": "إعادة تعيين التحقق بخطوتين لـ{name}؟",
  "security.reset.text":
    "يُسجَّل خروجه من كل مكان، ثم يدخل بكلمة المرور وحدها إلى أن يعدّه من جديد. تأكد من أنه هو من طلب ذلك فعلًا.",
  "security.reset.done": "أُوقف التحقق بخطوتين لـ{name}.",
  "workspace.general": "عام",
  "workspace.test": "هذه مساحة اختبار: لا تصل إلا إلى القنوات التجريبية، ولا يتغيّر نوعها.",
  "workspace.saveName": "حفظ الاسم",
  "workspace.zone": "المنطقة الزمنية",
  "workspace.zone.text": "للحملات ولأيام التقارير.",
  "workspace.country": "البلد",
  "workspace.country.none": "غير محدد",
  "workspace.country.text": "يُضاف رمزه إلى أرقام الهواتف المحلية عند الاستيراد.",
  "workspace.language.text": "للأعضاء الذين لم يختاروا لغة، ولرسائل البريد.",
  "workspace.require": "اشتراط التحقق بخطوتين على كل الأعضاء",
  "workspace.require.text": "عندها لا تكفي معرفة كلمة مرور أحد الأعضاء لفتح أي شيء.",
  "workspace.require.without":
    "{count, plural, =0 {أعدّه كل الأعضاء.} zero {أعدّه كل الأعضاء.} one {عضو واحد لم يُعدّه بعد.} two {عضوان لم يُعدّاه بعد.} few {# أعضاء لم يُعدّوه بعد.} many {# عضوًا لم يُعدّوه بعد.} other {# عضو لم يُعدّوه بعد.}}",
  "workspace.require.title": "اشتراط التحقق بخطوتين؟",
  "workspace.require.go": "اشتراط",
  "workspace.require.ask":
    "{count, plural, =0 {أعدّه كل الأعضاء من قبل، ويُعدّه الأعضاء الجدد عند انضمامهم.} zero {أعدّه كل الأعضاء من قبل.} one {على عضو واحد إعداده قبل أن يُفتح له أي شيء آخر.} two {على عضوين إعداده قبل أن يُفتح لهما أي شيء آخر.} few {على # أعضاء إعداده قبل أن يُفتح لهم أي شيء آخر.} many {على # عضوًا إعداده قبل أن يُفتح لهم أي شيء آخر.} other {على # عضو إعداده قبل أن يُفتح لهم أي شيء آخر.}}",
  "workspace.delete": "حذف مساحة العمل",
  "workspace.delete.text":
    "تُحذف جهات الاتصال والمحادثات والحملات والملفات والقنوات نهائيًا. تبقى لدى العملاء الرسائل التي وصلتهم.",
  "workspace.delete.title": "حذف {name}؟",
  "workspace.delete.ask":
    "يُسجَّل خروج الجميع فورًا، وتتوقف مفاتيح API، وتُفصل القنوات. لا يمكن التراجع عن ذلك.",
  "workspace.delete.type": "اكتب «{name}» للتأكيد",
  "notify.sound": "الصوت",
  "notify.sound.text":
    "يرن Parley في تبويب واحد عندما يكتب عميل. تسمح المتصفحات بذلك بعد أول نقرة لك في الصفحة.",
  "notify.sound.when": "الرنين عند",
  "notify.sound.mine": "محادثاتي",
  "notify.sound.mineAndUnassigned": "محادثاتي وغير المسندة",
  "notify.sound.all": "كل المحادثات",
  "notify.sound.off": "لا شيء",
  "notify.play": "تشغيل",
  "profile.you": "أنت",
  "profile.saveName": "حفظ الاسم",
  "profile.availability": "التوفر",
  "profile.availability.text":
    "أثناء غيابك تعود المحادثة التي يعيد العميل فتحها إلى قائمة الانتظار بدلًا من أن تعود إليك.",
  "profile.availability.online": "أنا متاح",
  "profile.interface": "الواجهة",
  "notify.browser": "إشعارات هذا المتصفح",
  "notify.browser.text":
    "يظهر اسم العميل ورسالته على شاشتك عندما لا تكون صفحة Parley أمامك، للمحادثات المختارة أعلاه.",
  "notify.browser.on": "إظهار الإشعارات",
  "notify.browser.none": "لا يدعمها هذا المتصفح، أو الصفحة غير مفتوحة عبر https.",
  "notify.browser.blocked":
    "يحظرها المتصفح لهذه الصفحة. اسمح بها من إعدادات الموقع في المتصفح ثم أعد تحميل الصفحة.",
} as const satisfies Record<keyof typeof english, string>;
