import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import { contradicts, quoted, type Evidence } from "./evidence.ts";
import { Vocabulary, type Sentence } from "./sentences.ts";

/** What a question back may use beside the words of the sources. */
const ASKING = new Vocabulary(
  bareWords(
    "which mean order number name date city area size color colour model product branch email mail phone invoice share send give write tell details detail more another other type kind exactly looking bought address " +
      "تقصد تقصدين تعني رقم طلب اسم تاريخ مدينه منطقه مقاس لون موديل منتج فرع بريد هاتف فاتوره ترسل ارسل ترسلي تزودنا تزودني زودنا تفاصيل توضح توضيح نوع بالضبط تبحث اشتريت عنوان اكثر",
  ),
);
const LONGEST_QUESTION = 200;

/** Why a question back is more than a question, or "": it has no source, so it may ask only. */
export function questionFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
): string {
  if (sentences.reduce((sum, { text }) => sum + text.length, 0) > LONGEST_QUESTION)
    return `asks in more than ${LONGEST_QUESTION} characters`;
  const asking = sentences.filter(({ content }) => content.length > 0);
  if (asking.length === 0) return "asks nothing";
  const statements = evidence.flatMap((one) => one.statements);
  for (const sentence of asking) {
    if (!/[?؟]$/u.test(sentence.text) || !QUESTION.test(foldWords(sentence.text)))
      return `does not ask: ${quoted(sentence)}`;
    const strange = sentence.content.filter(
      (word) => !ASKING.has(word) && !evidence.some(({ words }) => words.has(word)),
    );
    if (contradicts(statements, sentence))
      return `the source says the opposite: ${quoted(sentence)}`;
    if (strange.length * 3 > sentence.content.length)
      return `no source says this: ${quoted(sentence)}`;
  }
  return "";
}

/** The beginnings of questions, behind a courtesy. */
const QUESTION =
  /^(?:[\p{L}\s]{0,30}[,،!.:]\s*)?(?:which|what|when|where|who|how|do|did|does|could|can|would|will|may|is|are|was|have|has|or|هل|اي|ايه|ما|ماذا|متي|اين|وين|كم|كيف|من|ممكن|تقصد|عن|في اي|هلا|شنو|لو سمحت)(?:\s|$)/u;
