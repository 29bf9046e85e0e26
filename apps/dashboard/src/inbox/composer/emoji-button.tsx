import { lazy, Suspense, useState } from "react";
import { Button, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { t } from "../../text/t.ts";
import { Glyph } from "../thread/glyph.tsx";

const EmojiChoice = lazy(async () => ({ default: (await import("./emoji.tsx")).EmojiChoice }));

/** The picker and its lists are loaded when somebody first opens it. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <Button className="thread-button composer-tool" aria-label={t("composer.emoji")}>
        <Glyph name="smile" />
      </Button>
      <Popover placement="top start">
        <Dialog aria-label={t("composer.emoji")}>
          <Suspense fallback={<p className="composer-hint">{t("kit.loading")}</p>}>
            <EmojiChoice
              onPick={(emoji) => {
                setOpen(false);
                onPick(emoji);
              }}
            />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
