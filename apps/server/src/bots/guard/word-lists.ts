import { foldWords } from "../../messages/search/search-terms.ts";

/** The closed lists of words by which the guard reads sentences. All are folded, as `foldWords` folds what is compared. */
const folded = (text: string): ReadonlySet<string> => new Set(foldWords(text).trim().split(/\s+/u));

/** Say nothing of the business: greetings, thanks, offers of help. */
export const COURTESY = folded(`
  hello hi hey dear welcome good morning evening thanks thank sorry apologies please yes no sure ok okay course certainly
  glad happy pleased help helping assist anything else question questions know let ask reach reaching contacting
  understand nice great asking happy further hear
  مرحبا اهلا وسهلا هلا حياك الله السلام عليكم ورحمه وبركاته صباح مساء الخير شكرا جزيلا عزيزي عزيزتي عميلنا نعم لا اكيد طبعا
  حاضر تمام عفوا عذرا اسف اسفين ناسف نعتذر يسعدنا يسرنا خدمتك مساعدتك نساعدك اساعدك استفسار استفسارك استفساراتك سؤال سؤالك لسؤالك اسئله اسئلتك اخر اخري بسؤالك لاستفسارك فضلك تفضل تفضلي لتواصلك
  تواصلك معنا بخصوص بك بكم يرجي للاسف داعي حاجه
`);

/** Carry no content of their own. */
export const FUNCTION_WORDS = folded(`
  a an the and or but so of to in on at by for from with as is are was were be been it its this that these those there here
  you your yours we our ours us i my me they them their he she his her if when while then than also too do does did have has
  had can could may might will would shall should must any all some each which who what where how very just more most about
  into over up out only own same such per via am s t re ve ll d m take takes open opens call phone ring contact pm
  و او في من الي الى علي على عن مع هذا هذه ذلك تلك هو هي هم نحن انا انت انتم ان انه انها كان كانت يكون تكون قد كل بعض اي ما ماذا
  متي كيف اين هل ثم حتي كما لكن بل اذا عند عندما لدينا لدي لديك لك لكم لنا له لها به بها فيه فيها منه منها التي الذي الذين يمكن
  يمكنك يمكنكم ايضا كذلك حيث بين بعد قبل خلال غير فقط نا منك منكم لذلك لهم لين وين ليش وش شنو مين يستغرق تستغرق مفتوح مفتوحه يفتح تفتح نفتح اتصل
`);

/** Agree to what was asked. */
export const ASSENT = folded(`
  yes yeah yep sure certainly absolutely definitely ok okay agreed deal done confirmed indeed course
  نعم اي ايوه ايه اكيد طبعا بالتاكيد تمام حاضر ابشر ابشري موافق موافقين اتفقنا مؤكد بالطبع صح
`);

/** Turn a sentence into its opposite. */
export const NEGATION = folded(`
  not no never none cannot cant dont doesnt didnt wont isnt arent wasnt werent without neither nor unable refuse refused excluded
  non nothing alone
  لا لن لم ليس ليست لسنا غير بدون دون ما مو مش ماكو ممنوع يمنع ابدا ولا ولن ولم وليس وليست وغير فلا فلن وبدون وحده وحدها وحدهم لوحده لوحدهم
`);

/** Ask for something without promising it. */
export const WEAK_COMMITMENTS: ReadonlySet<string> = new Set(
  "all allow includ كل مسموح مشمول owe owes deal offer process complet register book schedul reserv updat arrang ever always everything nothing حجز عرض عروض".split(
    " ",
  ),
);

/** Limit a promise. Whoever leaves them out promises more than the source. */
export const CONDITION = folded(`
  second third fourth fifth sixth seventh eighth ninth tenth ثاني ثانيه ثالث ثالثه رابع رابعه خامس خامسه عاشر عاشره
  if when after before unless until only provided once except within above over under below minimum maximum least
  اذا عند عندما بعد قبل بشرط شرط فقط الا خلال حتي فوق تتجاوز تزيد اكثر اقل باستثناء عدا ماعدا لو
`);

/** Have somebody say something. */
export const SAYING = folded(
  "say tell write reply respond answer output print repeat state inform hear قل اكتب اجب جاوب بلغ ابلغ كرر اخبر قولي قولوا",
);

/** Point at what was named before. */
export const POINTERS = folded(
  "the an this that these those it them they he she him her we you your our us هذا هذه ذلك تلك هو هي",
);

