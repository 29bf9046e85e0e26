import { Page } from "../kit/page.tsx";
import { t } from "../text/t.ts";

/** Stands in for a page while it is being built. */
export function Coming() {
  return (
    <Page title={t("shell.coming")}>
      <span />
    </Page>
  );
}
