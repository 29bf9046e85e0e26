import type { PageLanguage } from "../../lib/language.ts";
import { attributeIn, refusalKind, type RefusalKind } from "./refusal-kind.ts";

/** Why a row is refused, in Arabic. `of` is the attribute that the value does not fit. */
const ARABIC: Readonly<Record<Exclude<RefusalKind, "other">, string | ((of: string) => string)>> = {
  phone_shortened:
    "الهاتف مكتوب بصيغة علمية وفُقدت أرقامه الأخيرة: اجعل العمود نصًا في الجدول ثم صدّره من جديد",
  phone_without_country: "الهاتف لا يوافق أي بلد: اكتبه مع رمز البلد أو اختر بلدًا آخر",
  several_phones: "في الخلية عدة أرقام هاتف: أبقِ الرقم الذي تريد مراسلته",
  phone_invalid: "الهاتف ليس رقمًا صحيحًا",
  email_invalid: "البريد الإلكتروني غير صحيح",
  no_address: "لا هاتف ولا بريد إلكتروني في الصف",
  no_match_address: "ينقص الصف العنوان الذي تُطابَق به جهات الاتصال",
  wrong_width: "عدد الخلايا لا يساوي عدد الأعمدة",
  broken_quote: "علامة تنصيص في غير موضعها",
  broken_line: "السطر ليس كائن JSON، أو فيه حقل غير معروف",
  bad_number: (of) => `القيمة في «${of}» ليست رقمًا`,
  bad_date: (of) => `القيمة في «${of}» ليست تاريخًا مثل 2026-11-21`,
  bad_choice: (of) => `القيمة في «${of}» ليست من خياراتها`,
  bad_yes_no: (of) => `القيمة في «${of}» ليست نعم أو لا`,
  bad_text: "يلزم نص في خلية فيها غير ذلك",
  bad_attributes: "السمات لا يمكن قراءتها",
  bad_tags: "التصنيفات لا يمكن قراءتها",
  bad_channel: "نوع القناة غير معروف",
  too_long: "نص أطول من المسموح",
  bad_characters: "محارف لا يمكن حفظها",
  unreadable: "لا يمكن متابعة قراءة الملف من هنا؛ قد يكون مقطوعًا أو بترميز آخر",
};

/**
 * The reason of a refused row for people who read this language. English has it as it was stored, which says more;
 * what the closed list has no words for stays English too.
 */
export function refusalWords(reason: string, language: PageLanguage): string {
  const kind = refusalKind(reason);
  if (language === "en" || kind === "other") return reason;
  const words = ARABIC[kind];
  return typeof words === "string" ? words : words(attributeIn(reason) ?? "optedOut");
}
