import type { twoFactor as english } from "./two-factor.en.ts";

export const twoFactor = {
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
  "security.unknownBrowser": "متصفح غير معروف",
  "security.comma": "، ",
} as const satisfies Record<keyof typeof english, string>;
