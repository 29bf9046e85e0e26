import type { PlainKey } from "../texts/texts.ts";
import { useSurface } from "./context.ts";

/** A button that is a word in a line of text. After it the visitor goes on writing. */
export function Word({ say, act }: { say: PlainKey; act: () => void }) {
  const { language, goOn } = useSurface();
  return (
    <button class="word" type="button" onClick={() => (act(), goOn.current())}>
      {language.say(say)}
    </button>
  );
}
