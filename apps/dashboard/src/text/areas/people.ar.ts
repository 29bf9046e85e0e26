import type { people as english } from "./people.en.ts";

export const people = {
  "people.setup": "إعداد Parley",
  "people.setup.text": "ستصبح مالك أول مساحة عمل. يُدعى الآخرون لاحقًا.",
  "people.setup.code": "رمز الإعداد",
  "people.setup.code.hint": "يعرضه الخادم عند بدء تشغيله، ويعرضه أيضًا الأمر «parley set-up-link».",
  "people.setup.wrongCode":
    "رمز الإعداد غير صحيح، أو تمّ إعداد Parley في هذه الأثناء. انسخ الرمز من مخرجات الخادم.",
  "people.workspaceName": "اسم مساحة العمل",
  "people.yourName": "اسمك",
  "people.email": "البريد الإلكتروني",
  "people.password": "كلمة المرور",
  "people.password.hint": "10 أحرف أو أكثر",
  "people.password.common": "هذه من أكثر كلمات المرور استخدامًا. اختر كلمة أخرى.",
  "people.password.address": "هذا عنوانك نفسه. اختر كلمة مرور أخرى.",
  "people.password.short": "استخدم 10 أحرف على الأقل.",
  "people.create": "إنشاء مساحة العمل",
  "people.ended": "انتهت جلستك. سجّل الدخول مجددًا لتكمل من حيث كنت.",
  "people.signIn": "تسجيل الدخول",
  "people.forgot": "هل نسيت كلمة المرور؟",
  "people.forgot.text":
    "اكتب عنوانك. سيرى مالكو مساحة العمل ومشرفوها أنك تحتاج رابطًا تختار به كلمة مرور جديدة.",
  "people.forgot.asked":
    "إن كان للعنوان {email} حساب هنا فسيرى مالكو مساحة العمل ومشرفوها الآن أنك تحتاج رابطًا. ينشئه أحدهم من الإعدادات ثم الفريق ويعطيك إياه. يعمل الرابط ساعة واحدة.",
  "people.forgot.sole":
    "إذا كنت المالك الوحيد فبوسع مشغّل هذا الخادم ضبط كلمة مرور جديدة (يعرض الأمر ‎parley user list‎ المعرّفات):",
  "people.backToSignIn": "العودة إلى تسجيل الدخول",
  "people.choosePassword": "اختر كلمة مرورك",
  "people.newPassword": "كلمة المرور الجديدة",
  "people.savePassword": "حفظ كلمة المرور",
  "people.passwordSaved": "حُفظت كلمة المرور",
  "people.passwordSaved.text": "سجّل الدخول بها. والمتصفحات التي كانت مسجّلة تسجّل الدخول من جديد.",
  "people.join": "الانضمام إلى {workspace}",
  "people.joinAny": "الانضمام إلى مساحة عمل",
  "people.join.text": "دُعيت بالعنوان {email}.",
  "people.join.known": "لهذا العنوان حساب في Parley بكلمة مرور أخرى. اكتب تلك الكلمة للانضمام به.",
  "people.join.password":
    "10 أحرف أو أكثر. وإن كان لك حساب في Parley بهذا العنوان فاكتب كلمة مرورك الحالية.",
  "people.joinWorkspace": "الانضمام إلى مساحة العمل",
  "people.linkGone": "استُخدم هذا الرابط من قبل أو انتهت مدته. اطلب رابطًا جديدًا.",
  "people.wrong": "العنوان أو كلمة المرور غير صحيحة.",
  "people.seats": "كل مقاعد خطتك مشغولة. عطّل عضوًا أو اسحب دعوة أولًا.",
  "people.lastOwner": "تحتاج مساحة العمل إلى مالك. اجعل شخصًا آخر مالكًا أولًا.",
  "people.isMember": "صاحب هذا العنوان عضو من قبل.",

  "people.settings": "الإعدادات",
} as const satisfies Record<keyof typeof english, string>;
