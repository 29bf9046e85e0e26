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
  "security.forgot.text":
    "اكتب عنوانك. إن كان له حساب هنا فسيصلك بالبريد رابط لاختيار كلمة مرور جديدة.",
  "security.forgot.send": "إرسال رابط التعيين",
  "security.forgot.sent":
    "إن كان للعنوان {email} حساب هنا فالرابط في طريقه إليه. يعمل مرة واحدة خلال ساعة. انظر أيضًا في مجلد الرسائل غير المرغوبة.",
  "profile.away": "غير متاح",
} as const satisfies Record<keyof typeof english, string>;
