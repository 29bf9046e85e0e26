/** The languages of knowledge, of answers and of bots' texts. */
export const KNOWLEDGE_LANGS = ["en", "ar"] as const;
export type KnowledgeLang = (typeof KNOWLEDGE_LANGS)[number];

/** The longest chunk, in characters. */
export const MAX_CHUNK = 1_200;
/** The most chunks of a workspace. An index in memory numbers them by two bytes. */
export const MAX_CHUNKS = 20_000;

/** A piece of a source that an answer may cite. */
export interface Chunk {
  readonly chunkId: string;
  readonly lang: KnowledgeLang;
  readonly place: number;
  readonly title: string;
  readonly text: string;
  /** How customers ask for it, a line each. It is found by them; no answer rests on them. */
  readonly askedAs: string;
}

export interface IndexedChunk {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly version: number;
  readonly title: string;
  readonly text: string;
  readonly askedAs: string;
}

const ARABIC = /\p{Script=Arabic}/gu;
const LETTER = /\p{L}/gu;

/** The language of a text: Arabic when a third of its letters are. */
export const langOf = (text: string): KnowledgeLang =>
  (text.match(ARABIC)?.length ?? 0) * 3 > (text.match(LETTER)?.length ?? 0) ? "ar" : "en";
