import { useBlocker } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { AskDialog } from "../kit/dialog.tsx";
import { t } from "../text/t.ts";

/** Asks before the page is left with what is not saved. The browser asks on its own when the tab is closed. */
export function AskBeforeLeaving({ isChanged }: { readonly isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <AskDialog role="alertdialog" title={t("flow.leave")} close={reset}>
      <p>{t("flow.leave.text")}</p>
      <div className="ask-buttons">
        <Button autoFocus onPress={reset}>
          {t("kit.cancel")}
        </Button>
        <Button className="danger" onPress={proceed}>
          {t("flow.leave.verb")}
        </Button>
      </div>
    </AskDialog>
  );
}
