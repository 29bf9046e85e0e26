import { Menu, MenuItem, Popover, Separator } from "react-aria-components";
import type { Floating } from "../../kit/on-demand.tsx";
import { t } from "../../text/t.ts";
import { needsText, type Assist } from "./use-assist.ts";

const WORDS = ["en", "ar"] as const;
const TONES = ["friendlier", "shorter", "formal"] as const;

/** What a model can write for this text. */
export function AiMenu({
  floating,
  hasText,
  forCustomer,
  run,
}: {
  readonly floating: Floating;
  readonly hasText: boolean;
  /** A reply is written, no note. */
  readonly forCustomer: boolean;
  readonly run: (what: Assist) => void;
}) {
  const item = (what: Assist) => (
    <MenuItem
      key={what}
      id={what}
      isDisabled={needsText(what) && !hasText}
      onAction={() => run(what)}
    >
      {t(`composer.ai.${what}`)}
    </MenuItem>
  );
  return (
    <Popover {...floating} trigger="MenuTrigger" placement="top start">
      <Menu autoFocus aria-label={t("composer.ai")} onClose={() => floating.onOpenChange(false)}>
        {forCustomer && item("suggest")}
        {item("summarise")}
        <Separator />
        {WORDS.map(item)}
        <Separator />
        {TONES.map(item)}
      </Menu>
    </Popover>
  );
}
