import type { SecurityMatter } from "../workspaces/letter.ts";
import type { LetterText } from "./letter-text.ts";

type Words = Readonly<Record<SecurityMatter, readonly [subject: string, text: string]>>;

/** Mails about what happened to a person's sign-in, in both languages. */
const WORDS: Readonly<Record<"en" | "ar", Words>> = {
  en: {
    wrong_passwords: [
      "Many wrong passwords for your Parley account",
      "Somebody entered 30 wrong passwords for your Parley account within an hour. Nobody can sign in to it with a password for up to an hour, you included. If you are signed in, you stay signed in.\n\nIf it was not you, choose a new password that you use nowhere else: it works at once.",
    ],
    wrong_codes: [
      "Wrong codes for your Parley account",
      "Somebody entered the right password of your Parley account, and then several wrong two-factor codes. They did not get in.\n\nIf it was not you, somebody knows your password: choose a new one now.",
    ],
    two_factor_on: [
      "Two-factor is on for your Parley account",
      "Two-factor was switched on for your Parley account. From now on a sign-in asks for a code of your app too.\n\nIf it was not you, choose a new password and ask an owner of your workspace for help.",
    ],
    two_factor_moved: [
      "Two-factor of your Parley account was moved",
      "The two-factor codes of your Parley account now come from another app. Codes of the old one and the old recovery codes do not work any more.\n\nIf it was not you, choose a new password and ask an owner of your workspace for help.",
    ],
    two_factor_off: [
      "Two-factor is off for your Parley account",
      "Two-factor was switched off for your Parley account. A sign-in asks for the password only.\n\nIf it was not you, choose a new password and switch two-factor on again.",
    ],
  },
  ar: {
    wrong_passwords: [
      "محاولات كثيرة بكلمة مرور خاطئة لحسابك في Parley",
      "أُدخلت 30 كلمة مرور خاطئة لحسابك في Parley خلال ساعة. لا يمكن لأحد، ولا لك، تسجيل الدخول إليه بكلمة المرور لمدة تصل إلى ساعة. وإن كان دخولك مسجّلًا فسيبقى كذلك.\n\nإن لم تكن أنت، فاختر كلمة مرور جديدة لا تستخدمها في مكان آخر، وستعمل فورًا.",
    ],
    wrong_codes: [
      "رموز تحقق خاطئة لحسابك في Parley",
      "أُدخلت كلمة المرور الصحيحة لحسابك في Parley، ثم عدة رموز تحقق خاطئة، ولم يتم تسجيل الدخول.\n\nإن لم تكن أنت، فهناك من يعرف كلمة مرورك: اختر كلمة جديدة الآن.",
    ],
    two_factor_on: [
      "فُعِّل التحقق بخطوتين لحسابك في Parley",
      "فُعِّل التحقق بخطوتين لحسابك في Parley. من الآن يطلب تسجيل الدخول رمزًا من تطبيقك أيضًا.\n\nإن لم تكن أنت، فاختر كلمة مرور جديدة واطلب المساعدة من أحد مالكي مساحة العمل.",
    ],
    two_factor_moved: [
      "نُقل التحقق بخطوتين لحسابك في Parley",
      "صارت رموز التحقق لحسابك في Parley تأتي من تطبيق آخر. لم تعد رموز التطبيق السابق ولا الرموز الاحتياطية السابقة صالحة.\n\nإن لم تكن أنت، فاختر كلمة مرور جديدة واطلب المساعدة من أحد مالكي مساحة العمل.",
    ],
    two_factor_off: [
      "أُوقف التحقق بخطوتين لحسابك في Parley",
      "أُوقف التحقق بخطوتين لحسابك في Parley. يطلب تسجيل الدخول كلمة المرور فقط.\n\nإن لم تكن أنت، فاختر كلمة مرور جديدة وفعّل التحقق بخطوتين مرة أخرى.",
    ],
  },
};

/** The mail about what happened to a person's sign-in. */
export function securityText(
  locale: "en" | "ar",
  about: SecurityMatter,
  publicUrl: string,
): LetterText {
  const [subject, text] = WORDS[locale][about];
  return { subject, text: `${text}\n\n${publicUrl}\n` };
}
