/** The words of mails to one person, in both languages. */
const RESET = {
  en: {
    subject: "Choose a new password for Parley",
    text: (link: string) =>
      `Somebody asked for a new password for your Parley account. If it was you, choose one here:\n\n${link}\n\nThe link works once, for one hour. If it was not you, do nothing: your password stays as it is.\n`,
  },
  ar: {
    subject: "اختر كلمة مرور جديدة لحسابك في Parley",
    text: (link: string) =>
      `طُلبت كلمة مرور جديدة لحسابك في Parley. إن كنت أنت من طلبها فاخترها من هنا:\n\n${link}\n\nيعمل الرابط مرة واحدة خلال ساعة. وإن لم تطلبها فلا تفعل شيئًا: تبقى كلمة مرورك كما هي.\n`,
  },
} as const;

const INVITATION = {
  en: {
    subject: (workspace: string) => `You are invited to ${workspace} on Parley`,
    text: (workspace: string, link: string) =>
      `You are invited to answer customers in ${workspace}. Join here:\n\n${link}\n\nThe link works once, for seven days.\n`,
  },
  ar: {
    subject: (workspace: string) => `دعوة إلى ${workspace} على Parley`,
    text: (workspace: string, link: string) =>
      `أنت مدعو إلى خدمة العملاء في ${workspace}. انضم من هنا:\n\n${link}\n\nيعمل الرابط مرة واحدة خلال سبعة أيام.\n`,
  },
} as const;

export interface LetterText {
  readonly subject: string;
  readonly text: string;
}

/** The mail with the link by which a person chooses a new password. */
export const resetText = (locale: "en" | "ar", link: string): LetterText => ({
  subject: RESET[locale].subject,
  text: RESET[locale].text(link),
});

/** The mail with the link of an invitation. */
export const invitationText = (
  locale: "en" | "ar",
  workspace: string,
  link: string,
): LetterText => ({
  subject: INVITATION[locale].subject(mailedName(workspace)),
  text: INVITATION[locale].text(mailedName(workspace), link),
});

/**
 * A workspace's name as a mail shows it: on one line, because a line break would write further headers or sentences of
 * its own, and with a space after every dot, colon, slash and @, because mail programs make links of addresses.
 */
export const mailedName = (name: string): string =>
  name
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[.:/@]+(?=\S)/g, (mark) => `${mark} `)
    .trim();
