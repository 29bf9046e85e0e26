import { t } from "../text/t.ts";

/** Shown instead of a page that the member's role may not open. */
export function NoAccess() {
  return (
    <main id="main" className="state-page">
      <title>{`${t("shell.noAccess")} · Parley`}</title>
      <h1>{t("shell.noAccess")}</h1>
      <p>{t("shell.noAccess.text")}</p>
    </main>
  );
}
