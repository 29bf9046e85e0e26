import type { imports as english } from "./imports.en.ts";

export const imports = {
  "imports.title": "استيراد جهات الاتصال",
  "imports.lead":
    "من جدول محفوظ بصيغة CSV أو من ملف صدّره برنامج آخر. سترى ما يصير إليه كل صف قبل أن يُحفظ أي شيء.",
  "imports.back": "جهات الاتصال",
  "imports.choose": "اختيار ملف",
  "imports.drop": "أفلت الملف هنا",
  "imports.dropHint":
    "CSV أو TSV أو JSON Lines حتى {size}. في Excel: ملف ← حفظ باسم ← CSV UTF-8. نتعرّف على العربية في الترميزات القديمة أيضًا.",
  "imports.uploading": "جارٍ رفع {name}",
  "imports.workbook":
    "‏{name} مصنّف أو ملف مضغوط ولا يمكن قراءته كما هو. في Excel اختر: ملف ← حفظ باسم ← CSV UTF-8، وفي جداول Google: ملف ← تنزيل ← CSV، ثم اختر الملف الناتج.",
  "imports.notRead":
    "‏{name} ليس ملف جهات اتصال يمكن قراءته: يجب أن ينتهي اسمه بـ ‎.csv أو ‎.tsv أو ‎.txt أو ‎.jsonl.",
  "imports.tooLarge": "‏{name} أكبر من {size}. قسّمه واستورد أجزاءه واحدًا بعد آخر.",
  "imports.emptyFile": "‏{name} فارغ.",
  "imports.otherFile": "اختيار ملف آخر",
  "imports.step.columns": "الأعمدة",
  "imports.step.check": "المراجعة",
  "imports.columns.lead":
    "حدّد محتوى كل عمود. الأعمدة التي لم نتعرّف عليها تُترك ما لم تحدّد أنت معناها.",
  "imports.next": "التالي",
  "imports.start": "بدء الاستيراد",
  "imports.column": "العمود {number}",
  "imports.by.name": "عُرف من اسمه",
  "imports.by.content": "عُرف من محتواه",
  "imports.by.nothing": "لم يُعرف",
  "imports.filled": "ممتلئ في {filled} من {rows}",
  "imports.field.ignore": "تجاهل العمود",
  "imports.field.name": "الاسم الكامل",
  "imports.field.firstName": "الاسم الأول",
  "imports.field.middleName": "الاسم الأوسط",
  "imports.field.lastName": "اسم العائلة",
  "imports.field.phone": "الهاتف",
  "imports.field.email": "البريد الإلكتروني",
  "imports.field.notes": "ملاحظات",
  "imports.field.tags": "الوسوم",
  "imports.field.optedOut": "ألغى الاشتراك (نعم أو لا)",
  "imports.field.attributes": "السمات (JSON)",
  "imports.field.externalId": "المعرّف على المنصة",
  "imports.field.channelType": "نوع القناة",
  "imports.field.id": "معرّف جهة الاتصال في Parley",
  "imports.field.attribute": "السمة «{name}»",
  "imports.field.newAttribute": "سمة جديدة «{name}»",
  "imports.settings": "كيف يُقرأ الملف",
  "imports.country": "بلد الأرقام المحلية",
  "imports.country.none": "بلا بلد: تبقى الأرقام كما هي",
  "imports.country.hint": "يُضاف رمز هذا البلد إلى كل رقم بلا رمز دولي.",
  "imports.match": "يُطابَق الصف مع جهة الاتصال بحسب",
  "imports.match.any": "الهاتف أو البريد أو المعرّف",
  "imports.match.phone": "الهاتف فقط",
  "imports.match.email": "البريد الإلكتروني فقط",
  "imports.match.externalId": "المعرّف على المنصة فقط",
  "imports.encoding": "الترميز",
  "imports.encoding.hint": "إذا بدت الحروف أعلاه مشوّهة فاختر ترميزًا آخر.",
  "imports.delimiter": "الفاصل بين الأعمدة",
  "imports.delimiter.auto": "كما يبدو في الملف",
  "imports.delimiter.comma": "فاصلة",
  "imports.delimiter.semicolon": "فاصلة منقوطة",
  "imports.delimiter.tab": "علامة جدولة",
  "imports.delimiter.pipe": "خط عمودي",
  "imports.optIn": "السماح للصفوف بإعادة اشتراك من ألغى اشتراكه",
  "imports.fault.twice": "يوجد عمودان لـ«{field}». تجاهل أحدهما أو اجعله سمة.",
  "imports.fault.nameParts":
    "يوجد اسم كامل إلى جانب جزء واحد من الاسم. حدّد أي جزء هو، أو تجاهل الجزء.",
  "imports.fault.noAddress": "حدّد العمود الذي فيه الهاتف أو البريد الإلكتروني، فبه يُعرف صاحب الصف.",
  "imports.fault.unknown": "لا يُعرف معنى هذه الأعمدة: {columns}. اختر لكل منها حقلًا أو اتركها.",
  "imports.fault.same": "هذه الأعمدة تعني حقلًا واحدًا: {columns}. اترك كل ما عدا واحدًا منها.",
  "imports.fault.missing": "لا يوجد في الملف العمود {column}.",
  "imports.fault.field": "لا يمكن أن يكون {column} هو {field}.",
  "imports.fault.quote": "في السطر الأول علامة اقتباس في غير موضعها، فلا يمكن تمييز الأعمدة.",
  "imports.fault.other": "لا يمكن قراءة الأعمدة هكذا: {reason}",
  "imports.reading": "جارٍ قراءة الملف…",
  "imports.check.sum":
    "في الملف {rows, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: يمكن استيراد {good}، ويُرفض {refused}.",
  "imports.check.part":
    "قُرئت أول {rows} من الصفوف: يمكن استيراد {good}، ويُرفض {refused}. ويُقرأ الباقي أثناء الاستيراد.",
  "imports.check.refused": "صفوف ستُرفض",
  "imports.check.refusedHint":
    "تُحفظ مع سبب الرفض لتُصحَّح وتُستورد من جديد، وتُستورد بقية الصفوف على أي حال.",
  "imports.check.mended": "ما يُصحَّح تلقائيًا",
  "imports.check.first": "الصفوف الأولى",
  "imports.phonesCompleted":
    "{count, plural, zero {لا أرقام محلية} one {رقم محلي واحد} two {رقمان محليان} few {# أرقام محلية} many {# رقمًا محليًا} other {# رقم محلي}}: يُضاف رمز {country}.",
  "imports.withoutCountry":
    "{count, plural, zero {لا أرقام} one {رقم واحد} two {رقمان} few {# أرقام} many {# رقمًا} other {# رقم}} بلا رمز دولي، ولا تمكن المراسلة بها. ارجع واختر بلد الأرقام المحلية.",
  "imports.emailsLeftOut":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: يُستورد دون البريد الإلكتروني لأنه غير صحيح، والهاتف سليم.",
  "imports.repeated":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}} لأشخاص سبق ذكرهم في الملف. يصير كل شخص جهة اتصال واحدة، ويُضاف الصف اللاحق إلى السابق.",
  "imports.leftOut":
    "{count, plural, zero {لا أعمدة متروكة} one {عمود واحد متروك} two {عمودان متروكان} few {# أعمدة متروكة} many {# عمودًا متروكًا} other {# عمود متروك}}: {names}.",
  "imports.lines": "{count, plural, one {السطر} other {الأسطر}} {lines}",
  "imports.linesMore": "الأسطر {lines} وغيرها",
  "imports.refused.phone_shortened":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: الهاتف مكتوب بصيغة علمية مثل 9.65E+11، وقد ضاعت أرقامه الأخيرة. اجعل العمود نصًا في الجدول، وأدخل الأرقام من جديد، ثم صدّر الملف مرة أخرى.",
  "imports.refused.phone_without_country":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: الهاتف لا يوافق أي بلد: ليس رقمًا كاملًا في البلد المختار ولا يبدأ برمز دولي. اكتبه برمزه أو اختر بلدًا آخر.",
  "imports.refused.several_phones":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: في الخلية الواحدة عدة أرقام. اترك الرقم الذي ستراسله.",
  "imports.refused.phone_invalid":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: الهاتف ليس رقمًا.",
  "imports.refused.email_invalid":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: البريد الإلكتروني غير صحيح ولا هاتف إلى جانبه.",
  "imports.refused.no_address":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: لا هاتف ولا بريد إلكتروني، فلا أحد تمكن مراسلته.",
  "imports.refused.no_match_address":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: ينقصه العنوان الذي تُطابَق به الصفوف.",
  "imports.refused.wrong_width":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: عدد الخلايا أكثر أو أقل من عناوين الأعمدة. يحدث ذلك حين توجد فاصلة في نص بلا علامتي تنصيص.",
  "imports.refused.broken_quote":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: علامة تنصيص في غير مكانها.",
  "imports.refused.broken_line":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: السطر ليس كائن JSON، أو فيه عنصر غير معروف.",
  "imports.refused.bad_number":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: القيمة في «{attribute}» ليست رقمًا.",
  "imports.refused.bad_date":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: القيمة في «{attribute}» ليست تاريخًا مثل 2026-11-21.",
  "imports.refused.bad_choice":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: القيمة في «{attribute}» ليست من الخيارات.",
  "imports.refused.bad_yes_no":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: القيمة في «{attribute}» ليست نعم أو لا.",
  "imports.refused.bad_text":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: قيمة ليست نصًا حيث يجب أن تكون نصًا.",
  "imports.refused.bad_attributes":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: لا يمكن قراءة الحقول الإضافية.",
  "imports.refused.bad_tags":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: لا يمكن قراءة الوسوم.",
  "imports.refused.bad_channel":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: نوع القناة غير موجود.",
  "imports.refused.too_long":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: النص أطول مما يُسمح به.",
  "imports.refused.bad_characters":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: فيه محارف لا يمكن حفظها.",
  "imports.refused.unreadable": "لا يمكن متابعة قراءة الملف من هناك؛ قد يكون مقطوعًا أو بترميز آخر.",
  "imports.refused.other":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: {reason}",
  "imports.short.phone_shortened": "هاتف بصيغة علمية",
  "imports.short.phone_without_country": "هاتف لا يوافق أي بلد",
  "imports.short.several_phones": "عدة أرقام",
  "imports.short.phone_invalid": "الهاتف ليس رقمًا",
  "imports.short.email_invalid": "بريد غير صحيح",
  "imports.short.no_address": "لا هاتف ولا بريد",
  "imports.short.no_match_address": "العنوان ناقص",
  "imports.short.wrong_width": "عدد خلايا غير صحيح",
  "imports.short.broken_quote": "علامة تنصيص",
  "imports.short.broken_line": "ليس كائن JSON",
  "imports.short.bad_number": "ليست رقمًا",
  "imports.short.bad_date": "ليست تاريخًا",
  "imports.short.bad_choice": "ليست من الخيارات",
  "imports.short.bad_yes_no": "ليست نعم أو لا",
  "imports.short.bad_text": "يلزم نص",
  "imports.short.bad_attributes": "حقول غير مقروءة",
  "imports.short.bad_tags": "وسوم غير مقروءة",
  "imports.short.bad_channel": "نوع قناة مجهول",
  "imports.short.too_long": "نص طويل",
  "imports.short.bad_characters": "محارف غير صالحة",
  "imports.short.unreadable": "تعذّرت المتابعة",
  "imports.short.other": "مرفوض",
  "imports.row.line": "السطر",
  "imports.row.becomes": "يصير",
  "imports.row.name": "الاسم",
  "imports.row.phone": "الهاتف",
  "imports.row.email": "البريد الإلكتروني",
  "imports.row.tags": "الوسوم",
  "imports.row.created": "جهة اتصال جديدة",
  "imports.row.updated": "يحدّث",
  "imports.row.unchanged": "لا جديد عن",
  "imports.row.same": "يُضاف إلى صف سابق",
  "imports.row.completed": "أُضيف رمز البلد",
  "imports.row.emailLeftOut": "دون البريد",
  "imports.progress": "الاستيراد",
  "imports.progress.text": "{rows} صف، {part}",
  "imports.progress.rate": "{rate} صف في الثانية",
  "imports.progress.left":
    "{minutes, plural, =0 {بقي أقل من دقيقة} one {بقيت دقيقة تقريبًا} two {بقيت دقيقتان تقريبًا} few {بقيت # دقائق تقريبًا} many {بقيت # دقيقة تقريبًا} other {بقيت # دقيقة تقريبًا}}",
  "imports.leave": "يمكنك مغادرة هذه الصفحة، فالاستيراد مستمر.",
  "imports.stop": "إيقاف الاستيراد",
  "imports.stop.title": "إيقاف هذا الاستيراد؟",
  "imports.stop.text":
    "يبقى ما استُورد حتى الآن. وإذا استوردت الملف نفسه بالإعدادات نفسها لاحقًا فسيُكمل من حيث توقّف.",
  "imports.discard": "تجاهل الملف",
  "imports.continue": "متابعة",
  "imports.refusedRows": "الصفوف المرفوضة",
  "imports.refusedRows.hint":
    "ملف مثل ملفك، مع رقم السطر وسبب الرفض لكل صف. صحّحه واستورده: يُتجاهل هذان العمودان.",
  "imports.showContacts": "عرض جهات الاتصال",
  "imports.another": "استيراد ملف آخر",
  "imports.sum.created": "جديدة",
  "imports.sum.updated": "محدّثة",
  "imports.sum.unchanged": "كما كانت",
  "imports.sum.refused": "مرفوضة",
  "imports.told.completed":
    "{count, plural, zero {لا أرقام محلية} one {رقم محلي واحد} two {رقمان محليان} few {# أرقام محلية} many {# رقمًا محليًا} other {# رقم محلي}}: أُضيف رمز البلد.",
  "imports.told.emailsLeftOut":
    "{count, plural, zero {لا صفوف} one {صف واحد} two {صفان} few {# صفوف} many {# صفًا} other {# صف}}: استُورد دون البريد الإلكتروني لأنه غير صحيح.",
  "imports.told.why": "أسباب الرفض",
  "imports.told.took": "استغرق {time}",
  "imports.state.uploaded": "لم يبدأ",
  "imports.state.waiting": "في الانتظار",
  "imports.state.running": "جارٍ",
  "imports.state.done": "مكتمل",
  "imports.state.stopped": "توقفت القراءة",
  "imports.state.failed": "فشل",
  "imports.state.cancelled": "أُوقف",
  "imports.state.broken_off": "انقطع",
  "imports.told.waiting": "ينتظر دوره",
  "imports.told.running": "جارٍ استيراد جهات الاتصال",
  "imports.told.done": "اكتمل الاستيراد",
  "imports.told.stopped": "لم يمكن قراءة الملف بعد السطر {line}. واستُورد ما قبله.",
  "imports.told.gaveUp": "تعذرت قراءة الملف أو حفظه عشر مرات متتالية.",
  "imports.told.failed": "فشل الاستيراد، ويبقى ما استُورد قبل ذلك. {reason}",
  "imports.told.cancelled": "أُوقف الاستيراد، ويبقى ما استُورد قبل ذلك.",
  "imports.told.broken_off": "انقطع هذا الاستيراد الذي بدأ من سطر الأوامر. الأمر نفسه يُكمله.",
  "imports.past": "عمليات الاستيراد السابقة",
  "imports.past.file": "الملف",
  "imports.past.state": "الحالة",
  "imports.past.when": "الوقت",
  "imports.past.who": "بواسطة",
  "imports.past.cli": "سطر الأوامر",
  "imports.past.rows": "الصفوف",
} as const satisfies Readonly<Record<keyof typeof english, string>>;