/** Forms of a verb that share no letters with it. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  "paid=pay kept=keep left=leave sent=send given=give gave=give taken=take took=take held=hold made=make sold=sell bought=buy brought=bring found=find built=build rebuilt=rebuild shown=show chosen=choose chose=choose written=write lost=lose"
    .split(" ")
    .map((pair): [string, string] => {
      const [form = "", verb = ""] = pair.split("=");
      return [form, verb];
    }),
);

/** Limit only before a number. */
export const PLACES = folded("under over above below فوق تحت");

/** The beginnings of words that commit the business or say that something was done. */
const COMMITTING = [
  // What a customer would hold us to.
  "refund reimburs guarant warrant approv cancel compensat credit discount voucher coupon promis waiv complimentar gift",
  "free freebie gratis prize winner won reward bonus cashback entitle eligib upgrad unlock replac exchang honor honour",
  "assur ensur pledg vow swear grant award offer deal owe owes payout repay rebate forgiv agreed nothing",
  "always forever ever everything everybody everyone unlimited lifetime anytime whatever",
  "الغاو استرداد استرجاع نسترد مسترد استرد ترجيع نرجع رجعنا ارجاع مجان بلاش ببلاش ضمان نضمن مضمون اضمن ضمنا كفاله موافق وافق نوافق",
  "اوافق اعتماد اعتمد الغاء الغي نلغي ملغي تعويض نعوض عوض خصم تخفيض نخصم هديه هدايا قسيمه كوبون وعد نعدك اعدك اوعدك نوعدك",
  "اعفاء معفي نعفي جائزه جوائز ربحت فزت مكافاه ترقيه استبدال نستبدل مستحق يحق تستحق ابشر تعهد نتعهد اتعهد التزم نلتزم فلوسك",
  "عرض عروض دائما الابد للابد طوال مطلقا الجميع اتفقنا اتفاقنا",
  // What was done.
  "done complet confirm process issu activat deactivat delet remov updat book reserv schedul register transferr deposit",
  "dispatch arrang resolv settl",
  "تم تمت سيتم ستتم يتم اكد نؤكد نوكد تاكيد سجلنا سجلت حجز ارسلنا ارسلت حولنا حولت نفذ فعلنا فعلت حذف عدلنا عدلت اضفنا اضفت",
  // Who it holds for, what is allowed, what is in the price, what is safe.
  "all every each any allow permit includ inclusiv",
  "كل كافه جميع مسموح يسمح تسمح نسمح مشمول شامل يشمل تشمل",
  "مؤكد محجوز محذوف مقبول معتمد",
  "اودع انجز صدر اصدر سوف سنقوم",
]
  .flatMap((line) => foldWords(line).split(/\s+/u))
  .filter((word) => word !== "");

/** These are whole words: their beginnings begin many others. */
const WHOLE = new Set(
  [
    "all",
    "every",
    "each",
    "any",
    "كل",
    "free",
    "won",
    "deal",
    "owe",
    "vow",
    "ever",
    "owes",
    "offer",
    "grant",
    "award",
    "تم",
    "تمت",
    "عرض",
    "عوض",
    "وعد",
    "حذف",
    "نفذ",
    "صدر",
    "اكد",
    "الغي",
  ].map(foldWords),
);
/** Joined to an Arabic word: and, so, with, for, will. */
const JOINED = /^(?:وال|فال|بال|لل|ال|[وفبلس])(?=.{2})/u;

/** By their first letter: a word is compared with a handful instead of some hundreds. */
const BY_LETTER = Map.groupBy(COMMITTING, (stem) => stem[0]);

/** Beginnings that say the same: each counts as the first one. */
const FAMILY: ReadonlyMap<string, string> = new Map(
  [
    "all every each any",
    "allow permit",
    "includ inclusiv",
    "free gratis complimentar freebie",
    "refund reimburs repay",
    "كل كافه جميع",
    "مسموح يسمح تسمح نسمح",
    "مشمول شامل يشمل تشمل",
    "الغاء الغي نلغي ملغي الغاو",
    "استرداد نسترد مسترد استرد استرجاع",
    "مجان بلاش ببلاش",
    "خصم نخصم تخفيض",
    "ضمان نضمن مضمون اضمن ضمنا",
    "تعويض نعوض عوض",
    "هديه هدايا",
    "اكد نؤكد نوكد تاكيد مؤكد",
    "حجز محجوز",
    "حذف محذوف",
  ].flatMap((line) => {
    const stems = line.split(" ").map(foldWords);
    return stems.map((stem): [string, string] => [stem, stems[0] ?? stem]);
  }),
);

