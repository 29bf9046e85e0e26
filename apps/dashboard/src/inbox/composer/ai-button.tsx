import { lazy } from "react";
import { Button } from "react-aria-components";
import { OnDemand } from "../../kit/on-demand.tsx";
import { t } from "../../text/t.ts";
import { Glyph } from "../thread/glyph.tsx";
import type { Assisting } from "./use-assist.ts";

const AiMenu = lazy(async () => ({ default: (await import("./ai-menu.tsx")).AiMenu }));

/** Has a model write; its menu is loaded when it is first opened. */
export function AiButton({
  assist,
  hasText,
  forCustomer,
}: {
  readonly assist: Assisting;
  readonly hasText: boolean;
  readonly forCustomer: boolean;
}) {
  return (
    <OnDemand
      has="menu"
      button={(trigger) => (
        <Button
          {...trigger}
          className="thread-button composer-tool composer-ai"
          aria-label={t("composer.ai")}
          isPending={assist.busy}
        >
          <Glyph name="sparkles" />
          <span>{t("composer.ai")}</span>
        </Button>
      )}
    >
      {(floating) => (
        <AiMenu floating={floating} hasText={hasText} forCustomer={forCustomer} run={assist.run} />
      )}
    </OnDemand>
  );
}

/** What the model does, how it ended, and the way back. */
export function AiLine({ assist }: { readonly assist: Assisting }) {
  const { said, failed, undo } = assist;
  return (
    <div className="composer-ai-line">
      <p role="status">{said}</p>
      {undo && (
        <Button className="thread-link" onPress={undo}>
          {t("composer.ai.undo")}
        </Button>
      )}
      {failed !== null && (
        <p role="alert" className="composer-ai-fault">
          {failed}
        </p>
      )}
    </div>
  );
}
