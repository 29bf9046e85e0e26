import type { channels as english } from "./channels.en.ts";

export const channels = {
  "channels.lead": "من هنا يراسلك عملاؤك. كل قناة حساب واحد على منصة، أو نافذة محادثة في موقعك.",
  "channels.connect": "ربط قناة",
  "channels.testOnly": "مساحة الاختبار لا تصل إلى أحد",
  "channels.testOnly.text":
    "لا تحوي إلا القنوات التجريبية، قناة من كل نوع منذ البداية. أما الحسابات الحقيقية فمكانها مساحة عمل أخرى.",
  "channels.none": "لا توجد قناة بعد",
  "channels.none.text": "اربط رقم واتساب أو صفحة أو بوتًا أو موقعك، فتصل رسائله إلى صندوق الوارد.",
  "channels.full":
    "تتسع خطتك {limit, plural, zero {لصفر من القنوات} one {لقناة واحدة} two {لقناتين} few {لـ# قنوات} many {لـ# قناة} other {لـ# قناة}}، وكلها مشغولة. افصل واحدة أو اطلب من مشغّل الخادم خطة أكبر.",
  "channels.places": "{taken} من {limit} من قنوات خطتك",
  "channels.noAddress":
    "لا تستطيع المنصات الوصول إلى هذا الخادم على {address}. على مشغّله أن يضبط PARLEY_PUBLIC_URL على عنوان https عام؛ وحتى ذلك الحين لا يستقبل الرسائل إلا تيليغرام بالاستعلام الدوري ومحادثة الموقع والبيئة التجريبية.",
  "channels.channel": "القناة",
  "channels.state": "الحالة",
  "channels.lastCall": "آخر اتصال",
  "channels.lastCall.never": "لا شيء بعد",
  "channels.lastCall.asked": "يستعلم عنها هذا الخادم",
  "channels.lastCall.own": "تعمل على هذا الخادم",
  "channels.action": "إجراء",
  "channels.test": "اختبار",
  "channels.test.of": "اختبار {name}",
  "channels.test.good": "القناة {name} تعمل: تقبل منصتها كل القيم التي يمكن سؤالها عنها.",
  "channels.test.web": "نافذة المحادثة {name} جاهزة. افتح صفحة التجربة لتكتب زائرًا.",
  "channels.test.unasked":
    "تعذّر سؤال منصة {name}، أو أنها لا تتصل بهذا الخادم. يعيد هذا الخادم المحاولة كل عشر دقائق.",
  "channels.test.fault": "ترفض منصة {name} قيمة: {field}",
  "channels.test.again": "افتح {name} لاستبدالها.",
  "channels.gone": "قنوات مفصولة",

  "channels.about.WHATSAPP": "رقم على WhatsApp Cloud API مع القوالب والحملات.",
  "channels.about.MESSENGER": "رسائل صفحة على فيسبوك.",
  "channels.about.INSTAGRAM": "الرسائل المباشرة لحساب احترافي.",
  "channels.about.TELEGRAM": "بوت جاهز خلال دقيقتين ومن دون مراجعة.",
  "channels.about.TIKTOK": "الرسائل المباشرة لحساب أعمال.",
  "channels.about.WEB": "نافذة محادثة في موقعك.",
  "channels.sandbox": "تجريبية",

  "channels.status.connected": "متصلة",
  "channels.status.error": "خطأ",
  "channels.status.disconnected": "مفصولة",
  "channels.status.attention": "تحتاج إلى انتباه",
  "channels.status.waiting": "بانتظار أول اتصال",
  "channels.throttled": "تبطئها منصتها حتى {time}",

  "channels.problem.error":
    "القناة في حالة خطأ ولا يُرسل عليها شيء. ترفض منصتها الحساب أو إحدى قيمه. استبدل القيمة أدناه، أو أصلحها في المنصة ثم اختبر.",
  "channels.problem.not_set_up":
    "تعذّر سؤال المنصة في المرة الأخيرة، أو أنها لا تتصل بهذا الخادم. قد لا يصل ما يكتبه العملاء، أما ما تكتبه فيُرسل. سيعيد هذا الخادم المحاولة خلال عشر دقائق.",
  "channels.problem.wrong_signature":
    "{calls, plural, zero {لا اتصالات} one {اتصال واحد} two {اتصالان} few {# اتصالات} many {# اتصالًا} other {# اتصال}} منذ {time} بتوقيع خاطئ. راجع هذه القيمة: {field}",
  "channels.problem.wrong_signature.others":
    "{calls, plural, zero {لا اتصالات} one {اتصال واحد} two {اتصالان} few {# اتصالات} many {# اتصالًا} other {# اتصال}} منذ {time} بتوقيع خاطئ. تصل اتصالات بتوقيع صحيح أيضًا، فهذه ليست من المنصة ولا يلزم فعل شيء.",
  "channels.problem.wrong_verify_token":
    "سألت المنصة في {time} برمز تحقق آخر. أدخل الكلمة نفسها هناك وهنا: {field}",
  "channels.problem.silent": "لم تتصل المنصة بعد. أدخل عنوان خطاف الويب هناك واشترك في الحقول.",
  "channels.problem.said": "قالت المنصة",

  "channels.field.name": "الاسم في Parley",
  "channels.field.name.hint": "ما يقرؤه فريقك، مثل «متجر الكويت».",
  "channels.field.phoneNumberId": "معرّف رقم الهاتف (Phone number ID)",
  "channels.field.phoneNumberId.hint": "نحو 15 رقمًا، وليس رقم الهاتف نفسه.",
  "channels.field.wabaId": "معرّف حساب واتساب للأعمال (WhatsApp Business Account ID)",
  "channels.field.accessToken": "رمز الوصول (Access token)",
  "channels.field.appSecret": "مفتاح التطبيق السري (App secret)",
  "channels.field.verifyToken": "رمز التحقق (Verify token)",
  "channels.field.verifyToken.hint": "أي كلمة بلا مسافات. تُدخل الكلمة نفسها في المنصة.",
  "channels.field.pageId": "معرّف الصفحة (Page ID)",
  "channels.field.accountId": "معرّف حساب إنستغرام",
  "channels.field.botToken": "رمز البوت (Bot token)",
  "channels.field.botToken.hint": "شكله ‎123456789:AA…‎",
  "channels.field.secretToken": "الرمز السري (Secret token)",
  "channels.field.secretToken.hint": "يعرضه تيليغرام مع كل اتصال. اتركه فارغًا لينشأ تلقائيًا.",
  "channels.field.polling": "الاستعلام الدوري من تيليغرام (polling)",
  "channels.field.polling.hint": "لخادم ليس له عنوان https عام.",
  "channels.field.businessId": "معرّف النشاط التجاري (open_id)",
  "channels.field.appId": "معرّف التطبيق (App ID)",
  "channels.field.appId.hint": "به يُدخل هذا الخادم عنوانه في التطبيق بنفسه.",
  "channels.field.refreshToken": "رمز التجديد (Refresh token)",
  "channels.field.refreshToken.hint":
    "ينتهي رمز الوصول بعد يوم. بهذا الرمز ومعرّف التطبيق يُجدَّد تلقائيًا.",
  "channels.field.allowedOrigins": "الصفحات المسموح لها بعرضها",
  "channels.field.allowedOrigins.hint":
    "عنوان في كل سطر مثل ‎https://shop.example‎. إن تُرك فارغًا فأي صفحة.",
  "channels.field.apiUrl": "عنوان الواجهة البرمجية",
  "channels.field.apiUrl.hint": "يحل محل {address}: وسيط، أو خادم Bot API خاص بك، أو محاكٍ.",
  "channels.advanced": "خيارات متقدمة",

  "channels.fault.required": "هذه القيمة مطلوبة.",
  "channels.fault.format": "لا يبدو أن هذه هي القيمة المطلوبة.",
  "channels.fault.refused": "لا تقبل المنصة هذه القيمة.",
  "channels.fault.address": "لا يمكن استخدام هذا العنوان: {words}",
  "channels.fault.again":
    "مع عنوان آخر للواجهة البرمجية تلزم كل القيم السرية من جديد: لا تُرسل قيمة محفوظة إلى خادم جديد.",
  "channels.fault.plan": "لا تتسع خطتك لقناة أخرى. لم يُحفظ شيء؛ افصل قناة أولًا.",

  "channels.steps": "الخطوات",
  "channels.step": "الخطوة {step} من {steps}",
  "channels.step.platform": "المنصة",
  "channels.step.name": "الاسم",
  "channels.step.number": "الرقم",
  "channels.step.page": "الصفحة",
  "channels.step.account": "الحساب",
  "channels.step.bot": "البوت",
  "channels.step.token": "رمز الوصول",
  "channels.step.secret": "المفتاح السري",
  "channels.step.app": "التطبيق",
  "channels.step.site": "الموقع",
  "channels.step.webhook": "خطاف الويب",
  "channels.choose": "أي منصة؟",
  "channels.next": "التالي",
  "channels.check": "تحقّق واربط",
  "channels.checking": "جارٍ سؤال المنصة…",
  "channels.trySandbox": "جرّب من دون حساب",
  "channels.trySandbox.text":
    "تتصرف القناة التجريبية كالمنصة تمامًا، بأعطالها أيضًا، وأنت تمثّل عملاءها.",
  "channels.where": "أين تجدها",

  "channels.find.WHATSAPP.number":
    "developers.facebook.com > My Apps > تطبيقك > WhatsApp > API Setup",
  "channels.find.WHATSAPP.number.then":
    "اختر الرقم تحت «From»، ثم انسخ Phone number ID وWhatsApp Business Account ID المعروضين تحته.",
  "channels.find.WHATSAPP.token":
    "business.facebook.com > Settings > Users > System users > مستخدم النظام > Generate token",
  "channels.find.WHATSAPP.token.then":
    "اختر تطبيقك، واجعل انتهاءه «Never»، وفعّل whatsapp_business_messaging وwhatsapp_business_management. أما الرمز في صفحة API Setup فينتهي بعد يوم.",
  "channels.find.WHATSAPP.secret":
    "developers.facebook.com > My Apps > تطبيقك > App settings > Basic",
  "channels.find.WHATSAPP.secret.then":
    "اضغط Show بجانب App secret. يجب أن يكون التطبيق الذي أُنشئ له رمز الوصول.",
  "channels.find.MESSENGER.page":
    "developers.facebook.com > My Apps > تطبيقك > Messenger > Messenger API Settings > Generate access tokens",
  "channels.find.MESSENGER.page.then":
    "اضغط Connect واختر صفحتك. معرّفها تحت اسمها، ويعطيك Generate رمز وصولها.",
  "channels.find.MESSENGER.secret":
    "developers.facebook.com > My Apps > تطبيقك > App settings > Basic",
  "channels.find.MESSENGER.secret.then": "اضغط Show بجانب App secret.",
  "channels.find.INSTAGRAM.account":
    "developers.facebook.com > My Apps > تطبيقك > Instagram > API setup with Instagram login > Generate access tokens",
  "channels.find.INSTAGRAM.account.then":
    "اضغط Add account وسجّل الدخول. انسخ الرقم الذي تحت اسم الحساب ثم اضغط Generate token. يصلح الرمز 60 يومًا ويُجدَّد تلقائيًا.",
  "channels.find.INSTAGRAM.secret":
    "developers.facebook.com > My Apps > تطبيقك > App settings > Basic",
  "channels.find.INSTAGRAM.secret.then": "اضغط Show بجانب App secret.",
  "channels.find.TELEGRAM.bot": "تيليغرام > ‎@BotFather‎ > ‎/newbot‎",
  "channels.find.TELEGRAM.bot.then":
    "سمِّ البوت، فيجيبك BotFather برمزه. وإن كان لديك بوت: ‎/mybots‎ ثم البوت ثم API Token.",
  "channels.find.TIKTOK.account": "business-api.tiktok.com > My Apps > تطبيقك > Authorization",
  "channels.find.TIKTOK.account.then":
    "اجعل حساب الأعمال يأذن للتطبيق بالرسائل. يتضمن الرد open_id وaccess_token وrefresh_token.",
  "channels.find.TIKTOK.app": "business-api.tiktok.com > My Apps > تطبيقك > App detail",
  "channels.find.TIKTOK.app.then":
    "انسخ App ID وSecret. من دون App ID تُدخل عنوان خطاف الويب في التطبيق بنفسك.",
  "channels.find.WEB.site": "موقعك",
  "channels.find.WEB.site.then":
    "اذكر عناوين صفحاته حتى لا تعرض صفحةُ غيرك محادثتك. يمكنك تغيير ذلك لاحقًا.",

  "channels.made": "تم ربط {name}",
  "channels.made.text": "قيمها صحيحة. بقيت خطوة واحدة في المنصة.",
  "channels.made.set": "قيمها صحيحة، والمنصة تعرف أين تتصل.",
  "channels.made.trouble": "حُفظت {name} لكنها غير جاهزة",
  "channels.hook": "عنوان خطاف الويب",
  "channels.hook.WHATSAPP":
    "developers.facebook.com > My Apps > تطبيقك > WhatsApp > Configuration > Webhook > Edit",
  "channels.hook.WHATSAPP.then":
    "أدخل القيمتين واضغط Verify and save، ثم Manage، واشترك في messages (ومعه حالات الرسائل) وmessage_template_status_update وaccount_update وphone_number_quality_update.",
  "channels.hook.MESSENGER":
    "developers.facebook.com > My Apps > تطبيقك > Messenger > Messenger API Settings > Configure webhooks",
  "channels.hook.MESSENGER.then": "أدخل القيمتين واضغط Verify and save. حقول الصفحة مشتركة مسبقًا.",
  "channels.hook.INSTAGRAM":
    "developers.facebook.com > My Apps > تطبيقك > Instagram > API setup with Instagram login > Configure webhooks",
  "channels.hook.INSTAGRAM.then": "أدخل القيمتين واضغط Verify and save. حقول الحساب مشتركة مسبقًا.",
  "channels.hook.TIKTOK": "business-api.tiktok.com > My Apps > تطبيقك > Webhooks",
  "channels.hook.TIKTOK.then": "أدخل العنوان للحدث DIRECT_MESSAGE.",
  "channels.hook.TELEGRAM": "لا يلزم شيء في تيليغرام",
  "channels.hook.TELEGRAM.then": "أبلغ هذا الخادم تيليغرام بعنوانه مع رمز سري خاص به.",
  "channels.wait": "بانتظار أول اتصال من المنصة…",
  "channels.wait.text":
    "اكتب الآن إلى هذه القناة من هاتفك. تخبرك هذه الصفحة حين تصل الرسالة، ويمكنك مغادرتها.",
  "channels.wait.came": "وصل أول اتصال: تعمل القناة في الاتجاهين.",
  "channels.wait.polled":
    "يستعلم هذا الخادم من تيليغرام عن الرسائل. اكتب إلى البوت من هاتفك فتصل الرسالة إلى صندوق الوارد.",
  "channels.openInbox": "فتح صندوق واردها",
  "channels.openChannel": "فتح القناة",
  "channels.identity": "مفتاح الهوية السري",
  "channels.identity.once":
    "يُعرض مرة واحدة. احفظه في خادمك: به توقّع معرّفات المستخدمين المسجّلين في موقعك.",
  "channels.design": "تصميم نافذة المحادثة",

  "channels.part.state": "الحالة",
  "channels.part.good": "لا مشكلة في هذه القناة.",
  "channels.part.account": "الحساب",
  "channels.part.hook": "خطاف الويب",
  "channels.part.pace": "سرعة الحملات",
  "channels.part.window": "نافذة المحادثة",
  "channels.part.end": "الفصل",
  "channels.fact.account": "الحساب في المنصة",
  "channels.fact.last": "آخر اتصال من المنصة",
  "channels.fact.asked": "آخر سؤال للمنصة",
  "channels.fact.ends": "ينتهي رمز الوصول",
  "channels.fact.ends.never": "لا ينتهي",
  "channels.fact.since": "متصلة منذ",
  "channels.fact.api": "عنوان الواجهة البرمجية",
  "channels.fact.api.own": "عنوان المنصة نفسها",
  "channels.never": "أبدًا",
  "channels.rename": "إعادة التسمية",
  "channels.replace": "استبدال القيم",
  "channels.replace.text": "املأ الجديد فقط. تُسأل المنصة قبل حفظ أي شيء، ولا تُعرض القيم السرية أبدًا.",
  "channels.replace.kept": "تبقى كما هي",
  "channels.replaced": "القيم الجديدة قيد الاستخدام.",
  "channels.hook.keep":
    "حيث تتصل المنصة بهذا الخادم. رمز التحقق محفوظ سرًا؛ استبدله من «الحساب» إن فقدته.",
  "channels.pace.text":
    "ترسل كل الحملات على هذا الرقم معًا هذا العدد من الرسائل في الدقيقة على الأكثر. لا يقيّد ذلك الردود.",
  "channels.pace.most": "رسائل في الدقيقة",
  "channels.pace.hint": "من 10 إلى 1,000,000. إن تُرك فارغًا فكما تحدده كل حملة.",
  "channels.pace.ceiling": "تقيّدها المنصة حاليًا بـ{count} في الدقيقة، وينتهي ذلك تلقائيًا.",
  "channels.pace.save": "حفظ السرعة",
  "channels.pace.fault": "أدخل عددًا صحيحًا من 10 إلى 1,000,000 أو اترك الحقل فارغًا.",
  "channels.templates": "قوالب هذه القناة",
  "channels.templates.reading": "تُقرأ قوالب الحساب الآن…",
  "channels.templates.read":
    "{count, plural, =0 {لا قوالب في الحساب بعد.} one {قُرئ قالب واحد.} two {قُرئ قالبان.} few {قُرئت # قوالب.} many {قُرئ # قالبًا.} other {قُرئ # قالب.}}",
  "channels.templates.open": "فتح القوالب",
  "channels.end": "فصل القناة",
  "channels.end.title": "فصل {name}؟",
  "channels.end.text":
    "لن تصل رسائل عليها ولن تُرسل، وتُمحى قيمها السرية. تبقى محادثاتها، وربط الحساب نفسه من جديد يعيدها.",
  "channels.end.campaigns":
    "{count, plural, zero {لا حملات تتوقف:} one {تتوقف هذه الحملة:} two {تتوقف هاتان الحملتان:} few {تتوقف هذه الحملات:} many {تتوقف هذه الحملات:} other {تتوقف هذه الحملات:}}",
  "channels.end.none": "لا تستخدمها أي حملة الآن.",
  "channels.ended": "فُصلت هذه القناة. محادثاتها محفوظة.",
  "channels.reconnect": "ربطها من جديد",

  "channels.web.title": "نافذة محادثة {name}",
  "channels.web.lead": "مظهر النافذة كما يراه زوّارك.",
  "channels.web.look": "المظهر",
  "channels.web.color": "اللون",
  "channels.web.color.own": "لون خاص",
  "channels.web.heading": "العنوان",
  "channels.web.heading.hint":
    "الاسم في أعلى النافذة، مثل اسم متجرك. لا يظهر اسم القناة نفسه للزوّار أبدًا.",
  "channels.web.logo": "الشعار",
  "channels.web.logo.now": "الشعار الحالي",
  "channels.web.logo.choose": "اختيار صورة",
  "channels.web.logo.other": "صورة أخرى",
  "channels.web.logo.remove": "إزالة",
  "channels.web.logo.hint": "PNG أو JPEG أو WebP أو SVG. تُصغَّر إلى مربع صغير.",
  "channels.web.logo.refused": "تعذّرت قراءة هذه الصورة. اختر صورة أخرى.",
  "channels.web.ask": "سؤال الزوّار عن",
  "channels.web.ask.hint":
    "يُحفظ الجواب في جهة الاتصال: الاسم اسمًا لها، والبريد الإلكتروني عنوانًا غير مُثبت.",
  "channels.web.ask.nothing": "لا شيء",
  "channels.web.ask.name": "الاسم",
  "channels.web.ask.email": "البريد الإلكتروني",
  "channels.web.ask.both": "الاسم والبريد الإلكتروني",
  "channels.web.askWhen": "وقت السؤال",
  "channels.web.askWhen.after": "بعد الرسالة الأولى، ولهم ألا يجيبوا",
  "channels.web.askWhen.before": "قبل الرسالة الأولى، والجواب مطلوب",
  "channels.web.greeting": "العبارة الافتتاحية",
  "channels.web.greeting.hint": "ما تقوله النافذة قبل أن يكتب أحد. 500 حرف.",
  "channels.web.position": "الموضع",
  "channels.web.position.auto": "حسب اللغة: يمينًا، وفي العربية يسارًا",
  "channels.web.position.left": "يسار",
  "channels.web.position.right": "يمين",
  "channels.web.locale": "لغة النافذة",
  "channels.web.locale.auto": "كالصفحة والمتصفح",
  "channels.web.locale.en": "الإنجليزية",
  "channels.web.locale.ar": "العربية",
  "channels.web.files": "أكبر ملف",
  "channels.web.files.default": "10 م.ب",
  "channels.web.save": "حفظ النافذة",
  "channels.web.saved": "تم الحفظ. تظهر التغييرات في النوافذ المفتوحة عند تحميل صفحاتها من جديد.",
  "channels.web.unsaved": "لم تُحفظ بعد",
  "channels.web.preview": "معاينة",
  "channels.web.preview.text": "النافذة الحقيقية بهذه الإعدادات. لا يُرسل من هنا شيء.",
  "channels.web.preview.language": "لغة المعاينة",
  "channels.web.preview.theme": "مظهر المعاينة",
  "channels.web.light": "فاتح",
  "channels.web.dark": "داكن",
  "channels.web.open": "النافذة مفتوحة",
  "channels.web.sample": "صفحتك",
  "channels.web.embed": "في موقعك",
  "channels.web.snippet": "وسم السكربت",
  "channels.web.snippet.text": "ضعه في آخر عنصر body من كل صفحة تعرض المحادثة.",
  "channels.web.try": "فتح صفحة التجربة",
  "channels.web.origins": "الصفحات المسموح لها بعرضها",
  "channels.web.origins.save": "حفظ الصفحات",
  "channels.web.secrets": "القيم السرية",
  "channels.web.identity.text":
    "يوقّع خادمك معرّفات المستخدمين المسجّلين بمفتاح الهوية السري. المفتاح الجديد يُنهي القديم فورًا.",
  "channels.web.identity.new": "مفتاح هوية جديد",
  "channels.web.identity.ask": "إنشاء مفتاح هوية جديد؟",
  "channels.web.identity.warn":
    "تُرفض من الآن الإثباتات الموقّعة بالمفتاح القديم، إلى أن يحصل خادمك على الجديد.",
  "channels.web.visitors.text":
    "تجعل إعادة الضبط كل متصفح زائرًا جديدًا. يجد المستخدمون المُثبتون محادثتهم من جديد.",
  "channels.web.visitors": "إعادة ضبط الزوّار",
  "channels.web.visitors.ask": "إعادة ضبط كل الزوّار؟",
  "channels.web.visitors.done": "كل متصفح زائر جديد من الآن.",
} as const satisfies Readonly<Record<keyof typeof english, string>>;
