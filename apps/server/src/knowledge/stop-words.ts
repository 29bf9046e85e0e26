import { bareWords } from "../messages/search/search-terms.ts";

/** Words of a question that say nothing of what it is about, folded and without article. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  bareWords(`
  a an the and or but so of to in on at by for from with as is are was were be been am it its this that these those there here
  you your yours we our ours us i my me mine they them their he she his her if when while then than also too do does did have has
  had can could may might will would shall should must any all some each which who whom what where how why very just please
  hello hi hey thanks thank want need like know tell got get ve ll re don doesn didn isn im
  و او في من الى علي على عن مع هذا هذه هاي هذي ذلك تلك هو هي هم نحن انا انت انتم انتو ان انه انها كان كانت يكون تكون قد اي ما ماذا ايش
  شنو وش شو ايه متى كيف شلون ازاي اين وين فين هل ثم حتى كما لكن بل اذا لو لدي لديكم عندي عندكم عندك لك لكم لنا له لها التي الذي
  ممكن يمكن يمكنني اقدر نقدر ابي ابغى اريد عايز عاوز بدي اود احتاج لازم انو يعني مرحبا السلام عليكم شكرا لو سمحت سمحتوا فضلك بس
  `),
);
