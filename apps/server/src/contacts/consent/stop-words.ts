/**
 * A message of only one of these words opts its contact out (contract §5, Opt-out), whether it was typed or is the
 * reply button of a template. Written as people type them; `normalise` makes the spellings of a word one.
 */
const STOP = [
  // English, with the words carriers require
  "stop",
  "stop all",
  "stopall",
  "unsubscribe",
  "unsub",
  "opt out",
  "optout",
  "opt-out",
  "remove me",
  "stop messages",
  "stop please",
  "please stop",
  "stop it",
  // The button that Meta puts under a marketing template ("marketing opt-out"), and words like it.
  "stop promotions",
  "stop marketing",
  "stop offers",
  // Arabic
  "الغاء الاشتراك",
  "إلغاء الإشتراك",
  "إيقاف",
  "ايقاف",
  "إيقاف الرسائل",
  "إيقاف العروض",
  "إيقاف العروض الترويجية",
  "إيقاف الرسائل الترويجية",
  "أوقف",
  "اوقفوا",
  "توقف",
  "قف",
  "ستوب",
  "لا ترسل",
  "لا ترسلوا",
  "وقف",
  // French
  "arrêt",
  "arret",
  "arrett",
  "arrêter",
  "arrêtez",
  "désabonner",
  "désinscription",
  "désinscrire",
  "stopper",
  "se désabonner",
  // Spanish
  "alto",
  "baja",
  "darme de baja",
  "dar de baja",
  "parar",
  "detener",
  "no más",
  // Portuguese, German, Italian, Turkish, Indonesian
  "pare",
  "descadastrar",
  "stopp",
  "abmelden",
  "abbestellen",
  "disiscrivi",
  "dur",
  "durdur",
  "berhenti",
  // Hindi
  "रोकें",
  "रोको",
  "बंद करो",
  "बंद करें",
  "बंद",
  "स्टॉप",
  "सदस्यता समाप्त",
  "सदस्यता रद्द करें",
  // Urdu
  "بند کرو",
  "بند کریں",
  "بند",
  "روکیں",
  "روکو",
  "سٹاپ",
  "اسٹاپ",
  // Farsi, Russian
  "توقف کنید",
  "стоп",
  "отписаться",
  "отписка",
] as const;

/**
 * Words that opt out when they are typed. On a button they mean Cancel, End or Quit: of an appointment, an order,
 * a form.
 */
const STOP_TYPED = [
  "cancel",
  "end",
  "quit",
  "revoke",
  "إلغاء",
  "annuler",
  "cancelar",
  "salir",
  "sair",
  "annulla",
  "iptal",
  "ret",
  "batal",
  "منسوخ",
  "منسوخ کریں",
  "لغو",
] as const;

/** A message of only one of these words opts its contact in again. */
const START = [
  "start",
  "unstop",
  "subscribe",
  "opt in",
  "optin",
  "resume",
  "resubscribe",
  "ابدأ",
  "ابدا",
  "اشتراك",
  "اشترك",
  "تفعيل",
  "استئناف",
  "ستارت",
  "démarrer",
  "commencer",
  "s'abonner",
  "abonner",
  "reprendre",
  "empezar",
  "comenzar",
  "iniciar",
  "suscribir",
  "suscribirme",
  "alta",
  "reanudar",
  "começar",
  "assinar",
  "anmelden",
  "başla",
  "başlat",
  "mulai",
  "शुरू",
  "शुरू करें",
  "शुरू करो",
  "स्टार्ट",
  "सदस्यता लें",
  "شروع",
  "شروع کریں",
  "شروع کرو",
  "سٹارٹ",
  "اسٹارٹ",
  "старт",
  "подписаться",
] as const;

// Longer than any word of the lists: most messages are turned away by their length alone.
const LONGEST = 60;

/**
 * One spelling per word. Compatibility forms and case are folded; Latin accents, Arabic vowel marks, tatweel and
 * invisible marks are dropped; variants of alef, hamza, yeh, kaf and ta-marbuta become one; everything that is
 * neither letter nor digit (punctuation, emoji) counts as a space.
 */
function normalise(text: string): string {
  return (
    text
      .normalize("NFKD")
      .toLowerCase()
      // marks of Latin and Arabic letters, tatweel, invisible marks; Indian vowel signs stay, they are letters
      .replaceAll(/[[\p{Mn}\p{Cf}\u0640]--[\u0900-\u0dff]]/gv, "")
      .replaceAll(/[أإآٱ]/gu, "ا")
      .replaceAll(/ى|ی|ئ|ې/gu, "ي")
      .replaceAll("ؤ", "و")
      .replaceAll("ک", "ك")
      .replaceAll(/[ةۃہھۀ]/gu, "ه")
      .replaceAll("ء", "")
      .replaceAll("ı", "i")
      .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
      .trim()
  );
}

const typedOnly: ReadonlySet<string> = new Set(STOP_TYPED.map(normalise));

const words = new Map<string, "stop" | "start">([
  ...[...STOP, ...STOP_TYPED].map((word) => [normalise(word), "stop"] as const),
  ...START.map((word) => [normalise(word), "start"] as const),
]);

/** A workspace's own words in one spelling, with what each means. */
export type OwnWords = ReadonlyMap<string, "stop" | "start">;

/** The spelling in which a text is compared with words. */
export const spellingOf = (text: string): string => normalise(text);

/** Whether a text is short enough for a word and has a letter or digit. */
export const mayBeConsentWord = (text: string): boolean =>
  text.length <= LONGEST && normalise(text) !== "";

/**
 * The words of every workspace, as people type them. `typed`: the word counts only when it is typed, not on a
 * button.
 */
export const CONSENT_WORDS = { stop: STOP, typed: STOP_TYPED, start: START } as const;

/**
 * Whether an inbound text asks to stop or to start again, and nothing else: "STOP!" does, "do not stop" does not.
 * A word quoted within a sentence never changes a consent. `pressed`: the text is a button's title, where fewer
 * words count. `own`: the workspace's own words. `word` is what the ledger keeps.
 */
export function readConsentWord(
  text: string,
  {
    pressed = false,
    own,
  }: { readonly pressed?: boolean; readonly own?: OwnWords | undefined } = {},
): { readonly wish: "stop" | "start"; readonly word: string } | null {
  if (text.length > LONGEST) return null;
  const word = normalise(text);
  if (pressed && typedOnly.has(word)) return null;
  const wish = words.get(word) ?? own?.get(word);
  return wish ? { wish, word } : null;
}
