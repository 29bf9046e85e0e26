import { Button } from "react-aria-components";
import { Icon } from "../kit/icon.tsx";
import { t, type KeyWith, type PlainKey } from "../text/t.ts";

/** The head of one item of a list that is being written: its number, and the button that removes it. */
export function ItemHead({
  words,
  number,
  remove,
}: {
  readonly words: { readonly one: KeyWith<"number">; readonly remove: KeyWith<"number"> };
  /** 1 is the first. */
  readonly number: number;
  /** False: the member cannot write. */
  readonly remove: (() => void) | false;
}) {
  return (
    <div className="flow-item-head">
      <span>{t(words.one, { number })}</span>
      {remove && (
        <Button className="quiet" aria-label={t(words.remove, { number })} onPress={remove}>
          <Icon name="x" />
        </Button>
      )}
    </div>
  );
}

/** The button below a list. */
export function AddItem({ word, add }: { readonly word: PlainKey; readonly add: () => void }) {
  return (
    <Button className="button flow-add" onPress={add}>
      <Icon name="plus" />
      {t(word)}
    </Button>
  );
}
