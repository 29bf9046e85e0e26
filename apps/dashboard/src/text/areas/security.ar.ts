import type { security as english } from "./security.en.ts";

export const security = {
  "security.prove": "تأكيد هويتك",
  "security.prove.text":
    "تتطلب هذه الخطوة كلمة مرورك مجددًا لأنك كتبتها قبل أكثر من 10 دقائق. ويستمر ما كنت تفعله بعدها.",
  "security.prove.go": "تأكيد",
  "security.prove.wrong": "كلمة المرور هذه غير صحيحة.",
  "security.prove.given": "لم يتغير شيء، لأن كلمة المرور لم تُكتب.",
  "security.code.title": "رمز التحقق بخطوتين",
  "security.code": "الرمز",
  "security.code.text": "اكتب الأرقام الستة التي يعرضها تطبيق المصادقة لحساب Parley.",
  "security.code.wrong": "الرمز غير صحيح أو سبق استخدامه. انتظر الرمز التالي في التطبيق.",
  "security.code.over":
    "انتهت محاولة تسجيل الدخول: مضى وقت طويل على كتابة كلمة المرور، أو كانت خمسة رموز خاطئة. سجّل الدخول من جديد.",
  "security.verify": "تحقق",
  "security.useRecovery": "استخدام رمز احتياطي",
  "security.useApp": "استخدام التطبيق بدلًا منه",
  "security.again": "تسجيل الدخول من جديد",
  "security.recoveryCode": "الرمز الاحتياطي",
  "security.recoveryCode.text":
    "اكتب أحد الرموز التي احتفظت بها عند تفعيل التحقق بخطوتين. يعمل كل رمز مرة واحدة.",
  "security.recoveryCode.wrong": "الرمز الاحتياطي غير صحيح أو سبق استخدامه.",
  "security.twoFactor": "التحقق بخطوتين",
  "security.twoFactor.on": "مفعّل",
  "security.twoFactor.off": "غير مفعّل",
  "security.twoFactor.text":
    "بعد كلمة المرور يُطلب رمز من تطبيق على هاتفك، فلا تكفي كلمة المرور وحدها لدخول حسابك.",
  "security.twoFactor.required": "مساحة العمل تشترطه على الجميع.",
  "security.twoFactor.left":
    "{count, plural, =0 {لم يبقَ رمز احتياطي. أنشئ رموزًا جديدة الآن.} zero {لم يبقَ رمز احتياطي.} one {بقي رمز احتياطي واحد.} two {بقي رمزان احتياطيان.} few {بقيت # رموز احتياطية.} many {بقي # رمزًا احتياطيًا.} other {بقي # رمز احتياطي.}}",
  "security.twoFactor.switchOn": "إعداد التحقق بخطوتين",
  "security.twoFactor.switchOff": "إيقاف",
  "security.twoFactor.switchOff.title": "إيقاف التحقق بخطوتين؟",
  "security.twoFactor.switchOff.text":
    "بعدها تكفي كلمة المرور وحدها لفتح حسابك، وتتوقف رموزك الاحتياطية عن العمل. للتأكيد اكتب الرمز الذي يعرضه تطبيقك الآن، أو أحد رموزك الاحتياطية.",
  "security.twoFactor.switchOff.code": "الرمز أو رمز احتياطي",
  "security.twoFactor.switchOff.required":
    "مساحة العمل تشترط التحقق بخطوتين، وسيُطلب منك إعداده من جديد فورًا.",
  "security.twoFactor.renew": "رموز احتياطية جديدة",
  "security.twoFactor.renew.title": "إنشاء رموز احتياطية جديدة؟",
  "security.twoFactor.renew.text": "ستتوقف الرموز التي لديك عن العمل.",
  "security.twoFactor.scan":
    "امسح هذه الصورة بتطبيق مصادقة مثل Google Authenticator أو 1Password أو Aegis.",
  "security.twoFactor.picture": "رمز QR لتطبيق المصادقة",
  "security.twoFactor.secret": "أو اكتب هذا المفتاح في التطبيق",
  "security.twoFactor.first": "ثم اكتب الرمز الذي يعرضه التطبيق",
  "security.twoFactor.finish": "تفعيل",
  "security.twoFactor.isOn": "فُعّل التحقق بخطوتين، وسُجّل الخروج من جلساتك الأخرى.",
  "security.codes": "الرموز الاحتياطية",
  "security.codes.text":
    "احفظها حيث تحفظ كلمات المرور، لا على الهاتف الذي فيه التطبيق. يفتح كل رمز حسابك مرة واحدة إذا فُقد الهاتف. لن تُعرض مرة أخرى.",
  "security.codes.copy": "نسخ",
  "security.codes.copied": "تم النسخ",
  "security.codes.download": "تنزيل",
  "security.codes.kept": "احتفظت بها",
  "security.codes.file": "الرموز الاحتياطية لحساب {email} في Parley. يعمل كل رمز مرة واحدة.",
  "security.setUp.title": "إعداد التحقق بخطوتين",
  "security.setUp.text":
    "تشترط مساحة العمل رمزًا عند كل تسجيل دخول. أعدّه مرة واحدة، ثم يُفتح كل ما عداه.",
  "security.reset": "إعادة تعيين التحقق بخطوتين",
  "security.reset.title": "إعادة تعيين التحقق بخطوتين لـ{name}؟",
  "security.reset.text":
    "يُسجَّل خروجه من كل مكان، ثم يدخل بكلمة المرور وحدها إلى أن يعدّه من جديد. تأكد من أنه هو من طلب ذلك فعلًا.",
  "security.reset.done": "أُوقف التحقق بخطوتين لـ{name}.",
  "security.unknownBrowser": "متصفح غير معروف",
  "security.comma": "، ",
  "security.forgot.text":
    "اكتب عنوانك. إن كان له حساب هنا فسيصلك بالبريد رابط لاختيار كلمة مرور جديدة.",
  "security.forgot.send": "إرسال رابط التعيين",
  "security.forgot.sent":
    "إن كان للعنوان {email} حساب هنا فالرابط في طريقه إليه. يعمل مرة واحدة خلال ساعة. انظر أيضًا في مجلد الرسائل غير المرغوبة.",
  "workspace.general": "عام",
  "workspace.saveName": "حفظ الاسم",
  "workspace.zone": "المنطقة الزمنية",
  "workspace.zone.text": "للحملات ولأيام التقارير.",
  "workspace.country": "البلد",
  "workspace.country.none": "بلا",
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
  "profile.away": "غير متاح",
  "notify.browser": "إشعارات هذا المتصفح",
  "notify.browser.text":
    "يظهر اسم العميل ورسالته على شاشتك عندما لا تكون صفحة Parley أمامك، للمحادثات المختارة أعلاه.",
  "notify.browser.on": "إظهار الإشعارات",
  "notify.browser.none": "لا يدعمها هذا المتصفح، أو الصفحة غير مفتوحة عبر https.",
  "notify.browser.blocked":
    "يحظرها المتصفح لهذه الصفحة. اسمح بها من إعدادات الموقع في المتصفح ثم أعد تحميل الصفحة.",
} as const satisfies Record<keyof typeof english, string>;