/** The beginning by which a folded word commits, or that of its family; null: it does not. */
export function commitmentOf(word: string): string | null {
  for (const form of [word, word.replace(JOINED, ""), word.replace(JOINED, "").replace(JOINED, "")])
    for (const stem of BY_LETTER.get(form[0]) ?? [])
      if (WHOLE.has(stem) ? form === stem : form.startsWith(stem)) return FAMILY.get(stem) ?? stem;
  return null;
}

/** Several words that commit together; each is looked for in the folded text. */
export const COMMITTING_PHRASES: readonly RegExp[] = [
  /\b(?:no|without|zero) (?:extra |additional )?(?:charge|cost|fee|fees|payment)\b/u,
  /\b(?:on us|on the house|money back|our treat|half price|half off)\b/u,
  /\b(?:i|we)(?: ?['’]? ?(?:ve|ll|m|re| have| will| am| are| did| just| shall| can))+ (?!open|here|happy|glad|closed|help|sorry|afraid|unable|pleased|sure|located|(?:in|at|on|near|next|beside|behind|between|opposite|close|around)\b)\p{L}+/u,
  /(?:بدون|دون|من غير|بلا) (?:اي )?(?:رسوم|مقابل|تكلفه|دفع|مصاريف)/u,
  /(?:علي حسابنا|نصف السعر|نص السعر|كامل المبلغ|حقك علينا)/u,
  /(?:^|\s)علينا(?:\s|[.!؟]|$)/u,
  /\ball (?:night|day|the time|year)\b|\b24 ?\/ ?7\b|كل (?:شيء|شي|الاوقات)|مدي الحياه/u,
  /\bsafe (?:for|to|with)\b|(?:^|\s)(?:امن|امنه) (?:ل\p{L}+|من|علي)/u,
  // Whoever asks a customer for these robs them.
  /\b(?:password|passcode|pin|cvv|cvc|otp|card number|security code|bank account|iban|code on (?:its|the) back|credentials)\b/u,
  /(?:كلمه (?:ال)?(?:مرور|سر)|الرقم السري|رقمك السري|رمز التحقق|رقم (?:ال)?بطاق|الرمز الخلفي|الايبان|باسورد)/u,
  /(?:^|\s)(?:راح|رح|لقد|قمنا|قمت|سنقوم|ساقوم) \p{L}+/u,
];

/** What a number counts: each unit with its words. Money of one name is one unit. */
const UNITS = {
  dinar: "kwd kd bhd jod iqd dinar dinars دينار دنانير دينارا دك",
  riyal: "sar sr qar omr riyal riyals rial rials ريال ريالات ريالا رس",
  dirham: "aed dh dhs dirham dirhams درهم دراهم درهما",
  dollar: "usd dollar dollars bucks دولار دولارات دولارا",
  euro: "eur euro euros يورو",
  // Of money or of weight.
  pound: "egp gbp le pound pounds quid lb lbs جنيه جنيها جنيهات",
  fils: "fils halala halalas cent cents piaster فلس فلوس هلله قرش",
  percent: "percent pct percentage بالمئه بالمائه بالميه",
  gram: "g gr gram grams غرام غراما غرامات جرام جراما جرامات",
  kilogram: "kg kgs kilo kilos kilogram kilograms كيلو كغ كغم كجم كيلوغرام كيلوجرام",
  ounce: "oz ounce ounces",
  litre: "l litre litres liter liters لتر لترا لترات ليتر",
  millilitre: "ml millilitre millilitres مل مليلتر",
  metre: "m metre metres meter meters متر مترا امتار",
  centimetre: "cm centimetre centimetres centimeter centimeters سم سنتيمتر",
  millimetre: "mm millimetre millimetres ملم مليمتر",
  kilometre: "km kilometre kilometres kilometer kilometers كيلومتر كيلومترات",
  inch: "inch inches بوصه انش",
  foot: "ft feet قدم",
  second: "second seconds sec ثانيه ثواني",
  minute: "minute minutes min mins دقيقه دقائق دقايق دقيقتين",
  hour: "hour hours hr hrs ساعه ساعات ساعتين ساعتان",
  day: "day days night nights يوم ايام يوما يومين يومان ليله ليالي",
  week: "week weeks اسبوع اسابيع اسبوعا اسبوعين اسبوعان",
  month: "month months شهر اشهر شهور شهرا شهرين شهران",
  year: "year years سنه سنوات سنين سنتين سنتان عام اعوام عاما",
} as const;
export type Unit = keyof typeof UNITS;
const SIGNS: readonly (readonly [string, Unit])[] = [
  ["$", "dollar"],
  ["€", "euro"],
  ["£", "pound"],
  ["%", "percent"],
];

export const UNIT_OF: ReadonlyMap<string, Unit> = new Map([...unitWords(), ...SIGNS]);

function unitWords(): [string, Unit][] {
  const found: [string, Unit][] = [];
  for (const unit in UNITS)
    if (isUnit(unit)) for (const word of folded(UNITS[unit])) found.push([word, unit]);
  return found;
}
function isUnit(text: string): text is Unit {
  return text in UNITS;
}
export const MONEY: ReadonlySet<Unit> = new Set<Unit>([
  "dinar",
  "riyal",
  "dirham",
  "dollar",
  "euro",
  "pound",
  "fils",
]);

/** The number beside them is the customer's own, which may be repeated to the customer. */
export const IDENTIFIER = folded(`
  order orders number ref reference invoice ticket account booking tracking code
  رقم طلب طلبك الطلب فاتوره الفاتوره تذكره حجز حساب حسابك تتبع كود برقم رقمه
`);
/** In their sentence each number is a price. */
export const PRICE = folded(`
  price prices cost costs fee fees charge charges pay discount off sale cheaper total amount
  سعر اسعار السعر الاسعار تكلفه التكلفه رسوم الرسوم خصم الخصم تخفيض المبلغ مبلغ بسعر ادفع تدفع
`);

const numbered = (pairs: string): ReadonlyMap<string, number> =>
  new Map(
    foldWords(pairs)
      .trim()
      .split(/\s+/u)
      .map((pair): [string, number] => {
        const [word = "", value = "0"] = pair.split("=");
        return [word, Number(value)];
      }),
  );

/** Words of numbers. `one` counts only beside a unit. */
export const NUMBER_WORDS = numbered(`
  one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14 fifteen=15
  sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90
  hundred=100 thousand=1000 million=1000000 half=0.5 quarter=0.25 double=2 twice=2 triple=3 dozen=12
  واحد=1 واحده=1 اثنين=2 اثنان=2 ثلاثه=3 ثلاث=3 اربعه=4 اربع=4 خمسه=5 خمس=5 سته=6 ست=6 سبعه=7 سبع=7 ثمانيه=8 ثماني=8 ثمان=8
  تسعه=9 تسع=9 عشره=10 عشر=10 عشرين=20 عشرون=20 ثلاثين=30 ثلاثون=30 اربعين=40 اربعون=40 خمسين=50 خمسون=50 ستين=60 ستون=60
  سبعين=70 سبعون=70 ثمانين=80 ثمانون=80 تسعين=90 تسعون=90 مئه=100 مائه=100 ميه=100 مئتين=200 مئتان=200 ميتين=200 الف=1000
  الفين=2000 مليون=1000000 نصف=0.5 نص=0.5 ربع=0.25 ضعف=2 ضعفين=2
  ثالثه=3 رابعه=4 خامسه=5 سادسه=6 سابعه=7 ثامنه=8 تاسعه=9 عاشره=10
  يومين=2 يومان=2 ساعتين=2 ساعتان=2 اسبوعين=2 اسبوعان=2 شهرين=2 سنتين=2 دقيقتين=2 دينارين=2 ريالين=2
`);

/** Names of days and months, each with its one form. */
export const DATE_WORDS: ReadonlyMap<string, string> = new Map(
  foldWords(`
  monday mon tuesday tue tues wednesday wed thursday thu thurs friday fri saturday sunday
  january jan february feb march april june jul july august aug september sept october oct november nov december dec
  tomorrow yesterday tonight today ramadan eid christmas weekend
  الاثنين الثلاثاء الاربعاء الخميس الجمعه السبت الاحد
  يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر غدا بكره بكرا باجر امس اليوم الليله رمضان العيد
`)
    .trim()
    .split(/\s+/u)
    .map((word): [string, string] => [word, /^[a-z]/.test(word) ? word.slice(0, 3) : word]),
);
