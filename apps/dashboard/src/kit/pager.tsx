import { Button } from "react-aria-components";
import { t } from "../text/t.ts";
import "./table.css";

/** Leads to the page before and after. An undefined step leads nowhere. */
export function Pager({
  text,
  previous,
  next,
}: {
  /** What is shown of how many. */
  readonly text: string;
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}) {
  return (
    <nav className="pager" aria-label={t("kit.pages")}>
      <span role="status">{text}</span>
      <div>
        <Button isDisabled={previous === undefined} onPress={() => previous?.()}>
          {t("kit.previous")}
        </Button>
        <Button isDisabled={next === undefined} onPress={() => next?.()}>
          {t("kit.next")}
        </Button>
      </div>
    </nav>
  );
}
